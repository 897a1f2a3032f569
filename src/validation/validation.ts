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

/** Where and why an output is not valid. */
export interface Failure {
  /** A JSON pointer into the output. */
  path: string;
  message: string;
  /** The message without names of the output's properties, where it has such names. */
  nameless?: string;
  /** The text, or the arguments, that failed. */
  output?: string;
  /** The call whose arguments failed. */
  call?: { id: string; name: string };
}

/** Whether a text is a valid output. */
export type CheckResult = { valid: true } | ({ valid: false } & Failure);

/** `answer` is set where a fence was unwrapped, with the bare JSON in its place. */
export type Judgement = { valid: true; answer?: Answer } | ({ valid: false } & Failure);
