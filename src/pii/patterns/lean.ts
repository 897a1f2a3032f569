import { readWords } from '../words/words.js';

/**
 * Patterns with few character ranges. V8 creates eight kilobytes of machine code for each `\p{L}`. When it has 16 MB
 * of it, it interprets all further patterns, which takes fifteen times as long (`TooMuchRegExpCode` in its
 * `regexp.cc`). A few ranges need a twentieth of that. They also contain marks and digits between the letters of
 * scripts that no pattern here uses, and leave out letters beyond U+FFFF.
 */
const RANGES = readWords<'classes'>('characters').classes;
/**
 * One part of a pattern: an escaped unit, a class of all letters, marks or digits, or the beginning or end of a set.
 */
const PART = /\\p\{([LMN])\}|\\.|[[\]]/gsu;

/** The same pattern, with ranges in place of `\p{L}`, `\p{M}` and `\p{N}`. */
export function lean(pattern: RegExp | string, flags?: string): RegExp {
  const source = typeof pattern === 'string' ? pattern : pattern.source;
  let isInSet = false;
  const ranged = source.replace(PART, (part, letter?: string) => {
    if (letter !== undefined) return isInSet ? RANGES[letter]! : `[${RANGES[letter]!}]`;
    if (part === '[') isInSet = true;
    if (part === ']') isInSet = false;
    return part;
  });
  return new RegExp(ranged, flags ?? (typeof pattern === 'string' ? '' : pattern.flags));
}
