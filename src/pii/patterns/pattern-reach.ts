/**
 * What the source of an RE2 pattern shows about its matches: how long they can be, and whether they depend on the
 * text around them.
 */

const ESCAPED = /\\[\s\S]/g;
const SET = /\[\^?\]?(?:\[:\^?\w+:\]|[^\]])*\]/g;
const UNBOUNDED = /[*+]|\{\d*,\}/;
const REPEATS = /\{(?:\d*,)?(\d+)\}/g;
/**
 * All parts of a pattern that may match the end of a line. `\x`, `\p` and `\Q` always count, because what they mean
 * is not examined.
 */
const MAY_MATCH_NEWLINE =
  /\\[snrvfWDCxpPQ0-7]|\[\^|\[:(?:\^|space|cntrl)|[\n\r]|\(\?[a-zA-Z]*s|\\$|-\\|\[[^\]]*[\0-\x1f]/;

/** The most UTF-16 units that a match can have; infinity where there is no limit. */
export function widthOfPattern(source: string): number {
  const plain = source.replaceAll(ESCAPED, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  if (UNBOUNDED.test(plain)) return Number.POSITIVE_INFINITY;
  const repeats = [...plain.matchAll(REPEATS)].map((match) => Number(match[1]));
  return repeats.reduce((width, times) => width * Math.max(1, times), plain.length);
}

/** Whether no match can contain the end of a line. False where that is not certain. */
export function staysInLine(source: string, flags: string): boolean {
  return !flags.includes('s') && !MAY_MATCH_NEWLINE.test(source);
}

/** Whether the pattern requires the beginning or end of the text or of a line: `^`, `$`, `\A`, `\z`. */
export function hasAnchors(source: string): boolean {
  if (/\\[Az]/.test(source.replaceAll('\\\\', ''))) return true;
  return /[$^]/.test(source.replaceAll(ESCAPED, 'x').replaceAll(SET, 'x'));
}

/** Whether the pattern requires a word boundary or its absence: `\b`, `\B`. */
export function hasWordBorders(source: string): boolean {
  return /\\[bB]/.test(source.replaceAll('\\\\', ''));
}
