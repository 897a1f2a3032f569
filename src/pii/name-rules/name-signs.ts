import { WordSigns } from '../word-signs.js';

/** The words that names are told by, of all rules: what of them a text may have is looked for once. */
export const nameSigns = new WordSigns();

/** What `pattern`, which is sticky, matches in `piece` from where a word of the list `bit` begins: it is tried nowhere else. */
export function matchesAtWords(pattern: RegExp, bit: number, piece: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  let done = 0;
  for (const at of nameSigns.placesOf(bit, piece, 0, piece.length)) {
    if (at < done) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(piece);
    if (match === null) continue;
    found.push(match);
    done = pattern.lastIndex;
  }
  return found;
}
