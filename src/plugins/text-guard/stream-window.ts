import { hasAnchors, hasWordBorders, widthOfPattern } from '../../pii/patterns/pattern-reach.js';

/*
 * How much of a stream the detector must see around a text. A finding that holds white space, with the words
 * that its score depends on, fits into `SPACED_UNITS`: names, dates, numbers written in groups. What holds none,
 * such as a web address, is kept back from its start until it has ended, and so costs other text no delay.
 */
export const SPACED_UNITS = 96;
/** A list's patterns are looked at as far as this; one that can match more needs the whole answer. */
const WIDEST_PATTERN = 2_048;
/** In the arguments of a call a letter beyond ASCII may stand as `\u00e9`. */
const BEYOND_ASCII = /[^\0-\x7f]/g;
const MORE_ESCAPED = 5;

/**
 * The window for these lists: their terms must fit in it too. Undefined where a pattern of the deny list has no
 * bound, or one asks for the beginning or end of the text, so that only the whole answer tells.
 */
export function streamWindowFor(
  denyList: readonly string[] = [],
  allowList: readonly string[] = [],
): number | undefined {
  if (denyList.some(isAnchored) || allowList.some((entry) => isAnchored(entry) || isLongBetweenWords(entry)))
    return undefined;
  const widths = [...denyList.map(widthOf), ...allowList.filter((entry) => !isPattern(entry)).map(widthOf)];
  const widest = Math.max(0, ...widths);
  // One unit more at each end tells whether a term is a whole word.
  return widest > WIDEST_PATTERN ? undefined : Math.max(SPACED_UNITS, widest + 2);
}

function isPattern(entry: string): boolean {
  return /^\/.+\/[a-z]*$/is.test(entry);
}

/** The most units that an entry can match, or more than that. */
function widthOf(entry: string): number {
  if (!isPattern(entry)) return entry.length + MORE_ESCAPED * (entry.match(BEYOND_ASCII)?.length ?? 0);
  return widthOfPattern(sourceOf(entry));
}

function sourceOf(entry: string): string {
  return entry.slice(1, entry.lastIndexOf('/'));
}

/** Where a text begins and ends is not known before all of it is there. */
function isAnchored(entry: string): boolean {
  return isPattern(entry) && hasAnchors(sourceOf(entry));
}

/** At the beginning of a window, where the word before is cut, it would allow too much. */
function isLongBetweenWords(entry: string): boolean {
  return isPattern(entry) && hasWordBorders(sourceOf(entry)) && widthOf(entry) > WIDEST_PATTERN;
}
