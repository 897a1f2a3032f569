import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { Collections, LogDocument, TagCountDocument } from './collections.js';
import { inTransaction } from './transaction.js';

/*
 * Counting the tags of a million logs takes seconds, so the counts are kept. A log whose tags are not in them
 * yet says so in `_counted_tags`, set by the same atomic write that sets the tags; counting it and taking the
 * mark away is one transaction. So the counts are exact as soon as no log is marked, whoever died in between.
 */

export interface TagCount {
  tag: string;
  count: number;
}

/** Where a list of tags goes on: behind this one. */
export type TagPosition = TagCount;

export interface TagStore {
  /** The most frequent first. After very many changes it can be behind for a while. */
  list(
    projectUid: string,
    page: { prefix?: string; limit: number; after?: TagPosition },
  ): Promise<{ tags: TagCount[]; next: TagPosition | null }>;
  /** Counts what was not counted yet; resolves with the number of logs. */
  settle(): Promise<number>;
}

const BATCH = 500;
/** What a list counts before it answers: enough to show what its caller just did. The rest is counted behind it. */
const BATCH_BEFORE_LIST = 100;
const HIGHEST_CHARACTER = '\u{10ffff}';

export function createTagStore(collections: Collections): TagStore {
  const { tags, guarded } = collections;
  return {
    list: (project_uid, { prefix, limit, after }) =>
      guarded(async () => {
        await settleBatch(collections, { project_uid }, BATCH_BEFORE_LIST);
        const conditions: object[] = [{ project_uid, count: { $gt: 0 } }];
        if (prefix) conditions.push({ tag: { $gte: prefix, $lt: prefix + HIGHEST_CHARACTER } });
        if (after) conditions.push(behind(after));
        const found = await tags
          .find({ $and: conditions }, { projection: { _id: 0, tag: 1, count: 1 } })
          .sort({ count: -1, tag: 1 })
          .limit(limit + 1)
          .toArray();
        const shown = found.slice(0, limit).map(({ tag, count }) => ({ tag, count }));
        return { tags: shown, next: found.length > limit ? (shown.at(-1) ?? null) : null };
      }),
    settle: () => guarded(() => settleAll(collections)),
  };
}

function behind({ tag, count }: TagPosition): object {
  return { $or: [{ count: { $lt: count } }, { count, tag: { $gt: tag } }] };
}

async function settleAll(collections: Collections): Promise<number> {
  let total = 0;
  let counted: number;
  do {
    counted = await settleBatch(collections, {}, BATCH);
    total += counted;
  } while (counted === BATCH);
  return total;
}

async function settleBatch(
  collections: Collections,
  which: { project_uid?: string },
  size: number,
): Promise<number> {
  const { logs, client } = collections;
  // Most of the time there is nothing to do: that is seen without a transaction.
  const uncounted = { ...which, _counted_tags: { $exists: true } };
  if ((await logs.findOne(uncounted, { hint: 'uncounted', projection: { _id: 1 } })) === null) return 0;
  return inTransaction(client, async (session) => {
    const batch = await logs
      .find(uncounted, { hint: 'uncounted', session, projection: TAG_FIELDS })
      .limit(size)
      .toArray();
    if (batch.length === 0) return 0;
    const deltas = new TagDeltas();
    for (const log of batch) {
      deltas.add(log.project_uid, log.tags, 1);
      deltas.add(log.project_uid, log._counted_tags ?? [], -1);
    }
    await deltas.apply(collections, session);
    await logs.bulkWrite(
      [...idsByProject(batch)].map(([project_uid, ids]) => ({
        updateMany: { filter: { project_uid, _id: { $in: ids } }, update: { $unset: { _counted_tags: 1 } } },
      })),
      { session },
    );
    return batch.length;
  });
}

/** What must be read of a log to know what the counts hold of it. */
export const TAG_FIELDS = { project_uid: 1, tags: 1, _counted_tags: 1 } as const;

function idsByProject(logs: Pick<LogDocument, '_id' | 'project_uid'>[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { _id, project_uid } of logs) {
    const known = ids.get(project_uid);
    if (known) known.push(_id);
    else ids.set(project_uid, [_id]);
  }
  return ids;
}

/** Changes of counts, summed up and then written in one go. */
export class TagDeltas {
  readonly #projects = new Map<string, Map<string, number>>();

  add(projectUid: string, tags: readonly string[], change: number): void {
    let deltas = this.#projects.get(projectUid);
    if (!deltas) {
      deltas = new Map();
      this.#projects.set(projectUid, deltas);
    }
    for (const tag of tags) deltas.set(tag, (deltas.get(tag) ?? 0) + change);
  }

  async apply({ tags }: Collections, session: ClientSession): Promise<void> {
    const writes: AnyBulkWriteOperation<TagCountDocument>[] = [];
    for (const [project_uid, deltas] of this.#projects) {
      for (const [tag, change] of deltas) {
        if (change === 0) continue;
        const filter = { _id: { project_uid, tag }, project_uid, tag };
        writes.push({ updateOne: { filter, update: { $inc: { count: change } }, upsert: true } });
        // Tags that no log has any more do not stay.
        if (change < 0) writes.push({ deleteOne: { filter: { ...filter, count: { $lte: 0 } } } });
      }
    }
    if (writes.length > 0) await tags.bulkWrite(writes, { session });
  }
}
