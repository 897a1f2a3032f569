import type { Clock } from '../clock.js';
import type { Logger } from '../logger.js';

const QUIET_MS = 10_000;

/** Logs a problem, but at most once in ten seconds; `silenced` is the number of messages that were left out. */
export class Alarm {
  readonly #logger: Logger;
  readonly #clock: Clock;
  #last = Number.NEGATIVE_INFINITY;
  #silenced = 0;

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  raise(fields: object, message: string): void {
    const now = this.#clock.monotonic();
    if (now - this.#last < QUIET_MS) {
      this.#silenced++;
      return;
    }
    this.#logger.error({ ...fields, silenced: this.#silenced }, message);
    this.#last = now;
    this.#silenced = 0;
  }
}
