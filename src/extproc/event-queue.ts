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

  /** Goes on at once behind a handler that is done: only one that is not costs promises. */
  #run(): void {
    this.#busy = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      const pending = this.#begin(event);
      if (pending !== undefined) {
        void pending.then(this.#goOn, this.#goOnAfter);
        return;
      }
    }
    this.#busy = false;
  }

  #begin(event: Event): void | Promise<void> {
    try {
      return this.handle(event);
    } catch (error) {
      return this.#report(error);
    }
  }

  readonly #goOn = () => this.#run();
  readonly #goOnAfter = (error: unknown) => this.#report(error).then(this.#goOn);

  /** Nobody waits for the queue, so what escaped here would end the process. */
  async #report(error: unknown): Promise<void> {
    try {
      await this.onError(error);
    } catch (lost) {
      this.onLost(lost);
    }
  }
}
