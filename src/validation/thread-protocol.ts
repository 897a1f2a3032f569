import type { CheckResult } from './validation.js';

/** What a thread can be asked. Everything in it is text or number, so that sending it costs little. */
export type Job =
  | { kind: 'compile'; schemaText: string }
  | { kind: 'check'; key: string; code: string; text: string };

/**
 * The start of the text of the check that follows. Copying twenty megabytes to a thread takes long enough to
 * hold up others, so a long text comes in pieces.
 */
export interface TextPiece {
  kind: 'piece';
  text: string;
}

/** A schema that was compiled, or why it could not be. */
export type CompileReply =
  | { kind: 'compiled'; code: string; cost: SchemaCost }
  | { kind: 'refused'; path: string; message: string };

export interface CheckReply {
  kind: 'checked';
  result: CheckResult;
}

export type Reply = CompileReply | CheckReply;

/** What is known of the work that a schema's check can make, before any output is seen. */
export interface SchemaCost {
  /**
   * Nodes of the schema with every reference unfolded: a bound on how often one place of an output is looked
   * at. Infinite where a reference leads back to itself.
   */
  unfoldedNodes: number;
  patterns: number;
  /** Whether a pattern needs the backtracking engine, whose time has no bound. */
  nativePatterns: boolean;
  /** Instructions of all linear-time patterns together; building them costs time too. */
  patternInstructions: number;
}

/** Whether a thread is to compile, and so makes ajv ready before it says that it is. */
export interface ThreadSetup {
  compiles: boolean;
}

/** Sent once by a thread when its modules are loaded; deadlines start after it. */
export interface Ready {
  kind: 'ready';
  /** The system's own number of the thread, by which its work can be told from its waiting. */
  threadId: string | undefined;
}
