import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../core/clock.js';

/** The most fragments that are remembered, which take two or three megabytes. */
const MOST_KNOWN = 20_000;
/** How long a fragment that was found in MongoDB is not looked up again. */
const KNOWN_MS = 10 * 60_000;
/** The state of a fragment that was seen once and is not stored. */
const SEEN = 0;

/** Which fragments this process saw recently, and which of them MongoDB has. */
export class KnownFragments {
  readonly #times = new LRUCache<string, number>({ max: MOST_KNOWN });

  constructor(private readonly clock: Clock) {}

  /** Whether a fragment was seen before. From now on it counts as seen. */
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

  /** Forgets everything, because after an outage MongoDB may be another one, or have an older state. */
  clear(): void {
    this.#times.clear();
  }
}
