import type { ClientSession } from 'mongodb';
import { type Clock, systemClock } from '../../core/clock.js';
import type { Collections, TagSeriesDocument } from '../mongodb/collections.js';

/*
 * Decides which tags of a project are counted by the hour. Ids of users or sessions become tags too, and a document for each
 * of them and each hour would be larger than the logs. So a metadata key with many values is not counted over time, and a
 * project has a limited number of tags that are. A tag is counted from its first log on or never.
 */

const MOST_VALUES_OF_A_KEY = 12;
const MOST_TAGS = 100;
/** The most tags that a project ever gets, including those of keys that turned out to have too many values. */
const MOST_EVER = 400;
const MOST_REFUSED_KEYS = 200;
const LONGEST_TAG = 200;
/**
 * How long a process uses what it knows of a project's series before it reads them again. While the first logs of a project
 * decide which tags are counted, half a minute could mean thousands of logs whose users and sessions are summed up in vain.
 */
const KNOWN_FOR_MS = { atFirst: 500, atMost: 30_000 };
const MOST_KNOWN_PROJECTS = 1000;

/** The metadata key of a tag. All tags without one count as one key. */
function keyOf(tag: string): string {
  const colon = tag.indexOf(':');
  return colon === -1 ? '' : tag.slice(0, colon);
}

const EMPTY = { tags: [], refused: [], admitted: 0, full: false } as const;

/** The series of a project with these tags added. It is the same object where nothing changes. */
export function admitTags(before: TagSeriesDocument, seen: Iterable<string>): TagSeriesDocument {
  let { tags, refused, admitted, full } = before;
  for (const tag of seen) {
    const key = keyOf(tag);
    if (full) break;
    if (tags.includes(tag) || refused.includes(key)) continue;
    const values = tags.filter((other) => keyOf(other) === key).length;
    if (tag.length > LONGEST_TAG || values === MOST_VALUES_OF_A_KEY) {
      tags = tags.filter((other) => keyOf(other) !== key);
      refused = [...refused, key.slice(0, LONGEST_TAG)];
    } else {
      tags = [...tags, tag];
      admitted++;
    }
    full = tags.length === MOST_TAGS || admitted === MOST_EVER || refused.length === MOST_REFUSED_KEYS;
  }
  return admitted === before.admitted && refused === before.refused
    ? before
    : { _id: before._id, tags, refused, admitted, full };
}

/** Whether a tag may be counted. */
export function mayBeCounted({ tags, refused, full }: TagSeriesDocument, tag: string): boolean {
  return full ? tags.includes(tag) : !refused.includes(keyOf(tag));
}

export async function readTagSeries(
  { tagSeries }: Collections,
  projectUid: string,
  session?: ClientSession,
): Promise<TagSeriesDocument> {
  return (await tagSeries.findOne({ _id: projectUid }, { session })) ?? { _id: projectUid, ...EMPTY };
}

/** Of the tags, those that are counted. It runs inside the transaction that counts them. */
export async function admitSeries(
  collections: Collections,
  projectUid: string,
  seen: ReadonlySet<string>,
  session?: ClientSession,
): Promise<ReadonlySet<string>> {
  const before = await readTagSeries(collections, projectUid, session);
  const after = admitTags(before, seen);
  if (after !== before) {
    await collections.tagSeries.replaceOne({ _id: projectUid }, after, { session, upsert: true });
  }
  return new Set(after.tags);
}

/** Says which tags need no count, while logs are inserted. */
export interface KnownSeries {
  /** Await this before asking for a project's tags; undefined where they are known. */
  load(projectUid: string): Promise<void> | undefined;
  isCounted(projectUid: string, tag: string): boolean;
}

export function createKnownSeries(
  read: (projectUid: string) => Promise<TagSeriesDocument>,
  clock: Clock = systemClock,
): KnownSeries {
  const known = new Map<string, { document: TagSeriesDocument; forMs: number; until: number }>();
  const load = async (projectUid: string, now: number) => {
    const before = known.get(projectUid);
    if (known.size >= MOST_KNOWN_PROJECTS) known.clear();
    const document = await read(projectUid);
    const { atFirst, atMost } = KNOWN_FOR_MS;
    const isOld = before !== undefined && isSame(before.document, document);
    const forMs = isOld ? Math.min(before.forMs * 2, atMost) : atFirst;
    known.set(projectUid, { document, forMs, until: now + forMs });
  };
  return {
    load: (projectUid) => {
      const now = clock.monotonic();
      return (known.get(projectUid)?.until ?? Number.NEGATIVE_INFINITY) > now
        ? undefined
        : load(projectUid, now);
    },
    isCounted: (projectUid, tag) => {
      const series = known.get(projectUid);
      return series === undefined || mayBeCounted(series.document, tag);
    },
  };
}

/** Comparing the two numbers is enough, because both only grow. */
function isSame(before: TagSeriesDocument, after: TagSeriesDocument): boolean {
  return before.admitted === after.admitted && before.refused.length === after.refused.length;
}
