import type { CheckResult } from './validation.js';

/** The jobs of a thread. They contain only text and numbers, so that sending them is cheap. */
export type Job =
  | { kind: 'compile'; schemaText: string }
  | { kind: 'check'; key: string; code: string; text: string };

/**
 * The beginning of the text of the next validation. Copying twenty megabytes to a thread would block other work, so a long
 * text is sent in pieces.
 */
export interface TextPiece {
  kind: 'piece';
  text: string;
}

/** A compiled schema, or why it could not be compiled. */
export type CompileReply =
  | { kind: 'compiled'; code: string; cost: SchemaCost }
  | { kind: 'refused'; path: string; message: string };

export interface CheckReply {
  kind: 'checked';
  result: CheckResult;
}

export type Reply = CompileReply | CheckReply;

/** What is known about the cost of a schema's validation before there is any output. */
export interface SchemaCost {
  /**
   * The number of nodes of the schema with every reference replaced by its target, which limits how often one place of an
   * output is examined. Infinite where a reference leads back to itself.
   */
  unfoldedNodes: number;
  patterns: number;
  /** Whether a pattern needs the backtracking engine, whose time has no limit. */
  nativePatterns: boolean;
  /** The number of instructions of all linear-time patterns, because building them takes time too. */
  patternInstructions: number;
}

/** Whether the thread compiles schemas, and so prepares ajv before it reports that it is ready. */
export interface ThreadSetup {
  compiles: boolean;
}

/** Sent once by a thread when its modules are loaded. Deadlines start then. */
export interface Ready {
  kind: 'ready';
  /** The system's id of the thread, by which its work can be distinguished from waiting. */
  threadId: string | undefined;
}
