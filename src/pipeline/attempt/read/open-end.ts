import type { Clock } from '../../../core/clock.js';
import type { Dialect } from '../../../dialects/dialect.js';
import type { AnswerCollector } from './answer-collector.js';

/**
 * Some providers never close a stream that has ended. A shorter wait would be wrong, because one of Gemini's
 * candidates may end before the next begins.
 */
export const AFTER_END_MS = 5_000;
/**
 * The wait after an event that nothing can follow. Most providers close within this time, and then their connection
 * can be used again.
 */
const AFTER_LAST_EVENT_MS = 250;

/** Detects the end of a held stream whose provider leaves it open. */
export class OpenEnd {
  #cameAt = 0;
  #looksAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly collector: AnswerCollector,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** Must be called for each chunk. */
  note(): void {
    if (!this.collector.isStream) return;
    this.#cameAt = this.clock.monotonic();
    this.#looksAt = this.#cameAt + (this.dialect.endsForSure ? AFTER_LAST_EVENT_MS : AFTER_END_MS);
  }

  /** The milliseconds until `look` must be called. */
  timeLeft(): number {
    return this.#looksAt - this.clock.monotonic();
  }

  /** Whether the stream has ended. Checking its last event is cheap; only after a long silence is everything read. */
  async look(): Promise<boolean> {
    const isLate = this.#looksAt >= this.#cameAt + AFTER_END_MS;
    this.#looksAt = isLate ? Number.POSITIVE_INFINITY : this.#cameAt + AFTER_END_MS;
    return (isLate || this.collector.endsWithLastEvent()) && this.collector.hasEnded();
  }
}
