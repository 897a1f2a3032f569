import type { LogRecord } from '../core/log-record.js';

/** Where and why an improvement does not fit the JSON Schema of its request. */
export interface Mismatch {
  /** A JSON pointer into the improvement. */
  path: string;
  message: string;
}

/**
 * Holds an improvement against the JSON Schema that its log's request has. Undefined where it fits, and where there is
 * nothing to hold it against: the request has no schema, or is not kept.
 */
export type CheckImprovement = (
  log: Pick<LogRecord, 'api' | 'request'>,
  improvement: string,
) => Promise<Mismatch | undefined>;
