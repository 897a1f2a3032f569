/** Searches a whole text for a pattern in stretches, so that each step is bounded. */
import { matchesOf } from './matches-of.js';

/** Whether a match can begin with the line [start, end). */
export type LineSign = (text: string, start: number, end: number) => boolean;

/** The UTF-16 units that are searched in one step. No match is longer. */
const STRETCH = 32_768;
const REACH = 2048;

export interface Match {
  start: number;
  end: number;
  groups: Record<string, string>;
}

/**
 * The matches of `pattern` in `text`. Each stretch is searched only where it contains a match of all patterns in
 * `needed`.
 */
export function* allOf(
  pattern: RegExp,
  text: string,
  ...needed: readonly RegExp[]
): Generator<void, Match[]> {
  const found: Match[] = [];
  for (let from = 0; from < text.length; from += STRETCH) {
    // The pattern also sees one unit before the stretch, to know whether a word begins there.
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

/** The matches of a sticky `pattern` at the beginnings of lines for which `mayBegin` is true. */
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

/**
 * The end of a line; undefined where it is longer than one stretch, because no pattern for lines matches such a line.
 */
function lineEnd(text: string, start: number): number | undefined {
  const end = text.slice(start, start + STRETCH).indexOf('\n');
  if (end >= 0) return start + end;
  return start + STRETCH < text.length ? undefined : text.length;
}

/** The start of the line after a long one. */
function* behindLongLine(text: string, start: number): Generator<void, number> {
  for (let at = start; at < text.length; at += STRETCH) {
    const end = text.slice(at, at + STRETCH).indexOf('\n');
    if (end >= 0) return at + end + 1;
    yield;
  }
  return text.length;
}
