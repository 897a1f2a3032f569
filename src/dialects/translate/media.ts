import type { MediaSource } from '../../core/message.js';

/** Longer than any media type with its parameters. */
const MAX_HEAD = 200;

/** The parts of a base64 data URL, or undefined for any other URL. */
export function readDataUrl(url: string): Extract<MediaSource, { kind: 'base64' }> | undefined {
  const comma = url.indexOf(',');
  if (comma === -1 || comma > MAX_HEAD) return undefined;
  const head = /^data:([^;,]+)(?:;[^;,]*)*;base64$/i.exec(url.slice(0, comma));
  if (head === null) return undefined;
  return { kind: 'base64', mediaType: head[1]!, data: url.slice(comma + 1) };
}

export function dataUrl(source: { mediaType: string; data: string }): string {
  return `data:${source.mediaType};base64,${source.data}`;
}
