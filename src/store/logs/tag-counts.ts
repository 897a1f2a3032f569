import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type {
  Collections,
  LogDocument,
  TagChangesDocument,
  TagCountDocument,
} from '../mongodb/collections.js';
import { inTransaction } from '../mongodb/transaction.js';

/*
 * Counting the tags of a million logs takes seconds, so the counts are kept. Logs that land together leave the sums
 * of their tags in one document of `tag_changes`, in the transaction that inserts them; adding the sums to the
 * counts and deleting the document is one transaction too. A log whose tags change later, or that landed alone,
 * says so in `_counted_tags`, set by the same atomic write that sets the tags; counting it and taking the mark away
 * is one transaction. So the counts are exact as soon as no change waits and no log is marked, whoever died in
 * between. A log with very many tags is counted in steps, and marked with what the counts hold so far.
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
const CHANGES_BEFORE_LIST = 10_000;
/** MongoDB refuses a transaction that does not fit into its cache. */
export const CHANGES_AT_ONCE = 2000;
const HIGHEST_CHARACTER = '\u{10ffff}';

export function createTagStore(collections: Collections): TagStore {
  const { tags, guarded } = collections;
  return {
    list: (project_uid, { prefix, limit, after }) =>
      guarded(async () => {
        await settleChanges(collections, CHANGES_BEFORE_LIST);
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
  let total = await settleChanges(collections, Number.POSITIVE_INFINITY);
  let more: boolean;
  do {
    const batch = await settleBatch(collections, {}, BATCH);
    total += batch.counted;
    more = batch.more;
  } while (more);
  return total;
}

/** Adds what waits to the counts, the oldest first, until about `most` changes are added. Resolves with their number. */
async function settleChanges(collections: Collections, most: number): Promise<number> {
  let total = 0;
  while (total < most) {
    const changed = await settleSomeChanges(collections);
    if (changed === 0) break;
    total += changed;
  }
  return total;
}

async function settleSomeChanges(collections: Collections): Promise<number> {
  const { tagChanges, client } = collections;
  if ((await tagChanges.findOne({}, { projection: { _id: 1 } })) === null) return 0;
  return inTransaction(client, async (session) => {
    const deltas = new TagDeltas();
    const ids: string[] = [];
    let changed = 0;
    for await (const { _id, changes } of tagChanges.find({}, { session }).sort({ _id: 1 })) {
      if (ids.length > 0 && changed + changes.length > CHANGES_AT_ONCE) break;
      for (const { project_uid, tag, count } of changes) deltas.add(project_uid, [tag], count);
      changed += changes.length;
      ids.push(_id);
    }
    await deltas.apply(collections, session);
    // Where another process took one of them first, this conflicts with it, and is run again without.
    await tagChanges.deleteMany({ _id: { $in: ids } }, { session });
    return changed;
  });
}

async function settleBatch(
  collections: Collections,
  which: { project_uid?: string },
  size: number,
): Promise<{ counted: number; more: boolean }> {
  const { logs, client } = collections;
  // Most of the time there is nothing to do: that is seen without a transaction.
  const uncounted = { ...which, _counted_tags: { $exists: true } };
  if ((await logs.findOne(uncounted, { hint: 'uncounted', projection: { _id: 1 } })) === null) {
    return { counted: 0, more: false };
  }
  return inTransaction(client, async (session) => {
    const batch = await logs
      .find(uncounted, { hint: 'uncounted', session, projection: TAG_FIELDS })
      .limit(size)
      .toArray();
    const deltas = new TagDeltas();
    const whole: typeof batch = [];
    let room = CHANGES_AT_ONCE;
    for (const log of batch) {
      const step = stepTowards(log.tags, log._counted_tags ?? [], room);
      deltas.add(log.project_uid, step.added, 1);
      deltas.add(log.project_uid, step.removed, -1);
      room -= step.added.length + step.removed.length;
      if (step.counted !== undefined) {
        const { _id, project_uid } = log;
        await logs.updateOne({ _id, project_uid }, { $set: { _counted_tags: step.counted } }, { session });
        break;
      }
      whole.push(log);
    }
    await deltas.apply(collections, session);
    if (whole.length > 0) {
      await logs.bulkWrite(
        [...idsByProject(whole)].map(([project_uid, ids]) => ({
          updateMany: {
            filter: { project_uid, _id: { $in: ids } },
            update: { $unset: { _counted_tags: 1 } },
          },
        })),
        { session },
      );
    }
    return { counted: whole.length, more: batch.length === size || whole.length < batch.length };
  });
}

/** A change of the counts by at most `room` tags, towards the tags of a log. */
export function stepTowards(
  tags: readonly string[],
  before: readonly string[],
  room: number,
): {
  added: string[];
  removed: string[];
  /** The tags that the counts hold then; undefined where these are all. */
  counted?: string[];
} {
  const [wanted, known] = [new Set(tags), new Set(before)];
  const surplus = before.filter((tag) => !wanted.has(tag));
  const missing = tags.filter((tag) => !known.has(tag));
  if (surplus.length + missing.length <= room) return { added: missing, removed: surplus };
  const removed = surplus.slice(0, room);
  const added = missing.slice(0, room - removed.length);
  const gone = new Set(removed);
  return { added, removed, counted: [...before.filter((tag) => !gone.has(tag)), ...added] };
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

  /** The changes as they wait for being applied. */
  list(): TagChangesDocument['changes'] {
    return [...this.#projects].flatMap(([project_uid, deltas]) =>
      [...deltas].map(([tag, count]) => ({ project_uid, tag, count })),
    );
  }

  async apply({ tags }: Collections, session: ClientSession): Promise<void> {
    const writes: AnyBulkWriteOperation<TagCountDocument>[] = [];
    // Behind all updates, since the driver makes a call of its own of each run of writes of one kind.
    const removals: AnyBulkWriteOperation<TagCountDocument>[] = [];
    for (const [project_uid, deltas] of this.#projects) {
      for (const [tag, change] of deltas) {
        if (change === 0) continue;
        const filter = { _id: { project_uid, tag }, project_uid, tag };
        writes.push({ updateOne: { filter, update: { $inc: { count: change } }, upsert: true } });
        // Tags that no log has any more do not stay. A count is below 0 while the log's own share still waits.
        if (change < 0) removals.push({ deleteOne: { filter: { ...filter, count: 0 } } });
      }
    }
    if (writes.length > 0) await tags.bulkWrite([...writes, ...removals], { session });
  }
}
