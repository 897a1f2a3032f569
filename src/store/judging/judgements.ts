import { randomUUID } from 'node:crypto';
import type { ClientSession, Filter } from 'mongodb';
import { v7 } from 'uuid';
import type { Clock } from '../../core/clock.js';
import { SluiceError } from '../../core/errors.js';
import type { TraceWrite } from '../../core/trace-write.js';
import type { JudgedValue } from '../../logs/judging/dimension.js';
import { checkSignal, type FindMismatch, type SignalInput, toDocument } from '../feedback/feedback.js';
import { joinSignal, withoutSignals } from '../feedback/feedback-join.js';
import type { Collections, FeedbackSignal } from '../mongodb/collections.js';
import type { JudgementDocument } from '../mongodb/judging-documents.js';
import { isDuplicate } from '../mongodb/storage-errors.js';
import { inTransaction } from '../mongodb/transaction.js';

/** What one person says about one log, or about a pair of logs. */
export interface NewJudgement {
  project_uid: string;
  annotator: string;
  /** The named queue in which it was given. */
  queue: string | null;
  /** What was judged. A second judgement of the same subject by the same person is refused. */
  subject: string;
  values: Record<string, JudgedValue>;
  /** The feedback that the judgement creates, with the log of each signal. */
  signals: { log_id: string; signal: FeedbackSignal }[];
  /** The most signals of a log. */
  maxSignals: number;
}

export interface JudgementStore {
  /**
   * Records a judgement. Resolves with its id once it and all of its feedback are durable. Rejects with `not_found` for a log
   * that does not exist, `already_judged`, `invalid_improvement`, `too_many_signals`.
   */
  record(judgement: NewJudgement): Promise<{ id: string }>;
  /**
   * Removes a judgement with its feedback. False where this person has none with this id. Without `annotator`, it may be
   * anybody's.
   */
  remove(projectUid: string, id: string, annotator?: string): Promise<boolean>;
  /**
   * Removes a signal from its log and from the judgement that it belongs to. The other answers of that person stay. A choice
   * between two logs is removed as a whole. False where there is no such signal.
   */
  removeSignal(projectUid: string, logId: string, feedbackId: string): Promise<boolean>;
  /** The newest judgements, at most `limit` of them, grouped by what was judged. */
  list(
    projectUid: string,
    which: { queue?: string; from?: Date; to?: Date },
    limit: number,
  ): Promise<Pick<JudgementDocument, 'subject' | 'annotator' | 'values'>[]>;
  /** Which of these subjects the person has judged. */
  judgedBy(projectUid: string, annotator: string, subjects: readonly string[]): Promise<string[]>;
}

/** The mark in a log which says that a person has judged it in a queue. */
export function judgedMark(queue: string, annotator: string): string {
  return `${queue}/${annotator}`;
}

export function createJudgementStore(
  collections: Collections,
  clock: Clock,
  traceWrite: TraceWrite,
  findMismatch: FindMismatch,
): JudgementStore {
  const { client, judgements, feedback, logs, guarded } = collections;

  /** Marks in its logs who judged them in a queue, so that the queue finds what is left. */
  const markLogs = async (
    {
      project_uid,
      queue,
      annotator,
      signals,
    }: Pick<JudgementDocument, 'project_uid' | 'queue' | 'annotator' | 'signals'>,
    by: 1 | -1,
    session: ClientSession,
  ) => {
    const mark = queue === null ? undefined : judgedMark(queue, annotator);
    for (const log_id of new Set(signals.map((signal) => signal.log_id))) {
      const which = { _id: log_id, project_uid };
      if (mark === undefined) {
        const there = await logs.findOne(which, { session, projection: { _id: 1 } });
        if (there === null && by === 1) throw unknownLog(log_id);
        continue;
      }
      const list = by === 1 ? { $push: { _judged: mark } } : { $pull: { _judged: mark } };
      const change = { $inc: { [`_judges.${queue}`]: by }, ...list };
      const { matchedCount } = await logs.updateOne(which, change, { session });
      if (matchedCount === 0 && by === 1) throw unknownLog(log_id);
    }
  };

  const removeWhole = async (which: Filter<JudgementDocument>, session: ClientSession): Promise<boolean> => {
    const found = await judgements.findOneAndDelete(which, { session });
    if (found === null) return false;
    const { project_uid } = found;
    const ids = found.signals.map((signal) => signal.id);
    await feedback.deleteMany({ _id: { $in: ids }, project_uid }, { session });
    for (const log_id of new Set(found.signals.map((signal) => signal.log_id))) {
      await logs.updateOne({ _id: log_id, project_uid }, withoutSignals(ids), { session });
    }
    await markLogs(found, -1, session);
    return true;
  };

  return {
    record: (judgement) =>
      guarded(async () => {
        const { signals: given, maxSignals, ...content } = judgement;
        const created_at = new Date(clock.now());
        // The ids of the signals grow, so that they stay in the order in which they were given.
        const documents = given.map(({ log_id, signal }) =>
          Object.assign(toDocument(v7(), created_at, { project_uid: content.project_uid, log_id, signal }), {
            _pending: true as const,
          }),
        );
        const traced = await checkAll(collections, clock, findMismatch, judgement);
        const document: JudgementDocument = {
          _id: randomUUID(),
          ...content,
          signals: documents.map(({ _id, log_id }) => ({ id: _id, log_id })),
          created_at,
        };
        const { dbName: database, collectionName: collection } = feedback;
        await traceWrite({ operation: 'insert', database, collection, logs: traced }, async () => {
          await inTransaction(client, async (session) => {
            await judgements.insertOne(document, { session });
            await feedback.insertMany(documents, { session });
            await markLogs(document, 1, session);
          }).catch((error: unknown) => {
            throw isDuplicate(error) ? alreadyJudged(error) : error;
          });
          // A signal that is not joined because this process ends is joined by the next sweep.
          for (const signal of documents) await joinSignal(collections, signal);
        });
        return { id: document._id };
      }),

    remove: (project_uid, id, annotator) =>
      guarded(() =>
        inTransaction(client, (session) =>
          removeWhole({ _id: id, project_uid, ...(annotator === undefined ? {} : { annotator }) }, session),
        ),
      ),

    removeSignal: (project_uid, log_id, id) =>
      guarded(() =>
        inTransaction(client, async (session) => {
          const found = await feedback.findOneAndDelete({ _id: id, project_uid, log_id }, { session });
          if (found === null) return false;
          await logs.updateOne({ _id: log_id, project_uid }, withoutSignals([id]), { session });
          const part = { project_uid, 'signals.log_id': log_id, 'signals.id': id };
          const judgement = await judgements.findOne(part, { session });
          if (judgement === null) return true;
          const { _id, queue, signals } = judgement;
          if (queue === null || signals.length === 1) return removeWhole({ _id, project_uid }, session);
          await judgements.updateOne(
            { _id, project_uid },
            { $pull: { signals: { id } }, $unset: { [`values.${found.signal_name}`]: 1 } },
            { session },
          );
          return true;
        }),
      ),

    list: (project_uid, { queue, from, to }, limit) =>
      guarded(() =>
        judgements
          .find({
            project_uid,
            ...(queue === undefined ? {} : { queue }),
            ...(from === undefined && to === undefined
              ? {}
              : { created_at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
          })
          .project<Pick<JudgementDocument, 'subject' | 'annotator' | 'values'>>({
            subject: 1,
            annotator: 1,
            values: 1,
          })
          .sort({ created_at: -1, _id: -1 })
          .limit(limit)
          .toArray(),
      ),

    judgedBy: (project_uid, annotator, subjects) =>
      guarded(async () => {
        const found = await judgements
          .find({ project_uid, annotator, subject: { $in: [...subjects] } })
          .project<{ subject: string }>({ subject: 1 })
          .toArray();
        return found.map(({ subject }) => subject);
      }),
  };
}

/** Checks each log once, for all the signals that it would get. */
async function checkAll(
  collections: Collections,
  clock: Clock,
  findMismatch: FindMismatch,
  { project_uid, signals, maxSignals }: NewJudgement,
) {
  const traced = [];
  for (const log_id of new Set(signals.map((one) => one.log_id))) {
    const ofLog = signals.filter((one) => one.log_id === log_id);
    const input = (signal: FeedbackSignal): SignalInput => ({
      project_uid,
      log_id,
      signal,
      maxSignals: maxSignals - ofLog.length + 1,
    });
    const improving = ofLog.find(({ signal }) => signal.improvement !== null) ?? ofLog[0]!;
    traced.push(...(await checkSignal(collections, clock, findMismatch, input(improving.signal))));
  }
  return traced;
}

function unknownLog(id: string): SluiceError {
  return new SluiceError('not_found', `There is no log ${id} in this project.`);
}

function alreadyJudged(cause: unknown): SluiceError {
  return new SluiceError('already_judged', 'You have judged this already. Remove your judgement first.', {
    cause,
  });
}
