import type { Collections } from '../mongodb/collections.js';
import { applyAll, applyBatch } from './apply-counts.js';

export interface TagCount {
  tag: string;
  count: number;
}

/** The position after which a list of tags continues. */
export type TagPosition = TagCount;

export interface TagStore {
  /** The tags, the most frequent first. After very many changes the list can be outdated for a while. */
  list(
    projectUid: string,
    page: { prefix?: string; limit: number; after?: TagPosition },
  ): Promise<{ tags: TagCount[]; next: TagPosition | null }>;
  /** Counts what was not counted yet. Resolves with the number of logs. `signal` stops it early. */
  apply(signal?: AbortSignal): Promise<number>;
}

/**
 * How many logs are counted before a list, which is enough to include the caller's latest changes. The rest is counted
 * afterwards.
 */
const BATCH_BEFORE_LIST = 100;
const HIGHEST_CHARACTER = '\u{10ffff}';

export function createTagStore(collections: Collections): TagStore {
  const { tags, guarded } = collections;
  return {
    list: (project_uid, { prefix, limit, after }) =>
      guarded(async () => {
        await applyBatch(collections, { project_uid }, BATCH_BEFORE_LIST);
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
    apply: (signal) => guarded(() => applyAll(collections, signal)),
  };
}

function behind({ tag, count }: TagPosition): object {
  return { $or: [{ count: { $lt: count } }, { count, tag: { $gt: tag } }] };
}
