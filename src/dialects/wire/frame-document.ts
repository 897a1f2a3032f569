import { isJsonObject, type JsonDocument } from '../../core/json.js';
import { readJsonInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { SseFrame } from './sse-frame.js';
import { parseDocument } from './values.js';

/** Of a frame that is longer, nothing is kept. */
const MOST_KEPT_UNITS = 65_536;

/** To parse what is none, such as the mark of an end, throws, which costs more than all else that a frame does. */
const OBJECT = /^\s*\{/;

/** Of long frames that were read in steps, for as long as they are at hand. */
const long = new WeakMap<SseFrame, JsonDocument | undefined>();

/** The last few that were read; a guard holds some of them back before they go on. */
const kept: ({ frame: SseFrame; document: JsonDocument | undefined } | undefined)[] = new Array(4);
let next = 0;

/**
 * A frame's data where it holds a JSON object, else undefined. A frame is read several times, to be decoded, guarded and
 * adapted, so the last few are kept. Nobody may change what it gives.
 */
export function frameDocument(frame: SseFrame): JsonDocument | undefined {
  for (const known of kept) if (known?.frame === frame) return known.document;
  if (long.has(frame)) return long.get(frame);
  const document = OBJECT.test(frame.data) ? parseDocument(frame.data) : undefined;
  if (frame.data.length > MOST_KEPT_UNITS) return document;
  kept[next] = { frame, document };
  next = (next + 1) % kept.length;
  return document;
}

/** Reads a long frame, so that `frameDocument` knows it. */
export function* readFrameInSteps(frame: SseFrame): Steps {
  const read = OBJECT.test(frame.data) ? yield* readJsonInSteps(frame.data) : undefined;
  const value = read?.value;
  const document = isJsonObject(value)
    ? { text: frame.data, value, repeatsKeys: read?.repeatsKeys }
    : undefined;
  long.set(frame, document);
}
