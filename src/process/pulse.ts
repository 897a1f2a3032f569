/** How often a worker sends a heartbeat. */
export const BEAT_MS = 1_000;
/**
 * How many heartbeats may be missed: more than any uninterrupted work takes, and more than Envoy waits before it
 * gives up a connection.
 */
const PATIENCE_BEATS = 15;

/** Whether a worker is alive. It counts missed heartbeats and not time, because a whole machine can be suspended. */
export class Pulse {
  #missed = 0;
  #lived = false;

  /** Call it when a heartbeat arrived. A worker that has not sent one yet is still loading. */
  beat(): void {
    this.#lived = true;
    this.#missed = 0;
  }

  /** Call it when a heartbeat is due. Returns true once, when the worker has been silent for too long. */
  due(): boolean {
    if (!this.#lived) return false;
    this.#missed++;
    return this.#missed === PATIENCE_BEATS;
  }
}
