/** Guesses the language of a text, and says which language's model reads its names. */
import { lean } from '../patterns/lean.js';
import { readWords } from '../words/words.js';

const {
  frequent: WORDS,
  nearest: NEAREST,
  letters,
} = readWords<'frequent' | 'nearest' | 'letters'>('languages');
/** Letters that count like a frequent word, with the languages that use them. */
const LETTERS = Object.entries(letters).map(
  ([some, languages]) => [new RegExp(`[${some}]`), languages.split('|')] as const,
);
const LANGUAGES = Object.keys(WORDS);
/** The languages in which each word is frequent. */
const FREQUENT = new Map<string, number[]>();
for (const [index, language] of LANGUAGES.entries()) {
  for (const word of WORDS[language]!.split('|')) {
    const languages = FREQUENT.get(word);
    if (languages === undefined) FREQUENT.set(word, [index]);
    else languages.push(index);
  }
}
/** The language is guessed from this many UTF-16 units. */
const LOOKED_AT = 1000;
const WORD = lean(/\p{L}+/gu);

/**
 * The language that most of the frequent words at the beginning of `text` belong to; English where there are none.
 */
export function guessLanguage(text: string): string {
  const start = text.slice(0, LOOKED_AT).toLowerCase();
  const votes = new Float64Array(LANGUAGES.length);
  for (const word of start.match(WORD) ?? []) {
    const languages = FREQUENT.get(word);
    // A word that is frequent in several languages counts less for each of them.
    if (languages !== undefined) for (const index of languages) votes[index]! += 1 / languages.length;
  }
  for (const [letters, languages] of LETTERS)
    if (letters.test(start))
      for (const one of languages) votes[LANGUAGES.indexOf(one)]! += 1 / languages.length;
  let best = 0;
  for (let index = 1; index < votes.length; index++) if (votes[index]! > votes[best]!) best = index;
  return LANGUAGES[best]!;
}

/** The language whose model reads names in `language`: the same one, a related one, or English. */
export function modelLanguage(language: string, models: readonly string[]): string {
  return models.includes(language) ? language : (NEAREST[language] ?? 'en');
}
