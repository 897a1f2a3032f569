/** How long a thread may work on one job, in milliseconds, before it is ended. */
export interface Deadlines {
  compileMs: number;
  /** A check whose time grows with the output alone. */
  steadyMs: number;
  /** A check whose time cannot be foreseen. */
  riskyMs: number;
}

export const DEADLINES: Deadlines = { compileMs: 200, steadyMs: 100, riskyMs: 50 };

/** Reading a large output takes time without any fault of the schema, so a check gets more for it. */
const CHARACTERS_PER_EXTRA_MS = 32_768;

export function checkDeadlineMs(baseMs: number, text: string): number {
  return Math.ceil(baseMs + text.length / CHARACTERS_PER_EXTRA_MS);
}
