import { StringDecoder } from 'node:string_decoder';
import { type JsonDocument, type JsonObject, type JsonValue, withoutRepeatedKeys } from '../json.js';
import { heavyWork, isHeavy } from './heavy-work.js';
import { parseInPieces, type ReadJson, stringifyInPieces } from './json-in-pieces.js';
import type { MaybePromise } from './maybe-promise.js';

/*
 * JSON of any size, for callers that can wait. A small text is parsed at once, a large one in pieces that take turns.
 */

/** The bytes that are decoded in one step, which takes a few milliseconds at most. */
const PIECE_BYTES = 1024 * 1024;

/** Decodes UTF-8. */
export function decodeText(bytes: Buffer): MaybePromise<string> {
  return isHeavy(bytes.length) ? decodeInPieces(bytes) : bytes.toString('utf8');
}

async function decodeInPieces(bytes: Buffer): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await heavyWork.next();
    pieces.push(decoder.write(bytes.subarray(at, at + PIECE_BYTES)));
  }
  return pieces.join('') + decoder.end();
}

const NO_BYTES = Buffer.alloc(0);

/** Encodes a text as UTF-8. */
export function encodeText(text: string): MaybePromise<Buffer> {
  if (text === '') return NO_BYTES;
  return text.length > PIECE_BYTES ? encodeInPieces(text) : Buffer.from(text);
}

async function encodeInPieces(text: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    await heavyWork.next();
    const end = wholeCharacters(text, at + PIECE_BYTES);
    pieces.push(Buffer.from(text.slice(at, end)));
    at = end;
  }
  return Buffer.concat(pieces);
}

/** The nearest offset, at or before this one, that does not split a surrogate pair. */
function wholeCharacters(text: string, offset: number): number {
  const code = text.charCodeAt(offset - 1);
  return offset < text.length && code >= 0xd800 && code <= 0xdbff ? offset - 1 : offset;
}

/** Parses a JSON text. Throws a SyntaxError. */
export function readJson(text: string): MaybePromise<ReadJson> {
  return isHeavy(text.length) ? readInPieces(text) : { value: JSON.parse(text) as JsonValue };
}

/** The work begins in a later step than the caller's. */
async function readInPieces(text: string): Promise<ReadJson> {
  await heavyWork.next();
  return parseInPieces(text, () => heavyWork.next());
}

/** Does the same as `withoutRepeatedKeys`, but only for a large document has the parser recorded whether keys repeat. */
export function onlyLastKeys(document: JsonDocument): MaybePromise<JsonDocument> {
  return document.repeatsKeys === true ? writtenAnew(document.value) : withoutRepeatedKeys(document);
}

async function writtenAnew(value: JsonObject): Promise<JsonDocument> {
  return { text: await stringifyInPieces(value, () => heavyWork.next()), value, repeatsKeys: false };
}
