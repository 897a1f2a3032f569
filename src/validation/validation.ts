import type { Answer } from '../core/answer.js';
import type { JsonValue } from '../core/json.js';

/** Validates outputs against clients' schemas. Neither is trusted. */
export interface OutputValidation {
  /**
   * Compiles a schema, or takes it from the cache. Throws `invalid_json_schema` for a schema that is invalid, refers
   * to other documents, or is too large, too deep or too slow to compile.
   */
  prepare(schema: JsonValue): Promise<PreparedSchema>;
  /** Ends all threads. */
  close(): Promise<void>;
}

export interface PreparedSchema {
  check(value: string): Promise<CheckResult>;
}

/** Where and why an output is invalid. */
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

/** The result of validating a text. */
export type CheckResult = { valid: true } | ({ valid: false } & Failure);

/** The result for an answer. `answer` is set where a code fence was removed, with only the JSON in its place. */
export type Judgement = { valid: true; answer?: Answer } | ({ valid: false } & Failure);
