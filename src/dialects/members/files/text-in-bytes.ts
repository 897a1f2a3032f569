import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../../core/json.js';

/*
 * Files go to models as base64. Where one holds text, a model reads it as text, and so must a guard.
 */

/** The text of a file, and how a changed one is written in its place. */
export interface EncodedText {
  text: string;
  encode(text: string): string;
}

const DATA_URL = /^data:([\w.+/-]*)(?:;[\w.+/-]+(?:=[\w."+/-]*)?)*;base64,/i;
/** Longer than any media type with its parameters. */
const LONGEST_HEAD = 256;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:json|jsonl|xml|yaml|x-yaml|x-ndjson|javascript|sql|csv)(?![\w.-])|[\w.-]+\/[\w.-]+\+(?:json|xml)(?![\w.-]))/i;
const OTHER_TYPE = /^(?:image|audio|video|font)\//i;
/** Letters of base64 that tell whether the file is text, where its type does not. */
const LOOKED_AT = 1_024;
const NO_TEXT = /^%PDF|[\u0000-\u0008\u000e-\u001f\ufffd]/;

/** Undefined where `value` is no file in base64, or one that holds something else. `holder` is what it stands in. */
export function textInBytes(value: string, holder: JsonObject): EncodedText | undefined {
  const head = DATA_URL.exec(value.slice(0, LONGEST_HEAD));
  // An address is no file.
  if (head === null && value.includes(':')) return undefined;
  const before = head?.[0] ?? '';
  const type = head?.[1] ?? typeIn(holder);
  const data = value.slice(before.length);
  if (data === '' || !(TEXT_TYPE.test(type) || (!OTHER_TYPE.test(type) && looksLikeText(data))))
    return undefined;
  const bytes = Buffer.from(data, 'base64');
  // Node knows UTF-16 with the low byte first alone.
  const isSwapped = bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0;
  if (isSwapped) bytes.swap16();
  const encoding = encodingOf(bytes);
  const write = (text: string) => Buffer.from(text, encoding);
  return {
    text: bytes.toString(encoding),
    encode: (text) => before + (isSwapped ? write(text).swap16() : write(text)).toString('base64'),
  };
}

/** As the APIs call it beside the data. */
function typeIn({ media_type, mime_type, mimeType }: JsonObject): string {
  const type = media_type ?? mimeType ?? mime_type;
  // An object with a `toString` of its own cannot be made a text.
  return typeof type === 'string' ? type : '';
}

function looksLikeText(data: string): boolean {
  const beginning = Buffer.from(data.slice(0, LOOKED_AT), 'base64').toString('utf8');
  // The last character may have been cut.
  return !NO_TEXT.test(data.length > LOOKED_AT ? beginning.slice(0, -4) : beginning);
}

function encodingOf(bytes: Buffer): BufferEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  return isUtf8(bytes) ? 'utf8' : 'latin1';
}
