import { StringDecoder } from 'node:string_decoder';
import { type JsonDocument, type JsonValue, withoutRepeatedKeys } from '../json.js';
import { heavyWork, isHeavy } from './heavy-work.js';
import { parseInPieces, type ReadJson, stringifyInPieces } from './json-in-pieces.js';

/*
 * JSON of any size, for who can wait: a small text is read at once, a large one in pieces that wait for their turns.
 */

/** At most a few milliseconds of decoding. */
const PIECE_BYTES = 1024 * 1024;

/** UTF-8 as text. */
export async function decodeText(bytes: Buffer): Promise<string> {
  if (!isHeavy(bytes.length)) return bytes.toString('utf8');
  const decoder = new StringDecoder('utf8');
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await heavyWork.next();
    pieces.push(decoder.write(bytes.subarray(at, at + PIECE_BYTES)));
  }
  return pieces.join('') + decoder.end();
}

/** The value of a JSON text. Throws a SyntaxError. */
export async function readJson(text: string): Promise<ReadJson> {
  return isHeavy(text.length)
    ? parseInPieces(text, () => heavyWork.next())
    : { value: JSON.parse(text) as JsonValue };
}

export async function writeJson(value: JsonValue, size: number): Promise<string> {
  return isHeavy(size) ? stringifyInPieces(value, () => heavyWork.next()) : JSON.stringify(value);
}

/** As `withoutRepeatedKeys`. */
export async function onlyLastKeys(document: JsonDocument): Promise<JsonDocument> {
  const { text, value, repeatsKeys } = document;
  if (repeatsKeys !== true) return withoutRepeatedKeys(document);
  return { text: await writeJson(value, text.length), value, repeatsKeys: false };
}
