import type { Collections, LogDocument } from '../mongodb/collections.js';
import { inTransaction } from '../mongodb/transaction.js';
import { CountDeltas } from './count-deltas.js';
import { applyPending } from './pending-counts.js';
import { STAT_FIELDS } from './stat-values.js';
import { CHANGES_AT_ONCE, stepTowards, TAG_FIELDS } from './tag-deltas.js';

/*
 * Counting the tags or costs of a million logs takes seconds, so the counts are stored. Logs that are inserted
 * together leave their contribution in one document of `pending_counts`, in the same transaction; adding it to the
 * counts and deleting the document is one transaction too. A log that changes later, or was inserted alone, records
 * in `_counted_tags` and `_counted_stats` what the counts contain of it, in the same atomic write as the change;
 * counting it and removing these marks is one transaction. So the counts are exact once nothing is pending and no log
 * is marked, whichever process died in between. `_counted_tags` is present whenever `_counted_stats` is: one index
 * finds both.
 */

const BATCH = 500;

/** Counts what was not counted yet. Resolves with the number of logs. `signal` stops it early. */
export async function applyAll(collections: Collections, signal?: AbortSignal): Promise<number> {
  let total = 0;
  let more: boolean;
  do {
    const batch = await applyBatch(collections, {}, BATCH, signal);
    total += batch.counted;
    more = batch.more;
  } while (more && !signal?.aborted);
  return total;
}

export async function applyBatch(
  collections: Collections,
  which: { project_uid?: string },
  size: number,
  signal?: AbortSignal,
): Promise<{ counted: number; more: boolean }> {
  const { logs, client } = collections;
  while (!signal?.aborted && (await applyPending(collections)));
  // Usually there is nothing to do, which is found out without a transaction.
  const uncounted = { _counted_tags: { $exists: true }, ...which };
  if ((await logs.findOne(uncounted, { hint: 'uncounted', projection: { _id: 1 } })) === null) {
    return { counted: 0, more: false };
  }
  return inTransaction(client, async (session) => {
    const batch = await logs
      .find(uncounted, { hint: 'uncounted', session, projection: { ...TAG_FIELDS, ...STAT_FIELDS } })
      .limit(size)
      .toArray();
    const deltas = new CountDeltas();
    const whole: typeof batch = [];
    let room = CHANGES_AT_ONCE;
    for (const log of batch) {
      const step = stepTowards(log.tags, log._counted_tags ?? [], room);
      deltas.tags.add(log.project_uid, step.added, 1);
      deltas.tags.add(log.project_uid, step.removed, -1);
      deltas.stats.addTags(log, step);
      room -= step.added.length + step.removed.length;
      if (step.counted !== undefined) {
        const { _id, project_uid } = log;
        await logs.updateOne({ _id, project_uid }, { $set: { _counted_tags: step.counted } }, { session });
        break;
      }
      deltas.stats.add(log);
      whole.push(log);
    }
    await deltas.apply(collections, session);
    if (whole.length > 0) {
      await logs.bulkWrite(
        [...idsByProject(whole)].map(([project_uid, ids]) => ({
          updateMany: {
            filter: { project_uid, _id: { $in: ids } },
            update: { $unset: { _counted_tags: 1, _counted_stats: 1 } },
          },
        })),
        { session },
      );
    }
    return { counted: whole.length, more: batch.length === size || whole.length < batch.length };
  });
}

function idsByProject(logs: Pick<LogDocument, '_id' | 'project_uid'>[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { _id, project_uid } of logs) {
    const known = ids.get(project_uid);
    if (known) known.push(_id);
    else ids.set(project_uid, [_id]);
  }
  return ids;
}
