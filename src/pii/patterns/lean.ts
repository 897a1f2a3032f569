import { readWords } from '../words/words.js';

/**
 * Patterns with few ranges for letters. V8 makes eight kilobytes of machine code for each `\p{L}`, and with 16 MB of it
 * none for further patterns: these are interpreted then, which takes fifteen times as long (`TooMuchRegExpCode` in its
 * `regexp.cc`). A few ranges need a twentieth of that. What is taken in besides are marks and figures between letters of
 * scripts that no pattern here knows; letters beyond U+FFFF are left out.
 */
const RANGES = readWords<'classes'>('characters').classes;
/** An escaped unit, a class of all letters, marks or figures, or the beginning or end of a set. */
const PART = /\\p\{([LMN])\}|\\.|[[\]]/gsu;

/** The same pattern, with ranges for `\p{L}`, `\p{M}` and `\p{N}`. */
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
