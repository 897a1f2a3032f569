import { BSON } from 'mongodb';
import { STATS_BEHIND } from '../counts/stat-values.js';
import { TAGS_BEHIND } from '../counts/tag-deltas.js';
import type { AppliedSignal, Collections, FeedbackDocument } from '../mongodb/collections.js';
import { isStorageAway } from '../mongodb/storage-errors.js';

/*
 * A log contains the score and weight of each of its signals, so adding or removing one and computing
 * `feedback_count` and `score` is one atomic update of one document, which is correct whatever else is written at the
 * same time and however often it is repeated. A signal is `_pending` until its log has it.
 */

/** The part of a signal that a log contains. */
export type JoinedSignal = Pick<FeedbackDocument, '_id' | 'log_id' | 'project_uid'> &
  Omit<AppliedSignal, 'id'>;

/** Adds a signal to its log, once. False where its project has no such log. */
export function joinSignal(collections: Collections, signal: FeedbackDocument): Promise<boolean> {
  return joinSignals(collections, [joinedOf(signal)]);
}

function joinedOf(signal: FeedbackDocument): JoinedSignal {
  const { _id, log_id, project_uid, score, weight } = signal;
  return { _id, log_id, project_uid, score, weight, bytes: BSON.calculateObjectSize(signal) };
}

/** Does the same for several signals of one log. */
async function joinSignals(collections: Collections, signals: readonly JoinedSignal[]): Promise<boolean> {
  const { logs, feedback } = collections;
  const { log_id, project_uid } = signals[0]!;
  const ids = signals.map(({ _id }) => _id);
  const result = await logs.updateOne({ _id: log_id, project_uid }, withSignals(signals));
  if (result.matchedCount === 0) return false;
  const updated = await feedback.updateMany(
    { _id: { $in: ids }, project_uid, log_id, _pending: true },
    { $unset: { _pending: 1 } },
  );
  if (updated.matchedCount < ids.length) await removeDeleted(collections, signals);
  return true;
}

/** The update of a log that adds a signal, once. */
export function withSignal(signal: FeedbackDocument): object[] {
  return withSignals([joinedOf(signal)]);
}

function withSignals(signals: readonly JoinedSignal[]): object[] {
  const applied = signals.map(
    ({ _id: id, score, weight, bytes }) => ({ id, score, weight, bytes }) satisfies AppliedSignal,
  );
  const others = othersThan(applied.map(({ id }) => id));
  return signalsUpdate({ $concatArrays: [others, { $literal: applied }] });
}

/** A signal that was deleted while it was being joined must not stay in the score. */
async function removeDeleted(collections: Collections, signals: readonly JoinedSignal[]): Promise<void> {
  const { log_id, project_uid } = signals[0]!;
  const ids = signals.map(({ _id }) => _id);
  const left = await collections.feedback
    .find({ _id: { $in: ids }, project_uid, log_id })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  const there = new Set(left.map(({ _id }) => _id));
  const deleted = ids.filter((id) => !there.has(id));
  if (deleted.length > 0)
    await collections.logs.updateOne({ _id: log_id, project_uid }, withoutSignals(deleted));
}

/** The update of a log that removes a signal. */
export function withoutSignal(id: string): object[] {
  return withoutSignals([id]);
}

/** The update of a log that removes several signals. */
export function withoutSignals(ids: readonly string[]): object[] {
  return signalsUpdate(othersThan(ids));
}

function othersThan(ids: readonly string[]): object {
  const signals = { $ifNull: ['$_signals', []] };
  const isOne = { $in: ['$$other.id', { $literal: ids }] };
  return { $filter: { input: signals, as: 'other', cond: { $not: [isOne] } } };
}

/**
 * The update of a log's signals, with the score Σ(score · weight) / Σ weight, rounded to the precision of floating point;
 * null where Σ weight is 0.
 */
function signalsUpdate(signals: object): object[] {
  const products = { $map: { input: '$_signals', as: 's', in: { $multiply: ['$$s.score', '$$s.weight'] } } };
  const weights = { $sum: '$_signals.weight' };
  const score = { $round: [{ $divide: [{ $sum: products }, weights] }, 12] };
  return [
    { $set: { _signals: signals, _counted_tags: TAGS_BEHIND, _counted_stats: STATS_BEHIND } },
    {
      $set: {
        feedback_count: { $size: '$_signals' },
        score: { $cond: [{ $gt: [weights, 0] }, score, null] },
      },
    },
  ];
}

/** The most signals that are read at once, and joined with one log by one update. */
const BATCH = 500;

/**
 * Joins a batch of the signals that wait for these logs. It is a batch, because other logs wait to be stored. True where
 * there may be more.
 */
export async function joinWaitingSignals(
  collections: Collections,
  logs: readonly { _id: string; project_uid: string }[],
): Promise<boolean> {
  const waiting = await collections.feedback
    .aggregate<JoinedSignal>([
      {
        $match: {
          project_uid: { $in: [...new Set(logs.map((log) => log.project_uid))] },
          log_id: { $in: logs.map((log) => log._id) },
          _pending: true,
        },
      },
      { $limit: BATCH },
      ...AS_JOINED,
    ])
    .toArray();
  const joined = await joinBatch(collections, waiting);
  // Without `joined > 0`, a signal that cannot be joined would be found again and again.
  return waiting.length === BATCH && joined > 0;
}

/** Reads only the part of a signal that a log contains, because its texts can be megabytes. */
const AS_JOINED = [
  { $project: { log_id: 1, project_uid: 1, score: 1, weight: 1, bytes: { $bsonSize: '$$ROOT' } } },
];

/** Joins a batch. Returns how many signals were joined. */
async function joinBatch(collections: Collections, signals: readonly JoinedSignal[]): Promise<number> {
  const byLog = new Map<string, JoinedSignal[]>();
  for (const signal of signals) {
    const log = `${signal.project_uid} ${signal.log_id}`;
    const ofLog = byLog.get(log);
    if (ofLog === undefined) byLog.set(log, [signal]);
    else ofLog.push(signal);
  }
  let joined = 0;
  for (const ofLog of byLog.values()) joined += await joinOrLeave(collections, ofLog);
  return joined;
}

/**
 * Joins signals one by one. One that MongoDB refuses must not keep the others from their log. Returns how many were joined.
 */
async function joinOrLeave(collections: Collections, signals: readonly JoinedSignal[]): Promise<number> {
  try {
    return (await joinSignals(collections, signals)) ? signals.length : 0;
  } catch (error) {
    if (isStorageAway(error)) throw error;
    if (signals.length === 1) return 0;
  }
  let joined = 0;
  for (const signal of signals) joined += await joinOrLeave(collections, [signal]);
  return joined;
}

/**
 * Joins signals with logs that a crash separated. Logs are looked up in batches, because most signals that wait here will
 * wait forever.
 */
export async function sweepWaitingSignals(collections: Collections): Promise<number> {
  let joined = 0;
  let batch: JoinedSignal[] = [];
  const sweepBatch = async () => {
    const landed = await collections.logs
      .find({
        project_uid: { $in: [...new Set(batch.map((signal) => signal.project_uid))] },
        _id: { $in: batch.map((signal) => signal.log_id) },
      })
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    const there = new Set(landed.map((log) => log._id));
    joined += await joinBatch(
      collections,
      batch.filter((signal) => there.has(signal.log_id)),
    );
    batch = [];
  };
  const waiting = collections.feedback.aggregate<JoinedSignal>(
    [{ $match: { _pending: true } }, ...AS_JOINED],
    { hint: 'pending' },
  );
  for await (const signal of waiting) {
    batch.push(signal);
    if (batch.length === BATCH) await sweepBatch();
  }
  if (batch.length > 0) await sweepBatch();
  return joined;
}
