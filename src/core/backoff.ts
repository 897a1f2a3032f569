/**
 * Delays that double from `firstMs` to `longestMs`. Each is drawn at random from its upper half, so that workers do
 * not all retry at the same moment.
 */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #random: () => number;
  #failures = 0;

  /** `random` returns at least 0 and less than 1. */
  constructor(firstMs: number, longestMs: number, random: () => number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#random = random;
  }

  next(): number {
    const ceiling = Math.min(this.#longestMs, this.#firstMs * 2 ** this.#failures++);
    return ceiling * (0.5 + this.#random() / 2);
  }

  reset(): void {
    this.#failures = 0;
  }
}
