/** Guesses the language of a text, and says which language's model reads its names. */
import { lean } from '../patterns/lean.js';
import { isAscii } from '../patterns/units.js';
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
/** The languages in which a word is frequent, and what each of them gets for the word: less where there are several. */
interface Vote {
  languages: number[];
  share: number;
}
const FREQUENT = new Map<string, Vote>();
for (const [index, language] of LANGUAGES.entries()) {
  for (const word of WORDS[language]!.split('|')) {
    const vote = FREQUENT.get(word) ?? { languages: [], share: 0 };
    vote.languages.push(index);
    vote.share = 1 / vote.languages.length;
    FREQUENT.set(word, vote);
  }
}
/** A longer word is in none of the lists. */
const LONGEST = Math.max(...[...FREQUENT.keys()].map(({ length }) => length));
/** Words of at most this many ASCII letters, by a number with five bits for each letter. */
const MOST_PACKED = 6;
const BEFORE_A = 0x60;
/** What a small ASCII letter has and its capital has not. */
const CASE = 0x20;
const PACKED = new Map(
  [...FREQUENT].filter(([word]) => isPackable(word)).map(([word, vote]) => [packed(word), vote]),
);
/** The language is guessed from this many UTF-16 units. */
const LOOKED_AT = 1000;
const WORD = lean(/\p{L}+/gu);

/** The votes for each language. Texts are read one after the other, so all of them use it. */
const votes = new Float64Array(LANGUAGES.length);

/**
 * The language that most of the frequent words at the beginning of `text` belong to; English where there are none.
 */
export function guessLanguage(text: string): string {
  const start = text.slice(0, LOOKED_AT);
  votes.fill(0);
  if (isAscii(start)) voteByPlainWords(start);
  else voteByAllWords(start.toLowerCase());
  let best = 0;
  for (let index = 1; index < votes.length; index++) if (votes[index]! > votes[best]!) best = index;
  return LANGUAGES[best]!;
}

function count(vote: Vote | undefined): void {
  if (vote === undefined) return;
  const { languages, share } = vote;
  for (let k = 0; k < languages.length; k++) votes[languages[k]!]! += share;
}

function voteByAllWords(text: string): void {
  for (const word of text.match(WORD) ?? []) count(FREQUENT.get(word));
  for (const [letters, languages] of LETTERS)
    if (letters.test(text))
      for (const one of languages) votes[LANGUAGES.indexOf(one)]! += 1 / languages.length;
}

/** Counts the words of a text without letters beyond ASCII. A pattern takes three times as long. */
function voteByPlainWords(text: string): void {
  let length = 0;
  let number = 0;
  for (let at = 0; at <= text.length; at++) {
    // In either case; the end of the text is no letter.
    const letter = (text.charCodeAt(at) | CASE) - BEFORE_A;
    if (letter >= 1 && letter <= 26) {
      length++;
      number = ((number << 5) | letter) & 0x3fffffff;
      continue;
    }
    if (length === 0) continue;
    if (length <= MOST_PACKED) count(PACKED.get(number));
    else if (length <= LONGEST) count(FREQUENT.get(text.slice(at - length, at).toLowerCase()));
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
