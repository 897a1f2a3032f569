import type { LogRecord } from '../core/log-record.js';

/** Where and why an improvement does not match the JSON Schema of its request. */
export interface Mismatch {
  /** A JSON pointer into the improvement. */
  path: string;
  message: string;
}

/**
 * Checks an improvement against the JSON Schema in its log's request. Undefined where it matches, and where there is
 * nothing to check, because the request has no schema or was not kept.
 */
export type CheckImprovement = (
  log: Pick<LogRecord, 'api' | 'request'>,
  improvement: string,
) => Promise<Mismatch | undefined>;
