import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import { isJsonObject, parseJson } from '../../core/json.js';
import { skipSpace } from '../../core/json-scan.js';
import { asArray, asObject } from '../wire/values.js';

/*
 * A hundred vectors are a megabyte of numbers that the engine does not need. So they are cut out of the text before
 * the rest is parsed.
 */

const KEY = '"embedding"';
const BYTES_PER_NUMBER = 4;

/** The answer with only its first vector in the value; undefined where the vectors do not look as expected. */
export function openAnswer(text: string): JsonDocument | undefined {
  const pieces: string[] = [];
  let kept = 0;
  for (let key = text.indexOf(KEY); key !== -1; key = text.indexOf(KEY, Math.max(kept, key + 1))) {
    // The word `embedding` also occurs as a value, which names the kind of an item.
    if (!isKey(text, key + KEY.length)) continue;
    const start = vectorStart(text, key + KEY.length);
    const end = start === undefined ? -1 : text.indexOf(text[start] === '[' ? ']' : '"', start + 1);
    if (start === undefined || end === -1) return undefined;
    if (pieces.length === 0) pieces.push(text.slice(kept, end + 1));
    else pieces.push(text.slice(kept, start), 'null');
    kept = end + 1;
  }
  if (pieces.length === 0) return undefined;
  // Where a vector had another form than expected, the remaining text is not JSON.
  const value = parseJson(pieces.join('') + text.slice(kept));
  return isJsonObject(value) ? { text, value } : undefined;
}

function isKey(text: string, end: number): boolean {
  return text[skipSpace(text, end)] === ':';
}

/** Where the list of numbers or the string after a key begins. */
function vectorStart(text: string, from: number): number | undefined {
  const [found] = /^\s*:\s*(?=["[])/.exec(text.slice(from, from + 32)) ?? [];
  return found === undefined ? undefined : from + found.length;
}

/** The answer in the form of the log: the number of vectors, and the number of values in each. */
export function withoutVectors(body: JsonObject): JsonObject {
  const { data, ...rest } = body;
  const list = asArray(data);
  const first = asObject(list[0])?.embedding;
  const vectors = { count: list.length, dimensions: dimensionsOf(first) };
  return Object.hasOwn(rest, 'vectors') ? { ...rest, vectors } : { vectors, ...rest };
}

/** In base64, each number is a 32-bit float. */
function dimensionsOf(vector: JsonValue | undefined): number | null {
  if (Array.isArray(vector)) return vector.length;
  if (typeof vector !== 'string') return null;
  return Math.floor(Buffer.byteLength(vector, 'base64') / BYTES_PER_NUMBER);
}
