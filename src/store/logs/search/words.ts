import type { LogRecord } from '../../../core/log-record.js';
import { searchTexts } from '../../../dialects/stored-texts.js';

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const MAX_WORD_UNITS = 64;
/** The most words of a log in the index. Each is an index entry, which is most of the cost of writing the log. */
const MAX_WORDS = 256;
const MAX_TEXT_UNITS = 65_536;

/** Letters of scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The words of a text as they are indexed: lower case, compatibility forms unified, without duplicates. Text without
 * spaces between words is indexed by pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (words.size >= MAX_WORDS) break;
    if (UNSPACED.test(word)) for (const pair of pairsOf(word)) words.add(pair);
    else if (word.length <= MAX_WORD_UNITS) words.add(word);
  }
  return [...words].slice(0, MAX_WORDS);
}

function pairsOf(word: string): string[] {
  const characters = [...word].slice(0, MAX_WORDS);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/**
 * The words of a log, of which the first 256 different ones count: those of the answer, then those of the request
 * from its last message to its first. 65,536 UTF-16 units of text are read.
 */
export function searchWords(log: Pick<LogRecord, 'api' | 'request' | 'response'>): string[] {
  return wordsOf([...searchTexts(log, MAX_TEXT_UNITS)].join('\n'));
}
