import type { Answer } from '../core/answer.js';
import type { JsonValue } from '../core/json.js';

/** Checks outputs against the schemas that clients send. Both sides are untrusted. */
export interface OutputValidation {
  /**
   * Compiles a schema, or takes it from the cache. Throws `invalid_json_schema` for one that is no valid JSON
   * Schema, refers outside itself, or is too large, too deep or too slow to compile.
   */
  prepare(schema: JsonValue): Promise<PreparedSchema>;
  /** Ends its threads. */
  close(): Promise<void>;
}

export interface PreparedSchema {
  check(value: string): Promise<CheckResult>;
}

/** Where and why a text is no valid output. `path` is a JSON pointer into the output. */
export type CheckResult = { valid: true } | { valid: false; path: string; message: string };

/** `answer` is set where a fence was unwrapped, with the bare JSON in its place. */
export type Judgement = { valid: true; answer?: Answer } | { valid: false; path: string; message: string };
