import { OneAtATime } from './one-at-a-time.js';

/** Work on fewer bytes takes a few milliseconds. */
const HEAVY_BYTES = 256 * 1024;

/** Whether work on this many bytes has to wait for its turn. */
export function isHeavy(bytes: number): boolean {
  return bytes >= HEAVY_BYTES;
}

/**
 * Gives turns to work on large bodies: one step at a time, and then a pause as long as the step took. So the large bodies of
 * one client use half of the event loop at most, and another request waits for one step and not for all of them.
 */
export class HeavyWork {
  readonly #tasks = new OneAtATime();

  /**
   * Await this before a step on this many bytes. The step itself must not wait for anything. Undefined where the
   * bytes are few.
   */
  turn(bytes: number): Promise<void> | undefined {
    return isHeavy(bytes) ? this.next() : undefined;
  }

  /** Await this before a step of work that is known to be large. */
  async next(): Promise<void> {
    const leave = await this.#tasks.enter();
    const startedAt = performance.now();
    // The caller's step runs as soon as this resolves, so it has ended by the next round of the loop.
    setImmediate(() => setTimeout(leave, performance.now() - startedAt));
  }
}

/** The turns of this thread, because all of its work shares one event loop. */
export const heavyWork = new HeavyWork();
