import { WordSigns } from '../patterns/word-signs.js';

/** The words that names are told by, of all rules: what of them a text may have is looked for once. */
export const nameSigns = new WordSigns();

/**
 * What `pattern`, which is sticky, matches from where a word of the list `bit` begins in `piece`, which begins at `from`
 * and is what `nameSigns` was asked for last: it is tried nowhere else.
 */
export function matchesAtWords(pattern: RegExp, bit: number, piece: string, from: number): RegExpExecArray[] {
  return matchesAtPlaces(pattern, nameSigns.placesOf(bit), piece, from);
}

/** The same for words that stand at `places`. */
export function matchesAtPlaces(
  pattern: RegExp,
  places: readonly number[],
  piece: string,
  from: number,
): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  let done = 0;
  for (const place of places) {
    const at = place - from;
    if (at < done) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(piece);
    if (match === null) continue;
    found.push(match);
    done = pattern.lastIndex;
  }
  return found;
}
