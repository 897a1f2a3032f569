/** How often a worker says that it lives. */
export const BEAT_MS = 1_000;
/** Longer than any work that is not cut into pieces, and than Envoy waits before it gives up a connection. */
const PATIENCE_BEATS = 15;

/**
 * Whether a worker still does anything. It is counted in beats that were due and not by the clock: where the whole
 * machine was asleep, nobody is to blame.
 */
export class Pulse {
  #missed = 0;
  #lived = false;

  /** The worker said that it lives. One that has not begun to is still being loaded. */
  beat(): void {
    this.#lived = true;
    this.#missed = 0;
  }

  /** A beat is due. True once, when it has been silent for too long. */
  due(): boolean {
    if (!this.#lived) return false;
    this.#missed++;
    return this.#missed === PATIENCE_BEATS;
  }
}
