import type { MaybePromise } from '../core/pacing/maybe-promise.js';
/**
 * Takes a stream's events one at a time, in the order in which they came. One that takes long holds back the ones behind
 * it, and nothing else: `push` says when its event was handled, and whoever has many is to wait for that. A handler must
 * not throw: what it throws all the same goes to `onError`, and what that throws to `onLost`; the queue goes on.
 */
export class EventQueue<Event> {
  /** The end of all that was pushed. */
  #last: Promise<void> | undefined;
  #isHandling = false;
  #closed = false;

  constructor(
    private readonly handle: (event: Event) => MaybePromise<void>,
    private readonly onError: (error: unknown) => MaybePromise<void>,
    private readonly onLost: (error: unknown) => void,
  ) {}

  /** Resolves once the event was handled; undefined where it is already: only one that is not costs promises. */
  push(event: Event): Promise<void> | undefined {
    if (this.#closed) return undefined;
    const before = this.#last ?? (this.#isHandling ? Promise.resolve() : undefined);
    const pending = before === undefined ? this.#begin(event) : before.then(() => this.#begin(event));
    if (pending === undefined) return undefined;
    const last = pending.then(() => {
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
    return last;
  }

  /** Drops what waits and what comes: there is nobody to answer any more. What is under way goes on. */
  close(): void {
    this.#closed = true;
  }

  /** Never rejects. */
  #begin(event: Event): Promise<void> | undefined {
    if (this.#closed) return undefined;
    this.#isHandling = true;
    try {
      return this.handle(event)?.catch(this.#report) ?? undefined;
    } catch (error) {
      return this.#report(error);
    } finally {
      this.#isHandling = false;
    }
  }

  /** Nobody else looks at what escaped here, so it would end the process. */
  readonly #report = async (error: unknown): Promise<void> => {
    try {
      await this.onError(error);
    } catch (lost) {
      this.onLost(lost);
    }
  };
}
