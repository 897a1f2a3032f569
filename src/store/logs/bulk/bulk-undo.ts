import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import { withoutSignal } from '../../feedback/feedback-join.js';
import type { Collections, LogDocument, UndoDocument } from '../../mongodb/collections.js';
import type { BulkProgress } from './bulk-limits.js';
import { type Changeable, FIELDS, fieldOf, type LogChange, updateOf } from './bulk-writes.js';

/** The most logs in one step. There are few, because each log's metadata is read and written too. */
export const MOST_KEPT_AT_ONCE = 100;

/** What a change did to a log, for undoing it. */
export function undoOf(
  project_uid: string,
  change_id: string,
  log: Changeable,
  update: LogChange,
  feedback_id: string | undefined,
): UndoDocument {
  const names = Object.keys(update) as (keyof LogChange)[];
  const before = Object.fromEntries(names.map((name) => [name, fieldOf(log, name)]));
  return {
    _id: `${change_id}/${log._id}`,
    project_uid,
    change_id,
    log_id: log._id,
    before: JSON.stringify(before),
    after: JSON.stringify(update),
    ...(feedback_id === undefined ? {} : { feedback_id }),
    created_at: new Date(),
  };
}

/**
 * Undoes the next part of a change. A field that somebody changed since is left alone. The kept state is deleted with
 * it, so that the next call finds the rest.
 */
export async function undoBatch(
  collections: Collections,
  project_uid: string,
  change_id: string,
  progress: BulkProgress,
  record: (progress: BulkProgress, session: ClientSession) => Promise<void>,
  session: ClientSession,
): Promise<BulkProgress> {
  const { logs, undo, feedback } = collections;
  const kept = await undo
    .find({ project_uid, change_id }, { session })
    .sort({ _id: 1 })
    .limit(MOST_KEPT_AT_ONCE)
    .toArray();
  const ids = kept.map(({ log_id }) => log_id);
  const query = { project_uid, _id: { $in: ids } };
  const found = await logs.find(query, { session, projection: FIELDS }).toArray();
  const byId = new Map(found.map((log) => [log._id, log]));
  const given = kept.flatMap(({ log_id, feedback_id: _id }) => (_id ? [{ project_uid, log_id, _id }] : []));
  const there = given.length === 0 ? [] : await feedback.find({ $or: given }, { session }).toArray();
  const signals = new Map(there.map(({ log_id, _id }) => [log_id, _id]));
  let changed = 0;
  const writes: AnyBulkWriteOperation<LogDocument>[] = kept.flatMap(({ log_id, before, after }) => {
    const log = byId.get(log_id);
    if (log === undefined) return [];
    const update = restored(log, JSON.parse(before), JSON.parse(after));
    const signal = signals.get(log_id);
    const filter = { project_uid, _id: log_id };
    if (update !== undefined || signal !== undefined) changed++;
    return [
      ...(update ? [updateOf(project_uid, log, update)] : []),
      ...(signal ? [{ updateOne: { filter, update: withoutSignal(signal) } }] : []),
    ];
  });
  if (writes.length > 0) await logs.bulkWrite(writes, { session });
  for (const signal of there) {
    const { _id, log_id } = signal;
    await feedback.deleteOne({ project_uid, log_id, _id }, { session });
  }
  const done = kept.map(({ _id }) => _id);
  if (done.length > 0) await undo.deleteMany({ project_uid, change_id, _id: { $in: done } }, { session });
  const next: BulkProgress = {
    matched: progress.matched + found.length,
    changed: progress.changed + changed,
    skipped: progress.skipped,
    position: null,
    done: kept.length < MOST_KEPT_AT_ONCE,
  };
  await record(next, session);
  return next;
}

function restored(log: Changeable, before: LogChange, after: LogChange): LogChange | undefined {
  const names = (Object.keys(before) as (keyof LogChange)[]).filter(
    (name) => JSON.stringify(fieldOf(log, name)) === JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}
