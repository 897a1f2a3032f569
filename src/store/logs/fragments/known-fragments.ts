import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../core/clock.js';

/** Two or three megabytes of memory. */
const MOST_KNOWN = 20_000;
/** How long a fragment that was found in MongoDB is not looked for again. */
const KNOWN_MS = 10 * 60_000;
/** Seen once, and not stored. */
const SEEN = 0;

/** Which fragments this process saw lately, and which of them MongoDB has. */
export class KnownFragments {
  readonly #times = new LRUCache<string, number>({ max: MOST_KNOWN });

  constructor(private readonly clock: Clock) {}

  /** Whether it was seen before, which it is from now on. */
  see(id: string): boolean {
    if (this.#times.get(id) !== undefined) return true;
    this.#times.set(id, SEEN);
    return false;
  }

  isStored(id: string): boolean {
    const time = this.#times.get(id);
    return time !== undefined && this.clock.now() - time < KNOWN_MS;
  }

  stored(ids: Iterable<string>): void {
    const now = this.clock.now();
    for (const id of ids) this.#times.set(id, now);
  }

  /** After an outage MongoDB may be another one, or one of before. */
  clear(): void {
    this.#times.clear();
  }
}
