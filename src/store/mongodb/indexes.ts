import { type Collection, type Document, type IndexDescription, MongoServerError } from 'mongodb';
import type { Collections } from './collections.js';

/**
 * The order of indexes that contain every log. Lists are newest first and read such an index backwards. A new entry at the
 * end of an index costs MongoDB less than one at its beginning.
 */
const OLDEST_FIRST = { created_at: 1, _id: 1 } as const;
const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;

/**
 * One index for each filter of the log list, in order of time, so that a page is read from it and nothing is
 * sorted. Indexes over fields that few logs have are partial: logs without the field cost nothing.
 */
export const LOG_INDEXES: IndexDescription[] = [
  // The index in order of time, with the fields by which lists measure logs: slow and expensive ones are found among the
  // newest without reading the logs themselves. One wide entry costs far less to write than an index for each of these
  // fields.
  {
    name: 'by_time',
    key: {
      project_uid: 1,
      ...OLDEST_FIRST,
      'timing.total_ms': 1,
      'timing.time_to_first_token_ms': 1,
      cost: 1,
      _tokens: 1,
      api: 1,
      stream: 1,
    },
  },
  {
    name: 'by_caller',
    key: { project_uid: 1, caller: 1, ...OLDEST_FIRST },
    partialFilterExpression: { caller: { $exists: true } },
  },
  {
    name: 'findings',
    key: { project_uid: 1, _findings: 1, ...NEWEST_FIRST },
    partialFilterExpression: { _findings: { $exists: true } },
  },
  { name: 'shard', key: { project_uid: 1, _id: 1 } },
  { name: 'by_tag', key: { project_uid: 1, tags: 1, ...OLDEST_FIRST } },
  {
    name: 'by_metadata_term',
    key: { project_uid: 1, _metadata_terms: 1, ...OLDEST_FIRST },
    partialFilterExpression: { _metadata_terms: { $exists: true } },
  },
  {
    name: 'by_word',
    key: { project_uid: 1, _words: 1, ...OLDEST_FIRST },
    partialFilterExpression: { _words: { $exists: true } },
  },
  { name: 'by_model', key: { project_uid: 1, model: 1, ...OLDEST_FIRST } },
  {
    name: 'by_last_model',
    key: { project_uid: 1, _last_model: 1, ...OLDEST_FIRST },
    partialFilterExpression: { _last_model: { $exists: true } },
  },
  { name: 'by_endpoint', key: { project_uid: 1, endpoint: 1, ...OLDEST_FIRST } },
  { name: 'by_status', key: { project_uid: 1, status: 1, ...OLDEST_FIRST } },
  {
    name: 'quality_rating',
    key: { project_uid: 1, quality_rating: 1, ...NEWEST_FIRST },
    partialFilterExpression: { quality_rating: { $gt: '' } },
  },
  {
    name: 'client_request_id',
    key: { project_uid: 1, client_request_id: 1, ...NEWEST_FIRST },
    partialFilterExpression: { client_request_id: { $gt: '' } },
  },
  {
    name: 'error_code',
    key: { project_uid: 1, 'error.code': 1, ...NEWEST_FIRST },
    partialFilterExpression: { 'error.code': { $gt: '' } },
  },
  {
    name: 'fallback_reason',
    key: { project_uid: 1, _fallbacks: 1, ...NEWEST_FIRST },
    partialFilterExpression: { _fallbacks: { $exists: true } },
  },
  {
    name: 'rejected_by',
    key: { project_uid: 1, _rejected_by: 1, ...NEWEST_FIRST },
    partialFilterExpression: { _rejected_by: { $exists: true } },
  },
  // Whichever is shorter answers a range of scores: the scores in the range, which are sorted before any log is read because
  // the key contains all that is needed, or the rated logs in order of time.
  {
    name: 'rated',
    key: { project_uid: 1, ...NEWEST_FIRST, score: 1, feedback_count: 1 },
    partialFilterExpression: { feedback_count: { $gt: 0 } },
  },
  {
    name: 'score',
    key: { project_uid: 1, score: 1, ...NEWEST_FIRST, feedback_count: 1 },
    partialFilterExpression: { feedback_count: { $gt: 0 } },
  },
  // Answers to one prompt are compared where somebody judged them, by feedback or by a thumb.
  {
    name: 'prompt_scored',
    key: { project_uid: 1, _prompt: 1 },
    partialFilterExpression: { feedback_count: { $gt: 0 } },
  },
  {
    name: 'prompt_rated',
    key: { project_uid: 1, _prompt: 1 },
    partialFilterExpression: { quality_rating: { $gt: '' } },
  },
  // Shows where the logs are that a person has judged in a named queue.
  {
    name: 'judged',
    key: { project_uid: 1, _judged: 1, ...NEWEST_FIRST },
    partialFilterExpression: { _judged: { $exists: true } },
  },
  {
    name: 'log_phase',
    key: { _log_phase_due: 1, created_at: 1 },
    partialFilterExpression: { _log_phase_due: true },
  },
  {
    name: 'counted_by',
    key: { _engine: 1, created_at: 1 },
    partialFilterExpression: { _engine: { $exists: true } },
  },
  {
    name: 'uncounted',
    key: { project_uid: 1, _id: -1 },
    partialFilterExpression: { _counted_tags: { $exists: true } },
  },
];

/** Indexes of earlier versions. They are dropped when their replacements exist. */
const FORMER_LOG_INDEXES = [
  ...['metadata', 'prompt', 'time'],
  // These were in order of time with the newest first.
  ...['measures', 'caller', 'tags', 'metadata_terms', 'words', 'model', 'endpoint', 'status'],
];

const DAY_SECONDS = 86_400;

const FEEDBACK_INDEXES: IndexDescription[] = [
  { name: 'log', key: { project_uid: 1, log_id: 1, created_at: 1, _id: 1 } },
  {
    name: 'pending',
    key: { project_uid: 1, log_id: 1, created_at: 1 },
    partialFilterExpression: { _pending: true },
  },
];

/**
 * Creates missing indexes, and recreates those that an earlier version defined differently. Building an index on a
 * large collection does not block writes.
 */
export async function ensureIndexes(collections: Collections): Promise<void> {
  const { logs, bodies, fragments, feedback, idempotency, tags, projects, keys, endpoints, audit, jobs } =
    collections;
  const { sessions, leases, undo, stats, shares, judgements } = collections;
  await Promise.all([
    makeIndexes(logs, LOG_INDEXES).then(() => dropIndexes(logs, FORMER_LOG_INDEXES)),
    makeIndexes(bodies, [
      { name: 'log', key: { project_uid: 1, log_id: 1 } },
      { name: 'shard', key: { project_uid: 1, _id: 1 } },
    ]),
    makeIndexes(fragments, [{ name: 'used', key: { project_uid: 1, used_at: 1 } }]),
    makeIndexes(feedback, FEEDBACK_INDEXES),
    makeIndexes(idempotency, [
      { name: 'expiry', key: { created_at: 1 }, expireAfterSeconds: 7 * DAY_SECONDS },
    ]),
    makeIndexes(tags, [
      { name: 'count', key: { project_uid: 1, count: -1, tag: 1 } },
      { name: 'tag', key: { project_uid: 1, tag: 1, count: -1 } },
    ]),
    makeIndexes(stats, [
      { name: 'series', key: { project_uid: 1, bucket: 1, by: 1, at: 1, key: 1 } },
      { name: 'shard', key: { project_uid: 1, at: 1 } },
      {
        name: 'minutes',
        key: { at: 1 },
        partialFilterExpression: { bucket: 'minute' },
        expireAfterSeconds: 2 * DAY_SECONDS,
      },
    ]),
    makeIndexes(projects, [{ name: 'name', key: { name: 1 }, unique: true }]),
    makeIndexes(keys, [{ name: 'name', key: { project_uid: 1, name: 1 }, unique: true }]),
    makeIndexes(endpoints, [{ name: 'name', key: { project_uid: 1, name: 1 }, unique: true }]),
    makeIndexes(audit, [
      { name: 'time', key: { at: -1, _id: -1 } },
      { name: 'project', key: { project_uid: 1, at: -1, _id: -1 } },
    ]),
    makeIndexes(sessions, [
      { name: 'key', key: { key_hash: 1, created_at: -1 } },
      { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
    ]),
    makeIndexes(undo, [
      { name: 'change', key: { project_uid: 1, change_id: 1, _id: 1 } },
      { name: 'expiry', key: { created_at: 1 }, expireAfterSeconds: 7 * DAY_SECONDS },
    ]),
    makeIndexes(leases, [
      { name: 'project', key: { project_uid: 1, leased_until: 1 } },
      { name: 'expiry', key: { leased_until: 1 }, expireAfterSeconds: 0 },
    ]),
    makeIndexes(judgements, [
      { name: 'subject', key: { project_uid: 1, annotator: 1, subject: 1 }, unique: true },
      { name: 'time', key: { project_uid: 1, ...NEWEST_FIRST } },
      { name: 'queue', key: { project_uid: 1, queue: 1, ...NEWEST_FIRST } },
      { name: 'log', key: { project_uid: 1, 'signals.log_id': 1 } },
    ]),
    makeIndexes(shares, [{ name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 }]),
    makeIndexes(jobs, [
      { name: 'open', key: { state: 1, lease_until: 1, created_at: 1 } },
      { name: 'expiry', key: { updated_at: 1 }, expireAfterSeconds: 30 * DAY_SECONDS },
    ]),
  ]);
}

/** Error codes for an index with this name, or with these keys, that exists with another definition. */
const CONFLICT_CODES = new Set([85, 86]);
const INDEX_NOT_FOUND = 27;

/**
 * Builds all indexes together, because each build reads the whole collection. They are built one by one only where they
 * conflict.
 */
async function makeIndexes<Schema extends Document>(
  collection: Collection<Schema>,
  indexes: IndexDescription[],
): Promise<void> {
  try {
    await collection.createIndexes(indexes);
  } catch (error) {
    if (!(error instanceof MongoServerError && CONFLICT_CODES.has(error.code as number))) throw error;
    if (indexes.length > 1) {
      for (const index of indexes) await makeIndexes(collection, [index]);
    } else {
      await collection.dropIndex(indexes[0]?.name as string);
      await collection.createIndexes(indexes);
    }
  }
}

async function dropIndexes<Schema extends Document>(
  collection: Collection<Schema>,
  names: readonly string[],
): Promise<void> {
  const there = await collection.indexes();
  for (const { name } of there) {
    if (name === undefined || !names.includes(name)) continue;
    await collection.dropIndex(name).catch((error: unknown) => {
      // Another process has already dropped it.
      if (!(error instanceof MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
    });
  }
}
