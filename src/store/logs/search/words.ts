import { isJsonObject, type JsonValue } from '../../../core/json.js';

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const MAX_WORD_UNITS = 64;
/** Each word of a log is an entry in the index, and most of what writing the log costs. */
const MAX_WORDS = 256;
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

/** Prompts that are the same in many logs: their words come last. */
const STANDING_KEYS = new Set(['system', 'instructions']);

/**
 * The words of a log, of which the first 256 different ones count: those of the answer, then those of the request
 * from its last message to its first. Each body is searched in 65,536 UTF-16 units of text.
 */
export function searchWords(request: JsonValue, response: JsonValue): string[] {
  return wordsOf(`${bodyText(response)}\n${bodyText(request)}`);
}

interface Waiting {
  value: JsonValue;
  isText: boolean;
}

/** The texts of a body, what stands last first. A stack of its own: bodies are as deep as their senders like. */
function bodyText(body: JsonValue): string {
  const texts: string[] = [];
  let room = MAX_TEXT_UNITS;
  const waiting: Waiting[] = [{ value: body, isText: false }];
  const standing: Waiting[] = [];
  let taken = 0;
  while ((waiting.length > 0 || taken < standing.length) && room > 0) {
    const { value, isText } = waiting.pop() ?? (standing[taken++] as Waiting);
    if (typeof value === 'string') {
      if (!isText) continue;
      texts.push(value.slice(0, room));
      room -= value.length;
    } else if (Array.isArray(value)) {
      for (const item of value) waiting.push({ value: item, isText });
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        const member = { value: value[key] as JsonValue, isText: TEXT_KEYS.has(key) };
        if (STANDING_KEYS.has(key)) standing.push(member);
        else waiting.push(member);
      }
    }
  }
  return texts.join('\n');
}
