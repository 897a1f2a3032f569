/**
 * How many abandoned requests may leave a log in a second. A client that resets its requests can send tens of
 * thousands.
 */
const MOST_PER_SECOND = 100;

/**
 * Counts requests whose clients have left before the engine looked at them. Those over the limit are dropped without
 * a log, because writing their logs would delay requests that somebody waits for.
 */
export class Abandoned {
  #second = Number.NEGATIVE_INFINITY;
  #count = 0;
  /** How many requests were dropped without a log since the start. */
  dropped = 0;

  /** Whether another abandoned request may leave a log. `now` is on the monotonic clock, in milliseconds. */
  allows(now: number): boolean {
    if (now - this.#second >= 1_000) {
      this.#second = now;
      this.#count = 0;
    }
    this.#count++;
    if (this.#count <= MOST_PER_SECOND) return true;
    this.dropped++;
    return false;
  }
}
