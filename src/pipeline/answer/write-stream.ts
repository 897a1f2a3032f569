import type { Answer, StreamEvent } from '../../core/answer.js';
import { append } from '../../core/lists/append.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { SseFrame, StreamDecoder } from '../../dialects/dialect.js';
import { BROKEN_OFF } from '../../dialects/translate/error-types.js';
import { steadyCalls } from '../../dialects/translate/steady-calls.js';
import { formatFrame } from '../../dialects/wire/sse.js';
import { streamFailure } from '../attempt/attempt-outcome.js';
import { decodeFrame } from '../attempt/read/decode-frame.js';
import { answerContext } from '../exchange/answer-form.js';
import type { Exchange } from '../exchange/exchange.js';
import type { HeldStream } from '../exchange/whole-answer.js';
import { eventsOf } from './replayed-events.js';

const FRAMES_AT_ONCE = 100;

/** Replays a held stream: its own frames where they are still correct, else frames made from the answer. */
export function* writeStream(
  exchange: Exchange,
  whole: HeldStream,
  answer: Answer,
  changed: boolean,
): Steps<string> {
  const attempt = exchange.currentAttempt!;
  const context = answerContext(exchange, attempt);
  if (attempt.dialect === exchange.dialect && !changed) {
    let first = true;
    const frames: SseFrame[] = [];
    for (const [index, frame] of whole.frames.entries()) {
      const adapted = exchange.dialect.adaptFrame(frame, { ...context, first });
      if (adapted !== undefined && adapted !== frame) first = false;
      if (adapted !== undefined) frames.push(adapted);
      if (index % FRAMES_AT_ONCE === FRAMES_AT_ONCE - 1) yield;
    }
    const brokenOff = !whole.complete && whole.errorMessage === undefined;
    const closing = brokenOff ? exchange.dialect.writeStreamError(BROKEN_OFF, exchange.id) : [];
    return [...frames, ...closing].map(formatFrame).join('');
  }
  const encoder = steadyCalls(exchange.dialect.createEncoder(context));
  const decoder = attempt.dialect.createDecoder();
  const written: string[] = [];
  const events = changed ? eventsOf(answer, streamFailure(whole)) : yield* eventsIn(whole.frames, decoder);
  for (const [index, event] of events.entries()) {
    for (const frame of encoder.encode(event)) written.push(formatFrame(frame));
    if (index % FRAMES_AT_ONCE === FRAMES_AT_ONCE - 1) yield;
  }
  return written.join('') + encoder.finish().map(formatFrame).join('');
}

function* eventsIn(frames: readonly SseFrame[], decoder: StreamDecoder): Steps<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for (const [index, frame] of frames.entries()) {
    append(events, yield* decodeFrame(decoder, frame));
    if (index % FRAMES_AT_ONCE === FRAMES_AT_ONCE - 1) yield;
  }
  return events;
}
