import type { Collections, LogDocument } from '../../mongodb/collections.js';
import { inTransaction } from '../../mongodb/transaction.js';
import { STAT_FIELDS, StatDeltas } from './stat-deltas.js';
import { CHANGES_AT_ONCE, stepTowards, TAG_FIELDS, TagDeltas } from './tag-deltas.js';

/*
 * Counting the tags of a million logs, or what they cost, takes seconds, so the counts are kept. Logs that land
 * together leave what they add to them in one document of `count_changes`, in the transaction that inserts them;
 * adding it to the counts and deleting the document is one transaction too. A log that changes later, or that landed
 * alone, says in `_counted_tags` and `_counted_stats` what the counts hold of it, set by the same atomic write that
 * changes what is counted; counting it and taking the marks away is one transaction. So the counts are exact as soon
 * as no change waits and no log is marked, whoever died in between. `_counted_tags` is there whenever `_counted_stats`
 * is: one index finds both.
 */

const BATCH = 500;

/** Counts what was not counted yet; resolves with the number of logs. */
export async function applyAll(collections: Collections): Promise<number> {
  let total = 0;
  let more: boolean;
  do {
    const batch = await applyBatch(collections, {}, BATCH);
    total += batch.counted;
    more = batch.more;
  } while (more);
  return total;
}

/** Adds changes that wait to the counts, the oldest first. False where there were none. */
async function applyChanges(collections: Collections): Promise<boolean> {
  const { countChanges, client } = collections;
  if ((await countChanges.findOne({}, { projection: { _id: 1 } })) === null) return false;
  return inTransaction(client, async (session) => {
    const [tagDeltas, statDeltas] = [new TagDeltas(), new StatDeltas()];
    const ids: string[] = [];
    let room = CHANGES_AT_ONCE;
    for await (const { _id, tags, stats } of countChanges.find({}, { session }).sort({ _id: 1 })) {
      room -= tags.length + stats.length;
      if (ids.length > 0 && room < 0) break;
      for (const { project_uid, tag, count } of tags) tagDeltas.add(project_uid, [tag], count);
      statDeltas.addList(stats);
      ids.push(_id);
    }
    await tagDeltas.apply(collections, session);
    await statDeltas.apply(collections, session);
    // Where another process took one of them first, this conflicts with it, and is run again without.
    await countChanges.deleteMany({ _id: { $in: ids } }, { session });
    return ids.length > 0;
  });
}

export async function applyBatch(
  collections: Collections,
  which: { project_uid?: string },
  size: number,
): Promise<{ counted: number; more: boolean }> {
  const { logs, client } = collections;
  while (await applyChanges(collections));
  // Most of the time there is nothing to do: that is seen without a transaction.
  const uncounted = { ...which, _counted_tags: { $exists: true } };
  if ((await logs.findOne(uncounted, { hint: 'uncounted', projection: { _id: 1 } })) === null) {
    return { counted: 0, more: false };
  }
  return inTransaction(client, async (session) => {
    const batch = await logs
      .find(uncounted, { hint: 'uncounted', session, projection: { ...TAG_FIELDS, ...STAT_FIELDS } })
      .limit(size)
      .toArray();
    const tagDeltas = new TagDeltas();
    const statDeltas = new StatDeltas();
    const whole: typeof batch = [];
    let room = CHANGES_AT_ONCE;
    for (const log of batch) {
      const step = stepTowards(log.tags, log._counted_tags ?? [], room);
      tagDeltas.add(log.project_uid, step.added, 1);
      tagDeltas.add(log.project_uid, step.removed, -1);
      statDeltas.addTags(log, step);
      room -= step.added.length + step.removed.length;
      if (step.counted !== undefined) {
        const { _id, project_uid } = log;
        await logs.updateOne({ _id, project_uid }, { $set: { _counted_tags: step.counted } }, { session });
        break;
      }
      statDeltas.add(log);
      whole.push(log);
    }
    await tagDeltas.apply(collections, session);
    await statDeltas.apply(collections, session);
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
