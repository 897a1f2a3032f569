import type { LeftOut } from '../../core/answer.js';
import type { AttemptRecord } from '../../core/log-record.js';
import type { ModelChoice } from '../../core/settings.js';
import type { Dialect } from '../../dialects/dialect.js';

/** One try at one model. */
export interface Attempt {
  /** Starts at 1. */
  number: number;
  choice: ModelChoice;
  /** The dialect of the request to the provider. */
  dialect: Dialect;
  /** The parts of the client's request that were not sent; absent where all were. */
  leftOut?: readonly LeftOut[];
  /** On the monotonic clock. */
  startedAt: number;
  traceparent: string;
  record: AttemptRecord;
  /** Credentials that its provider was sent and that nobody else may see. */
  secrets: readonly string[];
  /** Its result is in its record. */
  closed: boolean;
  /** The head of its answer has arrived. */
  answered: boolean;
  /** The first text of its stream has arrived, whether the client got it or not. Set where a timeout depends on it. */
  textCame?: boolean;
  /** No provider was asked, because the answer came from the cache. */
  replayed?: boolean;
  /** Frees its place at its provider, where that has `max_concurrent`. */
  release?: () => void;
  /** Ends the trace span of the time for which its answer is held; set while it is. */
  endHold?: () => void;
  /** The `retry-after` of its answer, in milliseconds. */
  retryAfterMs?: number;
}
