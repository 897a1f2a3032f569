import type { MediaSource } from '../../core/message.js';
import { ownProperty } from '../../core/own-property.js';

/** A data URL with a longer head is not read: no media type with its parameters is as long. */
const MAX_HEAD = 200;

/** The parts of a base64 data URL, or undefined for any other URL. */
export function readDataUrl(url: string): Extract<MediaSource, { kind: 'base64' }> | undefined {
  const comma = url.indexOf(',');
  if (comma === -1 || comma > MAX_HEAD) return undefined;
  const head = /^data:([^;,]+)(?:;[^;,]*)*;base64$/i.exec(url.slice(0, comma));
  if (head === null) return undefined;
  return { kind: 'base64', mediaType: head[1]!, data: url.slice(comma + 1) };
}

/** The first bytes of pictures, in base64. */
const BEGINNINGS: readonly [RegExp, string][] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{6}(XRUJQ|V0VCU)/, 'image/webp'],
  [/^JVBERi0/, 'application/pdf'],
];

/** Names that some clients use and no API accepts, each with the right media type. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
};

/** The media type of a file by its first bytes; otherwise the declared one. */
export function mediaTypeOf({ mediaType, data }: { mediaType: string; data: string }): string {
  const beginning = data.slice(0, 24);
  const known = BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
  const named = mediaType.toLowerCase();
  return known ?? ownProperty(OTHER_NAMES, named) ?? mediaType;
}

const ENDINGS: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
};

/** The media type of a file by the ending of its address; `likely` where the ending is missing or unknown. */
export function mediaTypeOfUrl(url: string, likely: string): string {
  const path = url.split(/[?#]/, 1)[0]!;
  const ending = /\.([A-Za-z0-9]{2,5})$/.exec(path)?.[1]?.toLowerCase();
  return (ending === undefined ? undefined : ownProperty(ENDINGS, ending)) ?? likely;
}

export function dataUrl(source: { mediaType: string; data: string }): string {
  return `data:${mediaTypeOf(source)};base64,${source.data}`;
}
