import type { Choice } from '../../../core/answer.js';
import { isJsonObject, type JsonValue } from '../../../core/json.js';
import type { MediaSource, Message, Part } from '../../../core/message.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { bytesOf, isDataUrl, readDataUrl } from '../../../dialects/members/files/data-url.js';
import { FILE_PLACE } from '../../helpers/texts.js';
import { formatOf } from './file-format.js';

/** A file whose format can be read, with the place of its part. */
export interface PlacedFile {
  place: string;
  bytes: Buffer;
}

const PARTS_AT_ONCE = 100;
const VALUES_AT_ONCE = 500;
/**
 * The number of base64 characters that are read to recognize the format, and the length below which nothing counts as
 * a file.
 */
const BEGINNING = 5_600;
const SHORTEST = 64;
const BASE64 = /^[A-Za-z0-9+/_=\s-]*$/;

/** The files in messages or choices, in steps. The place of a file is that of its part, with `/file` added. */
export function* filesIn(holders: readonly (Message | Choice)[]): Steps<PlacedFile[]> {
  const files: PlacedFile[] = [];
  const left = holders.flatMap(({ parts }, index) =>
    parts.map((part, at) => ({ part, place: `/${index}/parts/${at}` })),
  );
  for (let count = 1; left.length > 0; count++) {
    const { part, place } = left.pop()!;
    if (part.type === 'tool-result')
      left.push(...part.parts.map((one, at) => ({ part: one, place: `${place}/parts/${at}` })));
    for (const data of yield* dataIn(part)) {
      const bytes = fileOf(data);
      if (bytes !== undefined) files.push({ place: place + FILE_PLACE, bytes });
    }
    if (count % PARTS_AT_ONCE === 0) yield;
  }
  return files;
}

function* dataIn(part: Part): Steps<string[]> {
  if (part.type === 'document' || part.type === 'image') return ofSource(part.source);
  return part.type === 'other' ? yield* stringsIn(part.value) : [];
}

function ofSource(source: MediaSource): string[] {
  if (source.kind === 'base64') return [source.data];
  return source.kind === 'url' && isDataUrl(source.url) ? [source.url] : [];
}

/** All strings in a value of unknown shape. */
function* stringsIn(value: JsonValue): Steps<string[]> {
  const strings: string[] = [];
  const left: JsonValue[] = [value];
  for (let count = 1; left.length > 0; count++) {
    const inside = left.pop()!;
    if (typeof inside === 'string') strings.push(inside);
    else if (Array.isArray(inside)) for (const item of inside) left.push(item);
    else if (isJsonObject(inside)) for (const member of Object.values(inside)) left.push(member as JsonValue);
    if (count % VALUES_AT_ONCE === 0) yield;
  }
  return strings;
}

/** The decoded bytes, where they begin like a format that can be read. */
function fileOf(data: string): Buffer | undefined {
  if (data.length < SHORTEST) return undefined;
  const url = isDataUrl(data) ? readDataUrl(data) : plain(data);
  if (url === undefined) return undefined;
  const beginning = bytesOf({ ...url, data: url.data.slice(0, BEGINNING) });
  return formatOf(beginning) === undefined ? undefined : bytesOf(url);
}

function plain(data: string) {
  if (!BASE64.test(data.slice(0, BEGINNING))) return undefined;
  return { head: '', type: '', charset: '', isBase64: true, data };
}
