import type { JsonDocument } from '../../core/json.js';
import type { SseFrame } from '../dialect.js';
import { parseDocument } from './fields.js';

/** Of a frame that is longer, nothing is kept. */
const MOST_KEPT_UNITS = 65_536;

/** To parse what is none, such as the mark of an end, throws, which costs more than all else that a frame does. */
const OBJECT = /^\s*\{/;

let last: { frame: SseFrame; document: JsonDocument | undefined } | undefined;

/**
 * A frame's data where it holds a JSON object, else undefined. A frame is read several times in a row, to be decoded,
 * guarded and adapted, so the last one is kept. Nobody may change what it gives.
 */
export function frameDocument(frame: SseFrame): JsonDocument | undefined {
  if (last?.frame === frame) return last.document;
  const document = OBJECT.test(frame.data) ? parseDocument(frame.data) : undefined;
  last = frame.data.length > MOST_KEPT_UNITS ? undefined : { frame, document };
  return document;
}
