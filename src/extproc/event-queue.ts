/**
 * Takes a stream's events one at a time, in the order in which they came. gRPC callbacks only put events in;
 * one that takes long holds back the ones behind it, and nothing else. A handler must not throw: what it
 * throws all the same goes to `onError`, and what that throws to `onLost`; the queue goes on.
 */
export class EventQueue<Event> {
  readonly #waiting: Event[] = [];
  #busy = false;
  #closed = false;

  constructor(
    private readonly handle: (event: Event) => void | Promise<void>,
    private readonly onError: (error: unknown) => void | Promise<void>,
    private readonly onLost: (error: unknown) => void,
  ) {}

  push(event: Event): void {
    if (this.#closed) return;
    this.#waiting.push(event);
    if (!this.#busy) void this.#run();
  }

  /** Drops what waits and what comes: there is nobody to answer any more. What is under way goes on. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
  }

  get length(): number {
    return this.#waiting.length;
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      try {
        const pending = this.handle(event);
        if (pending !== undefined) await pending;
      } catch (error) {
        await this.#report(error);
      }
    }
    this.#busy = false;
  }

  /** Nobody waits for the queue, so what escaped here would end the process. */
  async #report(error: unknown): Promise<void> {
    try {
      await this.onError(error);
    } catch (lost) {
      this.onLost(lost);
    }
  }
}
