import { hasAnchors, hasWordBorders, widthOfPattern } from '../../pii/patterns/pattern-reach.js';

/*
 * How much of a stream the detector must see around a text. A finding with white space, such as a name, a date or
 * grouped digits, fits into `SPACED_UNITS` together with the words that its score depends on. Text without white
 * space, such as a web address, is held back from its start until it ends, which delays no other text.
 */
export const SPACED_UNITS = 96;
/** The longest match that a pattern in a list may have. A pattern that can match more needs the whole answer. */
const WIDEST_PATTERN = 2_048;
/** In the arguments of tool calls, a character beyond ASCII may be written as `\u00e9`. */
const BEYOND_ASCII = /[^\0-\x7f]/g;
const MORE_ESCAPED = 5;

/**
 * The window for these lists; their terms must fit into it. Undefined where the whole answer is needed: a pattern of
 * the deny list has no limited length, or depends on the beginning or end of the text.
 */
export function streamWindowFor(
  denyList: readonly string[] = [],
  allowList: readonly string[] = [],
): number | undefined {
  if (denyList.some(isAnchored) || allowList.some((entry) => isAnchored(entry) || isLongBetweenWords(entry)))
    return undefined;
  const widths = [...denyList.map(widthOf), ...allowList.filter((entry) => !isPattern(entry)).map(widthOf)];
  const widest = Math.max(0, ...widths);
  // One unit more at each end, to see whether a term is a whole word.
  return widest > WIDEST_PATTERN ? undefined : Math.max(SPACED_UNITS, widest + 2);
}

function isPattern(entry: string): boolean {
  return /^\/.+\/[a-z]*$/is.test(entry);
}

/** The most units that an entry of a list can match. */
function widthOf(entry: string): number {
  if (!isPattern(entry)) return entry.length + MORE_ESCAPED * (entry.match(BEYOND_ASCII)?.length ?? 0);
  return widthOfPattern(sourceOf(entry));
}

function sourceOf(entry: string): string {
  return entry.slice(1, entry.lastIndexOf('/'));
}

/**
 * Whether a pattern depends on the beginning or end of the text. These are known only when the whole text has
 * arrived.
 */
function isAnchored(entry: string): boolean {
  return isPattern(entry) && hasAnchors(sourceOf(entry));
}

/**
 * Whether a long pattern depends on word boundaries. At the beginning of a window the previous word may be cut, so
 * such a pattern would allow too much.
 */
function isLongBetweenWords(entry: string): boolean {
  return isPattern(entry) && hasWordBorders(sourceOf(entry)) && widthOf(entry) > WIDEST_PATTERN;
}
