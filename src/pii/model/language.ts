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
/** A longer word is in none of the lists. */
const LONGEST = Math.max(...[...FREQUENT.keys()].map(({ length }) => length));
/** Words of at most this many ASCII letters, by a number with five bits for each letter. */
const MOST_PACKED = 6;
const BEFORE_A = 0x60;
const PACKED = new Map(
  [...FREQUENT].filter(([word]) => isPackable(word)).map(([word, languages]) => [packed(word), languages]),
);
/** The language is guessed from this many UTF-16 units. */
const LOOKED_AT = 1000;
const WORD = lean(/\p{L}+/gu);
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * The language that most of the frequent words at the beginning of `text` belong to; English where there are none.
 */
export function guessLanguage(text: string): string {
  const start = text.slice(0, LOOKED_AT).toLowerCase();
  const votes = new Float64Array(LANGUAGES.length);
  if (BEYOND_ASCII.test(start)) {
    for (const word of start.match(WORD) ?? []) vote(FREQUENT.get(word), votes);
    for (const [letters, languages] of LETTERS)
      if (letters.test(start))
        for (const one of languages) votes[LANGUAGES.indexOf(one)]! += 1 / languages.length;
  } else voteByPlainWords(start, votes);
  let best = 0;
  for (let index = 1; index < votes.length; index++) if (votes[index]! > votes[best]!) best = index;
  return LANGUAGES[best]!;
}

/** Counts a word for the languages in which it is frequent: less for each where there are several. */
function vote(languages: readonly number[] | undefined, votes: Float64Array): void {
  if (languages !== undefined) for (const index of languages) votes[index]! += 1 / languages.length;
}

/** Counts the words of a text without capital letters and letters beyond ASCII. A pattern takes three times as long. */
function voteByPlainWords(text: string, votes: Float64Array): void {
  let length = 0;
  let number = 0;
  for (let at = 0; at <= text.length; at++) {
    const letter = text.charCodeAt(at) - BEFORE_A;
    if (letter >= 1 && letter <= 26) {
      length++;
      number = ((number << 5) | letter) & 0x3fffffff;
      continue;
    }
    if (length === 0) continue;
    if (length <= MOST_PACKED) vote(PACKED.get(number), votes);
    else if (length <= LONGEST) vote(FREQUENT.get(text.slice(at - length, at)), votes);
    length = 0;
    number = 0;
  }
}

function isPackable(word: string): boolean {
  return word.length <= MOST_PACKED && /^[a-z]+$/.test(word);
}

function packed(word: string): number {
  let number = 0;
  for (let at = 0; at < word.length; at++) number = (number << 5) | (word.charCodeAt(at) - BEFORE_A);
  return number;
}

/** The language whose model reads names in `language`: the same one, a related one, or English. */
export function modelLanguage(language: string, models: readonly string[]): string {
  return models.includes(language) ? language : (NEAREST[language] ?? 'en');
}
