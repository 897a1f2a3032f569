/**
 * The first word of a name, and the words behind and before it. Most rules know a few of them by a pattern; these lists
 * tell sooner, and for all of them at once, that theirs does not stand there.
 */
import { CLASS_LETTER, CLASS_MARK, CLASS_UPPER, charClass } from '../model/characters.js';
import { WordSigns } from '../patterns/word-signs.js';

const BLANK = 0x20;
const COMMA = 0x2c;
const APOSTROPHES: readonly number[] = [0x27, 0x2019];
/** No word of a list is as long. */
const LONGEST_WORD = 24;
const OPENING_QUOTES = new Set('"\'“«„');

/** Of the words that names begin with. */
export const firstWords = new WordSigns();
const LISTED = firstWords.bit();

/** Tells `mayBeListed` of sets of names. */
export function haveListed(...sets: readonly Iterable<string>[]): void {
  for (const names of sets) firstWords.addNames(names, LISTED);
}

/** Whether the name at `start` may be in one of these sets, told by its first word: most are in none. */
export function mayBeListed(text: string, start: number): boolean {
  return (firstWords.at(text, start) & LISTED) !== 0 || !isOfWord(text.charCodeAt(start));
}

/** Of the words that a blank parts from the end of a name; a comma or `'s` may stand before the blank. */
export const wordsBehind = new WordSigns();
/** Of the words, perhaps with a stop, that a blank, and perhaps a quote, parts from the beginning of a name. */
export const wordsBefore = new WordSigns();

/** What a pattern of words may begin with: a comma or `'s`, and a blank. */
const BEFORE_WORDS = /^\^(?:,\?|\(\?:\['’\]s\)\?|\(\?:\['’\]s\|\['’\]\| s\)\?)? /;
/** What ends its words. */
const BEHIND_WORDS = /^(?:\$|\(\?[!=]|\(\?: |\(\?:\$| \\p)/;

/** The part of `^(?:a|b c)(?!\p{L})` that has its words, for a list: up to what only looks on. */
export function wordsOf({ source }: RegExp): string {
  const words = source.replace(BEFORE_WORDS, '').replace(/^\^/, '');
  let depth = 0;
  for (let at = 0; at < words.length; at++) {
    if (depth === 0 && BEHIND_WORDS.test(words.slice(at, at + 8))) return words.slice(0, at);
    if (words[at] === '(') depth++;
    else if (words[at] === ')') depth--;
  }
  return words;
}

/** The lists of `wordsBehind` that may have the word behind a name that ends at `end`. */
export function listsBehind(text: string, end: number): number {
  let at = end;
  const unit = text.charCodeAt(at);
  if (unit === COMMA) at++;
  else if (APOSTROPHES.includes(unit)) at += text[at + 1] === 's' ? 2 : 1;
  return text.charCodeAt(at) === BLANK ? wordsBehind.at(text, at + 1) : 0;
}

/** The lists of `wordsBefore` that may have the word before a name that begins at `start`. */
export function listsBefore(text: string, start: number): number {
  let end = start - 1;
  if (end > 0 && OPENING_QUOTES.has(text[end]!)) end--;
  if (end <= 0 || text.charCodeAt(end) !== BLANK) return 0;
  let at = end;
  if (text[at - 1] === '.') at--;
  while (at > 0 && end - at < LONGEST_WORD && isOfWord(text.charCodeAt(at - 1))) at--;
  return wordsBefore.at(text, at);
}

function isOfWord(unit: number): boolean {
  const kind = charClass[unit];
  return kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK;
}

/** Whether a small letter, or one without case, stands at `at`. */
export function isSmallAt(text: string, at: number): boolean {
  return charClass[text.charCodeAt(at)] === CLASS_LETTER;
}

export function isCapitalAt(text: string, at: number): boolean {
  return charClass[text.charCodeAt(at)] === CLASS_UPPER;
}

/** Whether a small letter stands behind a blank. */
export function hasSmallWord(found: string): boolean {
  for (let at = found.indexOf(' '); at >= 0; at = found.indexOf(' ', at + 1))
    if (isSmallAt(found, at + 1)) return true;
  return false;
}
