/** What works on fewer bytes is done in a few milliseconds. */
const HEAVY_BYTES = 256 * 1024;

/** Whether work on so many bytes has to wait for its turn. */
export function isHeavy(bytes: number): boolean {
  return bytes >= HEAVY_BYTES;
}

/**
 * Turns for work on large bodies: one step at a time, and after it a rest as long as it took. So large bodies of one
 * client take half of the event loop at most, and a request beside them waits for one step, not for all of them.
 */
export class HeavyWork {
  #last: Promise<void> = Promise.resolve();

  /** To be awaited before one step on so many bytes, which must not wait for anything; undefined where they are few. */
  turn(bytes: number): Promise<void> | undefined {
    return isHeavy(bytes) ? this.next() : undefined;
  }

  /** To be awaited before one step of work that is known to be large. */
  async next(): Promise<void> {
    const before = this.#last;
    let done = () => {};
    this.#last = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    const startedAt = performance.now();
    // The step runs as soon as this resolves, and so before the next turn of the loop.
    setImmediate(() => setTimeout(done, performance.now() - startedAt));
  }
}

/** Of this thread: all its work shares one event loop. */
export const heavyWork = new HeavyWork();
