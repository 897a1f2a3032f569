import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { JsonObject } from '../../../core/json.js';
import type { QualityRating } from '../../../core/log-record.js';
import type { CheckImprovement } from '../../../logs/improvement.js';
import { toDocument } from '../../feedback/feedback.js';
import { withSignal } from '../../feedback/feedback-join.js';
import type {
  BulkPosition,
  Collections,
  FeedbackDocument,
  FeedbackSignal,
  LogDocument,
  Skipped,
} from '../../mongodb/collections.js';
import { readInTurns } from '../../mongodb/read-in-turns.js';
import { inTransaction } from '../../mongodb/transaction.js';
import { unpackMetadata } from '../inserts/log-document.js';
import { ASKED_OF_LOG, readAllWhole } from '../read-whole.js';
import { listNewest } from '../search/bounded-list.js';
import { findLead } from '../search/find-lead.js';
import type { LogFilter } from '../search/log-filter.js';
import type { ListReach } from '../search/stretches.js';
import type { BulkProgress } from './bulk-limits.js';
import { addSkipped, type BulkLimits, fieldsOverLimit, takesSignal } from './bulk-limits.js';
import { MOST_KEPT_AT_ONCE, undoBatch, undoOf } from './bulk-undo.js';
import { type Changeable, FIELDS, type LogChange, updateOf } from './bulk-writes.js';

/** A change of many logs. Tags are removed before others are added; metadata keys are top-level ones. */
export interface BulkChange {
  add_tags?: string[];
  remove_tags?: string[];
  set_metadata?: JsonObject;
  unset_metadata?: string[];
  quality_rating?: QualityRating | null;
  /** A signal that each of the logs gets. */
  feedback?: FeedbackSignal;
}

/**
 * Which logs to change: those with these ids that are in the project; all that match a filter; or those of a change to undo.
 */
export type BulkTarget = { ids: string[] } | { filter: LogFilter } | { undo: string };

export interface BulkRequest extends BulkLimits {
  target: BulkTarget;
  change: BulkChange;
  /** The id under which the previous state of the logs is kept, so that the change can be undone. */
  keepAs?: string;
}

export const BULK_START: BulkProgress = { matched: 0, changed: 0, skipped: {}, position: null, done: false };

const MOST_AT_ONCE = 200;
/** The approximate size of a transaction's writes: MongoDB refuses one that does not fit into its cache. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** The cost of a tag or key in addition to its text, because it is an index entry. */
const ENTRY_BYTES = 100;

/**
 * Changes the next batch in one transaction together with what `record` writes. A filter is walked newest first: logs
 * that arrive meanwhile are left alone, and each log is examined once, whatever the change does to the filtered
 * fields.
 */
export function changeBatch(
  collections: Collections,
  projectUid: string,
  request: BulkRequest,
  progress: BulkProgress,
  { record, checkImprovement, reach }: BatchHooks,
): Promise<BulkProgress> {
  const { target, change, keepAs } = request;
  return inTransaction(collections.client, async (session) => {
    if ('undo' in target) return undoBatch(collections, projectUid, target.undo, progress, record, session);
    const size = Math.min(batchSize(change), keepAs === undefined ? MOST_AT_ONCE : MOST_KEPT_AT_ONCE);
    const read = 'ids' in target ? readIds(target.ids, size) : readFilter(target.filter, size, reach);
    const batch = await read(collections, projectUid, progress.position, session);
    const misfits = await findMisfits(collections, projectUid, batch.logs, change, checkImprovement);
    const planned = batch.logs.map((log) => planFor(projectUid, log, request, misfits));
    const changes = planned.filter(({ update, signal }) => update !== undefined || signal !== undefined);
    const writes = changes.flatMap(({ log, update, signal }) => [
      ...(update === undefined ? [] : [updateOf(projectUid, log, update)]),
      ...(signal === undefined ? [] : [joinOf(signal)]),
    ]);
    if (writes.length > 0) await collections.logs.bulkWrite(writes, { session });
    const signals = changes.flatMap(({ signal }) => signal ?? []);
    if (signals.length > 0) await collections.feedback.insertMany(signals, { session });
    if (keepAs !== undefined && changes.length > 0) {
      const kept = changes.map(({ log, update = {}, signal }) =>
        undoOf(projectUid, keepAs, log, update, signal?._id),
      );
      await collections.undo.insertMany(kept, { session });
    }
    const next: BulkProgress = {
      matched: progress.matched + batch.logs.length,
      changed: progress.changed + changes.length,
      skipped: addSkipped(
        progress.skipped,
        planned.flatMap(({ skipped }) => skipped),
      ),
      position: batch.position,
      done: batch.done,
    };
    await record(next, session);
    return next;
  });
}

/** What the caller of a batch must provide. */
export interface BatchHooks {
  /** Writes something in the transaction of the batch. */
  record(progress: BulkProgress, session: ClientSession): Promise<void>;
  checkImprovement: CheckImprovement;
  /** How many logs the query of a batch examines. A batch may find none although the change is not complete. */
  reach: ListReach;
}

/** The ids of those logs whose request has a schema that the improvement does not match. */
async function findMisfits(
  collections: Collections,
  project_uid: string,
  logs: readonly Changeable[],
  { feedback }: BulkChange,
  checkImprovement: CheckImprovement,
): Promise<ReadonlySet<string>> {
  const misfits = new Set<string>();
  if (!feedback?.improvement) return misfits;
  const query = { project_uid, _id: { $in: logs.map(({ _id }) => _id) } };
  const documents = collections.logs.find(query, { projection: { ...ASKED_OF_LOG, plugin_runs: 1 } });
  for await (const [, log] of readAllWhole(collections, documents)) {
    if ((await checkImprovement(log, feedback.improvement.content)) !== undefined) misfits.add(log._id);
  }
  return misfits;
}

/** The effect of a change on one log, without the parts that would exceed a limit. */
interface Plan {
  log: Changeable;
  update: LogChange | undefined;
  signal: FeedbackDocument | undefined;
  skipped: (keyof Skipped)[];
}

function planFor(
  projectUid: string,
  log: Changeable,
  request: BulkRequest,
  misfits: ReadonlySet<string>,
): Plan {
  const { change } = request;
  const wanted = changeOf(log, change);
  const over = fieldsOverLimit(log, wanted, request);
  const update = Object.fromEntries(
    Object.entries(wanted).filter(([name]) => !over.some((field) => field === name)),
  ) as LogChange;
  const isFull = change.feedback !== undefined && !takesSignal(log, request);
  const isMisfit = !isFull && misfits.has(log._id);
  return {
    log,
    update: Object.keys(update).length > 0 ? update : undefined,
    signal: isFull || isMisfit ? undefined : signalFor(projectUid, log._id, change),
    skipped: [
      ...over,
      ...(isFull ? (['feedback'] as const) : []),
      ...(isMisfit ? (['improvement'] as const) : []),
    ],
  };
}

function signalFor(
  project_uid: string,
  log_id: string,
  { feedback }: BulkChange,
): FeedbackDocument | undefined {
  if (feedback === undefined) return undefined;
  return toDocument(randomUUID(), new Date(), { project_uid, log_id, signal: feedback });
}

function joinOf(signal: FeedbackDocument): AnyBulkWriteOperation<LogDocument> {
  const { project_uid, log_id } = signal;
  return { updateOne: { filter: { project_uid, _id: log_id }, update: withSignal(signal) } };
}

/** The number of logs in a batch. It is smaller where more is written to each log. */
export function batchSize(change: BulkChange): number {
  const { add_tags = [], remove_tags = [], set_metadata = {}, unset_metadata = [] } = change;
  const keys = Object.keys(set_metadata).length + unset_metadata.length;
  const entries = add_tags.length + remove_tags.length + keys;
  const bytes = JSON.stringify(change).length + entries * ENTRY_BYTES;
  return Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(BATCH_BYTES / bytes)));
}

type ReadBatch = (
  collections: Collections,
  projectUid: string,
  position: BulkPosition | null,
  session: ClientSession,
) => Promise<{ logs: Changeable[]; position: BulkPosition | null; done: boolean }>;

function readIds(ids: string[], size: number): ReadBatch {
  return async ({ logs }, project_uid, position, session) => {
    const start = position !== null && 'offset' in position ? position.offset : 0;
    const end = start + size;
    const query = { project_uid, _id: { $in: ids.slice(start, end) } };
    const found = await readInTurns(logs.find(query, { session, projection: FIELDS }));
    return { logs: found, position: { offset: end }, done: end >= ids.length };
  };
}

function readFilter(filter: LogFilter, size: number, reach: ListReach): ReadBatch {
  return async (collections, projectUid, position, session) => {
    const lead = await findLead(collections, projectUid, filter, reach);
    const { documents, next } = await listNewest(collections, lead, {
      limit: size,
      projection: FIELDS,
      reach,
      session,
      ...(position !== null && 'id' in position ? { after: position } : {}),
    });
    return { logs: documents, position: next ?? position, done: next === null };
  };
}

/** The fields of a log that differ after the change. */
function changeOf(log: Changeable, change: BulkChange): LogChange {
  const result: LogChange = {};
  const tags = changedTags(log.tags, change);
  if (tags.length !== log.tags.length || tags.some((tag, index) => tag !== log.tags[index]))
    result.tags = tags;
  const before = unpackMetadata(log);
  const metadata = changedMetadata(before, change);
  if (JSON.stringify(metadata) !== JSON.stringify(before)) result.metadata = metadata;
  const rating = change.quality_rating;
  if (rating !== undefined && rating !== log.quality_rating) result.quality_rating = rating;
  return result;
}

function changedTags(tags: string[], { add_tags = [], remove_tags = [] }: BulkChange): string[] {
  const removed = new Set(remove_tags);
  return [...new Set([...tags.filter((tag) => !removed.has(tag)), ...add_tags])];
}

/** Maps and not assignments, because a key may be `__proto__`. */
function changedMetadata(
  metadata: JsonObject,
  { set_metadata, unset_metadata = [] }: BulkChange,
): JsonObject {
  const members = new Map(Object.entries(metadata));
  for (const key of unset_metadata) members.delete(key);
  for (const [key, value] of Object.entries(set_metadata ?? {})) members.set(key, value);
  return Object.fromEntries(members);
}
