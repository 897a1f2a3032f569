import type { StreamEvent } from '../../../core/answer.js';
import { isHeavy } from '../../../core/pacing/heavy-work.js';
import type { Steps } from '../../../core/pacing/steps.js';
import type { SseFrame, StreamDecoder } from '../../../dialects/dialect.js';
import { readFrameInSteps } from '../../../dialects/wire/frame-document.js';

/** The events of a frame. In steps where it is long: a frame can have a megabyte of text, or ten thousand calls. */
export function* decodeFrame(decoder: StreamDecoder, frame: SseFrame): Steps<StreamEvent[]> {
  if (!isHeavy(frame.data.length)) return decoder.decode(frame);
  yield* readFrameInSteps(frame);
  return decoder.decodeInSteps === undefined ? decoder.decode(frame) : yield* decoder.decodeInSteps(frame);
}
