import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWords } from '../words/words.js';
import { guessLanguage } from './language.js';

const { frequent, letters } = readWords<'frequent' | 'letters'>('languages');
const languages = Object.keys(frequent);
const wordsOf = (language: string) => frequent[language]!.split('|');
const allWords = languages.flatMap(wordsOf);

/** What `guessLanguage` says, counted word by word and letter by letter. */
function counted(text: string): string {
  const small = text.slice(0, 1000).toLowerCase();
  const votes = languages.map(() => 0);
  const vote = (some: readonly string[]) => {
    for (const language of some) votes[languages.indexOf(language)]! += 1 / some.length;
  };
  for (const word of small.match(/\p{L}+/gu) ?? [])
    vote(languages.filter((language) => wordsOf(language).includes(word)));
  for (const [some, ofLanguages] of Object.entries(letters))
    if ([...some].some((letter) => small.includes(letter))) vote(ofLanguages.split('|'));
  return languages[votes.indexOf(Math.max(...votes))]!;
}

describe('the language of a text', () => {
  const word = fc.oneof(
    fc.constantFrom(...allWords),
    fc.constantFrom(...allWords).map((one) => one.toUpperCase()),
    fc.constantFrom('the2', 'a', 'zz', 'abcdefghijkl', 'Kelvin', 'étaient', '42', 'themes', 'andand', ''),
  );
  const text = fc
    .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', '. ', '\n', '-', "'", '_', '1', '`', '{', '')))
    .map((parts) => parts.flat().join(''));

  it('is that of most of its frequent words and letters', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(guessLanguage(one)).toBe(counted(one));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is that of a text of plain letters alone', () => {
    expect(guessLanguage('Der Vertrag ist noch nicht aus dem Haus.')).toBe('de');
    expect(guessLanguage('Le contrat est dans la boite avec les autres.')).toBe('fr');
    expect(guessLanguage('Muchas gracias por todo, obrigado.')).toBe('es');
    expect(guessLanguage('12345')).toBe('en');
  });
});
