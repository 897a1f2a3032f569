import { isJsonObject, type JsonDocument } from '../../core/json.js';
import { readJsonInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { SseFrame } from './sse-frame.js';
import { parseDocument } from './values.js';

/** Frames that are longer than this are not kept among the last few. */
const MOST_KEPT_UNITS = 65_536;

/**
 * The beginning of an object. Parsing text that is not JSON, such as an end marker, throws, which costs more than
 * everything else that a frame needs.
 */
const OBJECT = /^\s*\{/;

/** Long frames that were read in steps, as long as they are in memory. */
const long = new WeakMap<SseFrame, JsonDocument | undefined>();

/** The last few frames that were read; a guard holds some of them back. */
const kept: ({ frame: SseFrame; document: JsonDocument | undefined } | undefined)[] = new Array(4);
let next = 0;

/**
 * A frame's data where it is a JSON object, else undefined. A frame is read several times: to decode, guard and adapt
 * it. So the last few results are kept; do not modify them.
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

/** Reads a long frame in steps and remembers it for `frameDocument`. */
export function* readFrameInSteps(frame: SseFrame): Steps {
  const read = OBJECT.test(frame.data) ? yield* readJsonInSteps(frame.data) : undefined;
  const value = read?.value;
  const document = isJsonObject(value)
    ? { text: frame.data, value, repeatsKeys: read?.repeatsKeys }
    : undefined;
  long.set(frame, document);
}
