/** How long a thread may work on one job, in milliseconds, before it is terminated. */
export interface Deadlines {
  compileMs: number;
  /** For a validation whose time grows only with the length of the output. */
  steadyMs: number;
  /** For a validation whose time cannot be predicted. */
  riskyMs: number;
}

export const DEADLINES: Deadlines = { compileMs: 200, steadyMs: 100, riskyMs: 50 };

/**
 * For each this many characters of an output the deadline is a millisecond longer, because parsing takes time that is not the
 * schema's fault.
 */
const CHARACTERS_PER_EXTRA_MS = 32_768;

export function checkDeadlineMs(baseMs: number, text: string): number {
  return Math.ceil(baseMs + text.length / CHARACTERS_PER_EXTRA_MS);
}
