import type { JsonObject } from '../../../core/json.js';
import { bytesOf, type DataUrl, isDataUrl, readDataUrl } from './data-url.js';
import { encodingOf } from './encodings.js';
import { isBinary } from './file-kind.js';

/*
 * Models get files as base64 or in `data:` URLs. A model reads a text file as text, whatever its declared type is, so
 * a guard must read it too.
 */

/** The text of a file, and a function that writes a changed text in its place. */
export interface EncodedText {
  text: string;
  encode(text: string): string;
}

const TEXT_TYPE =
  /^(?:text\/|application\/(?:json|jsonl|xml|yaml|x-yaml|x-ndjson|javascript|sql|csv)(?![\w.-])|[\w.-]+\/[\w.-]+\+(?:json|xml)(?![\w.-]))/i;
/** How many bytes show whether a file is text, where its type does not say so. */
const LOOKED_AT = 768;
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
/** How many letters of base64, including white space between them, are read for that. */
const LETTERS_LOOKED_AT = 4_096;

/**
 * Lines of base64 have 60 letters or more. Shorter groups with spaces between them may be something that a person
 * wrote.
 */
const FEWEST_LETTERS_OF_A_LINE = 40;

/**
 * The text in a file. Undefined where `value` is not a file, or one without text. `holder` is the object that contains it. A
 * value in groups, such as a card number, is shown both as it is written and decoded, because some servers skip the blanks.
 */
export function textInBytes(value: string, holder: JsonObject): EncodedText | undefined {
  const decoded = decodedText(value, holder);
  if (isDataUrl(value) || !isInGroups(value)) return decoded;
  if (decoded === undefined) return { text: value, encode: (changed) => changed };
  const before = `${value}\n`;
  return {
    text: before + decoded.text,
    encode: (changed) =>
      changed.startsWith(before) ? decoded.encode(changed.slice(before.length)) : changed,
  };
}

function isInGroups(value: string): boolean {
  const groups = value.trim().split(/\s+/);
  return groups.slice(0, -1).some(({ length }) => length < FEWEST_LETTERS_OF_A_LINE);
}

function decodedText(value: string, holder: JsonObject): EncodedText | undefined {
  const url = isDataUrl(value) ? readDataUrl(value) : plainFile(value, holder);
  if (url === undefined || url.data === '' || !holdsText(url)) return undefined;
  const { head, isBase64, charset } = url;
  const bytes = bytesOf(url);
  const encoding = encodingOf(bytes, charset);
  const text = encoding.decode(bytes);
  return {
    text,
    encode: (changed) => {
      const written = encoding.encode(changed);
      return head + (isBase64 ? written.toString('base64') : escaped(written));
    },
  };
}

/** A file in plain base64. A value with a colon is a URL and not a file. */
function plainFile(value: string, holder: JsonObject): DataUrl | undefined {
  if (value.includes(':')) return undefined;
  const [, type = '', charset = ''] = /^([^;]*)(?:.*?charset="?([\w.:-]+))?/i.exec(typeIn(holder)) ?? [];
  return { head: '', type, charset: charset.toLowerCase(), isBase64: true, data: value };
}

/** The media type, from the member that an API has for it next to the data. */
function typeIn({ media_type, mime_type, mimeType }: JsonObject): string {
  const type = media_type ?? mimeType ?? mime_type;
  // A JSON object with a member `toString` cannot be converted to a string.
  return typeof type === 'string' ? type : '';
}

function holdsText(url: DataUrl): boolean {
  const beginning = bytesOf({ ...url, data: url.data.slice(0, LETTERS_LOOKED_AT) }).subarray(0, LOOKED_AT);
  if (isBinary(beginning)) return false;
  if (TEXT_TYPE.test(url.type)) return true;
  return !NO_TEXT.test(encodingOf(beginning, url.charset).decode(beginning));
}

/** Encodes bytes for a `data:` URL without base64. */
function escaped(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(
      /[^\w.~!*'()-]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
}
