import type { MaybePromise } from '../core/pacing/maybe-promise.js';
/**
 * Handles the events of a stream one at a time, in order. A slow event only delays the events after it. `push` says
 * when its event was handled, and a caller with many events should wait for that. Handlers must not throw: an error
 * goes to `onError`, and an error of that to `onLost`; the queue continues.
 */
export class EventQueue<Event> {
  /** Resolves after all events that were pushed were handled. */
  #last: Promise<void> | undefined;
  #isHandling = false;
  #closed = false;

  constructor(
    private readonly handle: (event: Event) => MaybePromise<void>,
    private readonly onError: (error: unknown) => MaybePromise<void>,
    private readonly onLost: (error: unknown) => void,
  ) {}

  /** Resolves once the event was handled. Undefined where it was handled at once, which saves a promise. */
  push(event: Event): Promise<void> | undefined {
    if (this.#closed) return undefined;
    const before = this.#last ?? (this.#isHandling ? Promise.resolve() : undefined);
    const pending = before === undefined ? this.#begin(event) : before.then(() => this.#begin(event));
    if (pending === undefined) return undefined;
    // One promise is enough for the error and for the end.
    const last: Promise<void> = pending.then(
      () => this.#handled(last),
      (error) => this.#report(error).then(() => this.#handled(last)),
    );
    this.#last = last;
    return last;
  }

  #handled(event: Promise<void>): void {
    if (this.#last === event) this.#last = undefined;
  }

  /** Drops waiting and future events, because nobody can be answered any more. The current event is still handled. */
  close(): void {
    this.#closed = true;
  }

  /** Handles an event. The promise may reject. */
  #begin(event: Event): Promise<void> | undefined {
    if (this.#closed) return undefined;
    this.#isHandling = true;
    try {
      return this.handle(event) ?? undefined;
    } catch (error) {
      return this.#report(error);
    } finally {
      this.#isHandling = false;
    }
  }

  /** An error here has no other handler and would end the process. */
  async #report(error: unknown): Promise<void> {
    try {
      await this.onError(error);
    } catch (lost) {
      this.onLost(lost);
    }
  }
}
