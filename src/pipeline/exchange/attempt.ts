import type { LeftOut } from '../../core/answer.js';
import type { AttemptRecord } from '../../core/log-record.js';
import type { ModelChoice } from '../../core/settings.js';
import type { Dialect } from '../../dialects/dialect.js';

/** One try at one model. */
export interface Attempt {
  /** Counted from 1. */
  number: number;
  choice: ModelChoice;
  /** The dialect that is spoken with the provider. */
  dialect: Dialect;
  /** What of the client's request it was not sent; absent for nothing. */
  leftOut?: readonly LeftOut[];
  /** On the monotonic clock. */
  startedAt: number;
  traceparent: string;
  record: AttemptRecord;
  /** What its provider was sent and nobody else may read. */
  secrets: readonly string[];
  /** Its outcome is written in its record. */
  closed: boolean;
  /** No connection to its provider could be made. */
  unconnected: boolean;
  /** The head of its answer came. */
  answered: boolean;
  /** Nobody was asked: its answer came from the cache. */
  replayed?: boolean;
  /** Gives back its place at its provider, where that has a bound. */
  release?: () => void;
  /** Ends the span of the time for which its answer is held; set while one is. */
  endHold?: () => void;
  /** What its answer asked for, in milliseconds. */
  retryAfterMs?: number;
  /** When Envoy was told to make this try, which is before its own clock for it runs; on the monotonic clock. */
  handedOverAt: number;
  /** When Envoy dropped it before its answer was whole. */
  lostAt?: number;
}
