import type { Clock } from '../../../core/clock.js';
import type { Dialect } from '../../../dialects/dialect.js';
import type { AnswerCollector } from './answer-collector.js';

/** Some providers never close a stream that has ended. Not sooner: of Gemini's candidates one may end before the next begins. */
export const AFTER_END_MS = 5_000;
/** Behind an event that nothing can follow. Most providers close meanwhile, and their connection can be used again. */
const AFTER_LAST_EVENT_MS = 250;

/** Tells when a stream that is held has come to its own end, although its provider leaves it open. */
export class OpenEnd {
  #cameAt = 0;
  #looksAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly collector: AnswerCollector,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** To be told of each chunk. */
  note(): void {
    if (!this.collector.isStream) return;
    this.#cameAt = this.clock.monotonic();
    this.#looksAt = this.#cameAt + (this.dialect.endsForSure ? AFTER_LAST_EVENT_MS : AFTER_END_MS);
  }

  /** Milliseconds until a look is due. */
  timeLeft(): number {
    return this.#looksAt - this.clock.monotonic();
  }

  /** Whether the stream has ended. A look at its last event costs little; all of it is read where it is silent for long. */
  async look(): Promise<boolean> {
    const isLate = this.#looksAt >= this.#cameAt + AFTER_END_MS;
    this.#looksAt = isLate ? Number.POSITIVE_INFINITY : this.#cameAt + AFTER_END_MS;
    return (isLate || this.collector.endsWithLastEvent()) && this.collector.hasEnded();
  }
}
