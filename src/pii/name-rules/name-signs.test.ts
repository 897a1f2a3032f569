import { expect, it } from 'vitest';
import { matchesAtWords, nameSigns } from './name-signs.js';
import { HAS_SIGN_OFF } from './told/told-rules.js';

const PATTERN = /(?:cheers|regards|yes)(?: and (?:cheers|regards))? \p{Lu}/uy;

function found(piece: string): string[] {
  nameSigns.in(`- ${piece}`, 2, piece.length + 2);
  return matchesAtWords(PATTERN, HAS_SIGN_OFF, piece, 2).map(({ 0: match }) => match);
}

it('a pattern is tried where a word of its list begins, and nowhere else', () => {
  expect(found('my cheers Ada, yes Ben, uncheers Cy, regards Dee')).toEqual(['cheers A', 'regards D']);
});

it('what one match has covered begins no other', () => {
  expect(found('regards and cheers Ada')).toEqual(['regards and cheers A']);
});
