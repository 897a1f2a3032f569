/** What can be told of a pattern of RE2 by its source: how far its matches reach, and what it asks of their ends. */

const ESCAPED = /\\[\s\S]/g;
const SET = /\[\^?\]?(?:\[:\^?\w+:\]|[^\]])*\]/g;
const UNBOUNDED = /[*+]|\{\d*,\}/;
const REPEATS = /\{(?:\d*,)?(\d+)\}/g;
/** All that may match the end of a line. `\x`, `\p` and `\Q` are not read further. */
const MAY_MATCH_NEWLINE =
  /\\[snrvfWDCxpPQ0-7]|\[\^|\[:(?:\^|space|cntrl)|[\n\r]|\(\?[a-zA-Z]*s|\\$|-\\|\[[^\]]*[\0-\x1f]/;

/** The most UTF-16 units that a match can have. */
export function widthOfPattern(source: string): number {
  const plain = source.replaceAll(ESCAPED, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  if (UNBOUNDED.test(plain)) return Number.POSITIVE_INFINITY;
  const repeats = [...plain.matchAll(REPEATS)].map((match) => Number(match[1]));
  return repeats.reduce((width, times) => width * Math.max(1, times), plain.length);
}

/** Whether no match can go over the end of a line. False where that is not sure. */
export function staysInLine(source: string, flags: string): boolean {
  return !flags.includes('s') && !MAY_MATCH_NEWLINE.test(source);
}

/** Whether it asks for the beginning or the end of the text or of a line: `^`, `$`, `\A`, `\z`. */
export function hasAnchors(source: string): boolean {
  if (/\\[Az]/.test(source.replaceAll('\\\\', ''))) return true;
  return /[$^]/.test(source.replaceAll(ESCAPED, 'x').replaceAll(SET, 'x'));
}

/** Whether it asks for the border of a word: `\b`, `\B`. */
export function hasWordBorders(source: string): boolean {
  return /\\[bB]/.test(source.replaceAll('\\\\', ''));
}
