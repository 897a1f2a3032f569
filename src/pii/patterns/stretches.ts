/** Searches a whole text for a pattern stretch by stretch, so that each step is bounded. */
import { matchesOf } from './matches-of.js';

/** Whether what is looked for can begin at `start`, where a line begins that ends at `end`. */
export type LineSign = (text: string, start: number, end: number) => boolean;

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
    // One unit more in front, so that the pattern sees what a word begins behind.
    const start = Math.max(0, from - 1);
    const piece = text.slice(start, from + STRETCH + REACH);
    const matches = needed.every((sign) => sign.test(piece)) ? matchesOf(piece, pattern) : [];
    for (const { index, 0: match, groups } of matches) {
      const at = start + index;
      if (at >= from && at < from + STRETCH)
        found.push({ start: at, end: at + match.length, groups: groups! });
    }
    if (text.length > STRETCH) yield;
  }
  return found;
}

/** What `pattern`, which is sticky, matches from the beginning of a line, tried at lines of which `mayBegin` holds. */
export function* allOfLines(pattern: RegExp, text: string, mayBegin: LineSign): Generator<void, Match[]> {
  const found: Match[] = [];
  let searched = 0;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    if (end === undefined) {
      start = searched = yield* behindLongLine(text, start);
      continue;
    }
    pattern.lastIndex = start;
    const match = mayBegin(text, start, end) ? pattern.exec(text) : null;
    if (match !== null) found.push({ start, end: pattern.lastIndex, groups: match.groups! });
    start = Math.max(end + 1, pattern.lastIndex);
    if (start - searched < STRETCH) continue;
    searched = start;
    yield;
  }
  return found;
}

/** None where the line is longer than one stretch: no pattern for lines matches it. */
function lineEnd(text: string, start: number): number | undefined {
  const end = text.slice(start, start + STRETCH).indexOf('\n');
  if (end >= 0) return start + end;
  return start + STRETCH < text.length ? undefined : text.length;
}

/** Where the next line begins. */
function* behindLongLine(text: string, start: number): Generator<void, number> {
  for (let at = start; at < text.length; at += STRETCH) {
    const end = text.slice(at, at + STRETCH).indexOf('\n');
    if (end >= 0) return at + end + 1;
    yield;
  }
  return text.length;
}
