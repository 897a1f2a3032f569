/** The longest delay that setTimeout takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;
const LONG_DELAY_MS = 10_000;

/**
 * The timer of a stream, set after every event. It is moved only when it would fire too late: most events postpone
 * the deadline, and a timer that fires early just checks again.
 */
export class StreamTimer {
  #timer?: NodeJS.Timeout;
  #ringsAt = Number.POSITIVE_INFINITY;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(private readonly ring: () => void) {}

  /** Sets the timer to `delayMs` from now; infinity means never. */
  set(delayMs: number): void {
    this.#dueAt = performance.now() + delayMs;
    if (delayMs === Number.POSITIVE_INFINITY) this.clear();
    else if (this.#dueAt < this.#ringsAt) this.#start(delayMs);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#ringsAt = Number.POSITIVE_INFINITY;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  #start(delayMs: number): void {
    clearTimeout(this.#timer);
    const delay = roundDown(Math.min(Math.max(delayMs, 0), MAX_DELAY_MS));
    this.#ringsAt = performance.now() + delay;
    this.#timer = setTimeout(() => this.#onTimer(), delay);
  }

  #onTimer(): void {
    this.#ringsAt = Number.POSITIVE_INFINITY;
    const left = this.#dueAt - performance.now();
    // Node timers can fire up to a millisecond early.
    if (left > 1) {
      this.#start(left);
      return;
    }
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.ring();
  }
}

/** Node keeps a list for each delay, which streams share where their delays are the same. A timer may be early. */
function roundDown(delayMs: number): number {
  return delayMs < LONG_DELAY_MS ? delayMs : delayMs - (delayMs % 1_000);
}
