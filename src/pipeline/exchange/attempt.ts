import type { LeftOut } from '../../core/answer.js';
import type { AttemptRecord } from '../../core/log-record.js';
import type { ModelChoice } from '../../core/settings.js';
import type { Dialect } from '../../dialects/dialect.js';

/** One try at one model. */
export interface Attempt {
  /** The number of the attempt, from 1 on. */
  number: number;
  choice: ModelChoice;
  /** The dialect of the request to the provider. */
  dialect: Dialect;
  /** The parts of the client's request that were not sent; absent where all were sent. */
  leftOut?: readonly LeftOut[];
  /** When it began, on the monotonic clock. */
  startedAt: number;
  traceparent: string;
  record: AttemptRecord;
  /** Credentials that its provider got and that nobody else may see. */
  secrets: readonly string[];
  /** Whether it has ended, so that its record has the result. */
  closed: boolean;
  /** Whether the headers of its answer have arrived. */
  answered: boolean;
  /**
   * Whether the first text of its stream has arrived, even where the client did not get it. Set where a timeout
   * depends on it.
   */
  textCame?: boolean;
  /** Whether the answer came from the cache, so that no provider was asked. */
  replayed?: boolean;
  /** Frees its place at its provider, where that has `max_concurrent`. */
  release?: () => void;
  /** Ends the trace span for the time for which its answer is held. Set while it is held. */
  endHold?: () => void;
  /** The `retry-after` of its answer, in milliseconds. */
  retryAfterMs?: number;
}
