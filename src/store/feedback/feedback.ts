import type { Clock } from '../../core/clock.js';
import { SluiceError } from '../../core/errors.js';
import { uuidV7Time } from '../../core/ids.js';
import type { JsonObject } from '../../core/json.js';
import type { TracedWrite, TraceWrite } from '../../core/trace-write.js';
import type { Mismatch } from '../../logs/improvement.js';
import type { Collections, FeedbackDocument, FeedbackSignal } from '../mongodb/collections.js';
import { measure } from '../mongodb/packing.js';
import { isDuplicate } from '../mongodb/storage-errors.js';
import { joinSignal, sweepWaitingSignals } from './feedback-join.js';
import { claimKey, isRepeat, type KeyedCall } from './idempotency-keys.js';

/** A signal as it was sent. */
export interface RecordedSignal extends FeedbackSignal {
  id: string;
  project_uid: string;
  log_id: string;
  created_at: Date;
}

export interface SignalInput {
  project_uid: string;
  log_id: string;
  signal: FeedbackSignal;
  /** The Idempotency-Key of the client's call. */
  idempotencyKey?: string;
  /** The most signals of a log; unlimited where it is absent. */
  maxSignals?: number;
  /** What the client named in place of the log's id. A repetition must name the same. */
  namedBy?: string;
}

export interface SignalPosition {
  created_at: Date;
  id: string;
}

/**
 * Feedback signals and their effect on logs. Each call rejects with `storage_unavailable` when MongoDB is
 * unreachable.
 */
export interface FeedbackStore {
  /**
   * Resolves with the signal's id once it is durable (majority, journaled) and, where its log is there, part of
   * its score. Rejects with `not_found` for an unknown log, `invalid_improvement`,
   * `too_many_signals` where it has enough of them, `idempotency_conflict` for a key with another body.
   */
  record(input: SignalInput): Promise<{ id: string }>;
  list(
    projectUid: string,
    logId: string,
    page: { limit: number; after?: SignalPosition },
  ): Promise<{ signals: RecordedSignal[]; next: SignalPosition | null }>;
  /** The signals of some logs, oldest first. */
  ofLogs(projectUid: string, logIds: string[]): Promise<RecordedSignal[]>;
  /** The number of signals whose log has not arrived. */
  orphanCount(): Promise<number>;
  /** Joins signals with existing logs that a crash separated. Returns how many. */
  sweep(): Promise<number>;
}

/** How long a log may take to arrive. During this time, feedback for an id that could be ours is accepted. */
const LANDING_MS = 10 * 60_000;
/** How far the clock of the engine that created an id may be ahead of ours. */
const CLOCK_SKEW_MS = 60_000;
/** The most bytes of all signals of one log, because an export reads them together. */
export const MAX_SIGNAL_BYTES = 32 * 1024 * 1024;
const OLDEST_FIRST = { created_at: 1, _id: 1 } as const;

/** Whether the log with this id may still arrive. */
export function mayStillLand(logId: string, clock: Clock): boolean {
  const time = uuidV7Time(logId);
  if (time === undefined) return false;
  const age = clock.now() - time;
  return age < LANDING_MS && age > -CLOCK_SKEW_MS;
}

/**
 * Says what is wrong with an improvement for a log. Undefined where it matches the schema, or where the log has not arrived.
 */
export type FindMismatch = (
  projectUid: string,
  logId: string,
  improvement: string,
) => Promise<Mismatch | undefined>;

export function createFeedbackStore(
  collections: Collections,
  clock: Clock,
  traceWrite: TraceWrite,
  findMismatch: FindMismatch,
): FeedbackStore {
  const { feedback, guarded } = collections;

  return {
    record: (input) =>
      guarded(async () => {
        const call = callOf(input);
        // A signal that was accepted once is answered in the same way, even where its log never arrived.
        const repeats = await isRepeat(collections, call);
        const traced = repeats ? [] : await checkSignal(collections, clock, findMismatch, input);
        const claim = await claimKey(collections, clock, call);
        if (claim.done) return { id: claim.id };
        const document = Object.assign(toDocument(claim.id, new Date(clock.now()), input), {
          _pending: true as const,
        });
        const { dbName: database, collectionName: collection } = feedback;
        const write = { operation: 'insert', database, collection, logs: traced } as const;
        await traceWrite(write, async () => {
          await insertOnce(collections, document);
          await joinSignal(collections, document);
        });
        await claim.finish();
        return { id: claim.id };
      }),

    list: (project_uid, log_id, { limit, after }) =>
      guarded(async () => {
        const query = { project_uid, log_id };
        const documents = await feedback
          .find(after === undefined ? query : { ...query, ...behind(after) })
          .sort(OLDEST_FIRST)
          .limit(limit + 1)
          .toArray();
        const signals = documents.slice(0, limit).map(fromDocument);
        const last = documents.length > limit ? signals.at(-1) : undefined;
        return { signals, next: last === undefined ? null : { created_at: last.created_at, id: last.id } };
      }),

    ofLogs: (project_uid, logIds) =>
      guarded(async () => {
        const documents = await feedback
          .find({ project_uid, log_id: { $in: logIds } })
          .sort(OLDEST_FIRST)
          .toArray();
        return documents.map(fromDocument);
      }),

    orphanCount: () => guarded(() => feedback.countDocuments({ _pending: true }, { hint: 'pending' })),
    sweep: () => guarded(() => sweepWaitingSignals(collections)),
  };
}

function callOf({ project_uid, idempotencyKey, namedBy, log_id, signal }: SignalInput): KeyedCall {
  // A signal is JSON, because its schema has no other members.
  const body = { log_id: namedBy ?? log_id, signal: signal as unknown as JsonObject };
  return { project_uid, key: idempotencyKey, body };
}

/**
 * Throws where something prevents a signal from being added to its log: an unknown log, too many signals, or an improvement
 * that does not match the schema. Resolves with the trace of the log.
 */
export async function checkSignal(
  collections: Collections,
  clock: Clock,
  findMismatch: FindMismatch,
  input: SignalInput,
): Promise<TracedWrite['logs']> {
  const traced = await findTrace(collections, clock, input);
  await refuseMisfit(input, findMismatch);
  return traced;
}

/**
 * Throws `invalid_improvement` for an improvement that does not match the schema of its request. One for a log that has not
 * arrived is accepted; exports check it again.
 */
async function refuseMisfit(
  { log_id, project_uid, signal }: SignalInput,
  findMismatch: FindMismatch,
): Promise<void> {
  if (signal.improvement === null) return;
  const mismatch = await findMismatch(project_uid, log_id, signal.improvement.content);
  if (mismatch !== undefined) throw misfit(mismatch);
}

function misfit({ path, message }: Mismatch): SluiceError {
  const place = path === '' ? '' : `at ${path}: `;
  return new SluiceError(
    'invalid_improvement',
    `The improvement does not satisfy the JSON Schema of its request: ${place}${message}`,
    { param: 'improvement', details: [{ path, message }] },
  );
}

/** The trace of the log, where it exists. Throws `not_found` unless it may still arrive in this project. */
async function findTrace(
  collections: Collections,
  clock: Clock,
  input: SignalInput,
): Promise<TracedWrite['logs']> {
  const { logs } = collections;
  const { log_id, project_uid, maxSignals = Number.POSITIVE_INFINITY } = input;
  const projection = { trace_id: 1, _span_id: 1 } as const;
  const bytes = { $sum: '$_signals.bytes' };
  const log = await logs.findOne(
    { _id: log_id, project_uid },
    { projection: { ...projection, feedback_count: 1, _signal_bytes: bytes } },
  );
  if (log !== null) {
    const { feedback_count, _signal_bytes = 0 } = log as typeof log & { _signal_bytes?: number };
    if (feedback_count >= maxSignals) throw tooManySignals(`${maxSignals} feedback signals`);
    if (_signal_bytes >= MAX_SIGNAL_BYTES) throw tooManySignals(`${MAX_SIGNAL_BYTES} bytes of feedback`);
    return [log];
  }
  await checkWaiting(collections, input, maxSignals);
  // The log may arrive in this project between the two queries.
  const foreign = { _id: log_id, project_uid: { $ne: project_uid } };
  const elsewhere = async () => (await logs.findOne(foreign, { projection })) !== null;
  if (mayStillLand(log_id, clock) && !(await elsewhere())) return [];
  throw new SluiceError('not_found', `There is no log ${log_id} in this project.`);
}

/** Checks signals for a log that has not arrived. All of them are pending. */
async function checkWaiting(
  { feedback }: Collections,
  { log_id, project_uid }: SignalInput,
  maxSignals: number,
): Promise<void> {
  if (maxSignals === Number.POSITIVE_INFINITY) return;
  const waiting = await feedback.countDocuments({ project_uid, log_id }, { limit: maxSignals });
  if (waiting >= maxSignals) throw tooManySignals(`${maxSignals} feedback signals`);
}

function tooManySignals(what: string): SluiceError {
  return new SluiceError('too_many_signals', `This log has ${what} already, which is the limit.`);
}

async function insertOnce({ feedback }: Collections, document: FeedbackDocument): Promise<void> {
  try {
    await feedback.insertOne(document);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

export function toDocument(
  id: string,
  created_at: Date,
  { project_uid, log_id, signal }: Pick<SignalInput, 'project_uid' | 'log_id' | 'signal'>,
): FeedbackDocument {
  const document: FeedbackDocument = { _id: id, project_uid, log_id, created_at, ...signal };
  if (signal.metadata === null || measure(signal.metadata).faithful) return document;
  document.metadata = {};
  document._metadata_json = JSON.stringify(signal.metadata);
  return document;
}

function fromDocument(document: FeedbackDocument): RecordedSignal {
  const { _id, _pending, _metadata_json, ...signal } = document;
  const metadata =
    _metadata_json === undefined ? signal.metadata : (JSON.parse(_metadata_json) as JsonObject);
  return { id: _id, ...signal, metadata };
}

function behind({ created_at, id }: SignalPosition): object {
  return { $or: [{ created_at: { $gt: created_at } }, { created_at, _id: { $gt: id } }] };
}
