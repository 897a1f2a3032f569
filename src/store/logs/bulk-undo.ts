import type { ClientSession } from 'mongodb';
import type { Collections, UndoDocument } from '../mongodb/collections.js';
import type { BulkProgress } from './bulk.js';
import { type Changeable, FIELDS, fieldOf, type LogChange, updateOf } from './bulk-writes.js';

/** Few, since the logs' own metadata is read and written with them. */
export const MOST_KEPT_AT_ONCE = 100;

/** What a change does to a log, for taking it back. */
export function undoOf(
  project_uid: string,
  change_id: string,
  log: Changeable,
  update: LogChange,
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
    created_at: new Date(),
  };
}

/**
 * Takes the next part of a change back. A field that somebody changed since stays as it is. What was kept goes
 * with it, so that the next call finds the rest.
 */
export async function undoBatch(
  collections: Collections,
  project_uid: string,
  change_id: string,
  progress: BulkProgress,
  record: (progress: BulkProgress, session: ClientSession) => Promise<void>,
  session: ClientSession,
): Promise<BulkProgress> {
  const { logs, undo } = collections;
  const kept = await undo
    .find({ project_uid, change_id }, { session })
    .sort({ _id: 1 })
    .limit(MOST_KEPT_AT_ONCE)
    .toArray();
  const ids = kept.map(({ log_id }) => log_id);
  const query = { project_uid, _id: { $in: ids } };
  const found = await logs.find(query, { session, projection: FIELDS }).toArray();
  const byId = new Map(found.map((log) => [log._id, log]));
  const writes = kept.flatMap(({ log_id, before, after }) => {
    const log = byId.get(log_id);
    const update = log && restored(log, JSON.parse(before), JSON.parse(after));
    return log && update ? [updateOf(project_uid, log, update)] : [];
  });
  if (writes.length > 0) await logs.bulkWrite(writes, { session });
  if (kept.length > 0) await undo.deleteMany({ _id: { $in: kept.map(({ _id }) => _id) } }, { session });
  const next: BulkProgress = {
    matched: progress.matched + found.length,
    changed: progress.changed + writes.length,
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
