/** Longest stretch of work before other work gets its turn. */
const TURN_MS = 4;

/** For work of many short steps: asked after each of them, it lets other work run when a turn has lasted long enough. */
export class Turns {
  #end = performance.now() + TURN_MS;

  /** To be awaited; undefined while the turn goes on. */
  pause(): Promise<void> | undefined {
    return performance.now() < this.#end ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#end = performance.now() + TURN_MS;
  }
}
