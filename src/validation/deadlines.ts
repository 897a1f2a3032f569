/** How long a thread may work on one job, in milliseconds, before it is terminated. */
export interface Deadlines {
  compileMs: number;
  /** A validation whose time grows only with the output. */
  steadyMs: number;
  /** A validation whose time cannot be predicted. */
  riskyMs: number;
}

export const DEADLINES: Deadlines = { compileMs: 200, steadyMs: 100, riskyMs: 50 };

/** Parsing a large output takes time that is not the schema's fault, so it gets more. */
const CHARACTERS_PER_EXTRA_MS = 32_768;

export function checkDeadlineMs(baseMs: number, text: string): number {
  return Math.ceil(baseMs + text.length / CHARACTERS_PER_EXTRA_MS);
}
