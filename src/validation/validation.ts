import type { Answer } from '../core/answer.js';
import type { JsonValue } from '../core/json.js';

/** Validates outputs against clients' schemas. Both are untrusted. */
export interface OutputValidation {
  /**
   * Compiles a schema, or takes it from the cache. Throws `invalid_json_schema` for a schema that is invalid, refers
   * to other documents, or is too large, too deep or too slow to compile.
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
  /** The message without names of the output's properties, where it contains such names. */
  nameless?: string;
  /** The text, or the arguments, that failed. */
  output?: string;
  /** The call whose arguments failed. */
  call?: { id: string; name: string };
}

/** Whether a text is a valid output. */
export type CheckResult = { valid: true } | ({ valid: false } & Failure);

/** `answer` is set where a fence was removed, with the bare JSON in its place. */
export type Judgement = { valid: true; answer?: Answer } | ({ valid: false } & Failure);
