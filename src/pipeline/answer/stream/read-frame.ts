import type { StreamEvent } from '../../../core/answer.js';
import { type JsonObject, withoutRepeatedKeys } from '../../../core/json.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { isWord } from '../../../dialects/members/members.js';
import { frameDocument } from '../../../dialects/wire/frame-document.js';

/** Why a guard failed, for operators. */
export const UNREADABLE_EVENT = 'an event of the stream cannot be read';

/** A frame without repeated keys, in the form in which a guard and a client may see it. */
export interface ReadFrame {
  frame: SseFrame;
  /** The value of the frame; absent for a known frame without JSON, such as an end marker. */
  value?: JsonObject;
}

/**
 * Reads a frame. Undefined for one whose texts cannot be found, or whose event name could contain a text. `events`
 * are its decoded events.
 */
export function readFrame(frame: SseFrame, events: readonly StreamEvent[]): ReadFrame | undefined {
  if (frame.event !== undefined && !isWord(frame.event)) return undefined;
  const document = frameDocument(frame);
  if (document === undefined) return events.length > 0 || frame.data.trim() === '' ? { frame } : undefined;
  const { text, value } = withoutRepeatedKeys(document);
  return { frame: text === frame.data ? frame : { ...frame, data: text }, value };
}
