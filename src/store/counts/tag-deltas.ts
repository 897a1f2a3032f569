import type { ClientSession } from 'mongodb';
import type { Collections } from '../mongodb/collections.js';
import { BY_ID, updateAll } from '../mongodb/run-writes.js';
import { countTags, noteTags } from './known-tags.js';

/** The most changes in one transaction, because MongoDB refuses a transaction that does not fit into its cache. */
export const CHANGES_AT_ONCE = 2000;

/**
 * The most tags of a project with a count. Each count is a document. Ids of users or sessions become tags too, so there could
 * be as many as logs.
 */
const MOST_TAGS_OF_A_PROJECT = 100_000;

/** Moves what is counted towards the tags of a log, by at most `room` tags. */
export function stepTowards(
  tags: readonly string[],
  before: readonly string[],
  room: number,
): {
  added: string[];
  removed: string[];
  /** The tags that the counts contain afterwards; undefined where these are all of the log's tags. */
  counted?: string[];
} {
  const [wanted, known] = [new Set(tags), new Set(before)];
  const surplus = before.filter((tag) => !wanted.has(tag));
  const missing = tags.filter((tag) => !known.has(tag));
  if (surplus.length + missing.length <= room) return { added: missing, removed: surplus };
  const removed = surplus.slice(0, room);
  const added = missing.slice(0, room - removed.length);
  const dropped = new Set(removed);
  return { added, removed, counted: [...before.filter((tag) => !dropped.has(tag)), ...added] };
}

/** An aggregation expression for updates of tags: what the tag counts contain of the log. */
export const TAGS_BEHIND = { $ifNull: ['$_counted_tags', '$tags'] };

/** The fields of a log that show what the counts contain of it. */
export const TAG_FIELDS = { project_uid: 1, tags: 1, _counted_tags: 1 } as const;

/** Pending changes of a project's tags: alternately a tag and an amount. */
export type WaitingTags = [projectUid: string, changes: (string | number)[]];

/** Sums up changes of counts, and writes them at once. */
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

  /** The changes in their pending form. */
  list(): WaitingTags[] {
    return Array.from(this.#projects, ([projectUid, deltas]) => {
      const changes: WaitingTags[1] = [];
      for (const [tag, change] of deltas) changes.push(tag, change);
      return [projectUid, changes];
    });
  }

  /** Adds pending changes. */
  addList(changes: readonly WaitingTags[]): void {
    for (const [projectUid, list] of changes) {
      for (let at = 0; at < list.length; at += 2)
        this.add(projectUid, [list[at] as string], list[at + 1] as number);
    }
  }

  /** The number of tags. */
  get size(): number {
    let size = 0;
    for (const deltas of this.#projects.values()) size += deltas.size;
    return size;
  }

  async apply(
    { tags, database }: Collections,
    session: ClientSession,
    most = MOST_TAGS_OF_A_PROJECT,
  ): Promise<void> {
    for (const [project_uid, deltas] of this.#projects) {
      // At the limit of tags, the counts of known tags still change, but no new tag is added.
      const upsert = (await countTags(tags, project_uid, most)) < most;
      const removed = await removeUnused(tags, project_uid, deltas, session);
      const updates: object[] = [];
      for (const [tag, change] of deltas) {
        if (change === 0 || removed.has(tag)) continue;
        const q = { _id: { project_uid, tag }, project_uid, tag };
        updates.push({ q, u: { $inc: { count: change } }, upsert, hint: BY_ID });
      }
      const { collectionName } = tags;
      const added = updates.length > 0 ? await updateAll(database, collectionName, updates, session) : 0;
      noteTags(tags, project_uid, added - removed.size);
    }
  }
}

/**
 * Deletes the counts of tags that no log has any more after these changes, and returns the tags. That costs less than to set
 * each count to 0 first. A count is below 0 while a log's own share is still pending.
 */
async function removeUnused(
  tags: Collections['tags'],
  project_uid: string,
  deltas: ReadonlyMap<string, number>,
  session: ClientSession,
): Promise<ReadonlySet<string>> {
  const fewer = [...deltas].flatMap(([tag, change]) => (change < 0 ? [tag] : []));
  if (fewer.length === 0) return new Set();
  const idOf = (tag: string) => ({ project_uid, tag });
  const found = await tags
    .find(
      { _id: { $in: fewer.map(idOf) }, project_uid },
      { session, projection: { _id: 0, tag: 1, count: 1 }, hint: BY_ID, batchSize: fewer.length },
    )
    .toArray();
  const unused = found.filter(({ tag, count }) => count + deltas.get(tag)! === 0).map(({ tag }) => tag);
  if (unused.length > 0) {
    const ids = { _id: { $in: unused.map(idOf) }, project_uid };
    await tags.deleteMany(ids, { session, hint: BY_ID });
  }
  return new Set(unused);
}
