import { LRUCache } from 'lru-cache';
import type { Collections } from '../mongodb/collections.js';

type Tags = Collections['tags'];

const KNOWN_FOR_MS = 60_000;
const MOST_PROJECTS = 1000;

const numbers = new WeakMap<Tags, LRUCache<string, number>>();

function numbersOf(tags: Tags): LRUCache<string, number> {
  let known = numbers.get(tags);
  if (known === undefined) {
    known = new LRUCache({ max: MOST_PROJECTS, ttl: KNOWN_FOR_MS });
    numbers.set(tags, known);
  }
  return known;
}

/**
 * How many tags of a project have a count, up to `most`. Counting 100,000 takes MongoDB up to 80 ms and each batch of counts
 * asks, so the number is remembered for a minute. It does not include what other processes add or remove meanwhile.
 */
export async function countTags(tags: Tags, project_uid: string, most: number): Promise<number> {
  const known = numbersOf(tags);
  let number = known.get(project_uid);
  if (number === undefined) {
    number = await tags.countDocuments({ project_uid }, { limit: most });
    known.set(project_uid, number);
  }
  return number;
}

/** Call it when tags of the project were added or removed. */
export function noteTags(tags: Tags, project_uid: string, change: number): void {
  const known = numbersOf(tags);
  const number = known.get(project_uid);
  const ttl = known.getRemainingTTL(project_uid);
  if (number !== undefined && change !== 0 && ttl > 0) known.set(project_uid, number + change, { ttl });
}
