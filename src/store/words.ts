import { isJsonObject, type JsonValue } from '../core/json.js';

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const MAX_WORD_UNITS = 64;
const MAX_WORDS = 1000;
const MAX_TEXT_UNITS = 65_536;

/** Where the three APIs keep what people and models say. Other texts, such as ids and pictures, are not searched. */
const TEXT_KEYS = new Set([
  'content',
  'text',
  'input',
  'instructions',
  'system',
  'output',
  'arguments',
  'refusal',
  'reasoning',
  'thinking',
]);

/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The words of a text as they are searched: in lower case, compatibility forms unified, each once. A text that
 * has no spaces between its words is searched by its pairs of characters.
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
 * The words of a request and its answer. Each body is searched in its first 65,536 UTF-16 units of text, and
 * a log by its first 1000 different words, so that one long document cannot fill the index.
 */
export function searchWords(...bodies: JsonValue[]): string[] {
  return wordsOf(bodies.map(bodyText).join('\n'));
}

function bodyText(body: JsonValue): string {
  const texts: string[] = [];
  let room = MAX_TEXT_UNITS;
  // A stack of its own: bodies are as deep as their senders like. Children are pushed in reverse to keep their order.
  const waiting: { value: JsonValue; isText: boolean }[] = [{ value: body, isText: false }];
  while (waiting.length > 0 && room > 0) {
    const { value, isText } = waiting.pop() as { value: JsonValue; isText: boolean };
    if (typeof value === 'string') {
      if (!isText) continue;
      texts.push(value.slice(0, room));
      room -= value.length;
    } else if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) waiting.push({ value: value[i] as JsonValue, isText });
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value).reverse()) {
        waiting.push({ value: value[key] as JsonValue, isText: TEXT_KEYS.has(key) });
      }
    }
  }
  return texts.join('\n');
}
