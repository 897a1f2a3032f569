/** Searches a whole text for a pattern stretch by stretch, so that each step is bounded. */
import { matchesOf } from '../../matches-of.js';

/** Units that are searched in one step, and more than the longest match has. */
const STRETCH = 32_768;
const REACH = 2048;

export interface Match {
  start: number;
  end: number;
  groups: Record<string, string>;
}

/** What `pattern` matches in `text`, searched where all of `needed` are found. */
export function* allOf(
  pattern: RegExp,
  text: string,
  ...needed: readonly RegExp[]
): Generator<void, Match[]> {
  const found: Match[] = [];
  for (let from = 0; from < text.length; from += STRETCH) {
    // One unit more in front, so that the pattern sees whether a line begins here.
    const start = Math.max(0, from - 1);
    const piece = text.slice(start, from + STRETCH + REACH);
    const matches = needed.every((sign) => sign.test(piece)) ? matchesOf(piece, pattern) : [];
    for (const { index, 0: match, groups } of matches) {
      const at = start + index;
      if (at >= from && at < from + STRETCH)
        found.push({ start: at, end: at + match.length, groups: groups! });
    }
    yield;
  }
  return found;
}

export function* stretchesOf(text: string): Generator<{ piece: string; start: number }> {
  for (let start = 0; start < text.length; start += STRETCH)
    yield { piece: text.slice(start, start + STRETCH), start };
}
