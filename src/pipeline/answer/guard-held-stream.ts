import { isDeepStrictEqual } from 'node:util';
import { type Answer, type Choice, withChoices } from '../../core/answer.js';
import type { Steps } from '../../core/pacing/steps.js';
import { runSteps } from '../../core/pacing/steps.js';
import { textsOf } from '../../core/texts/part-texts.js';
import type { SseFrame, StreamDecoder } from '../../dialects/dialect.js';
import { decodeFrame } from '../attempt/read/decode-frame.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { isGuarded } from '../exchange/response-guards.js';
import type { HeldStream } from '../exchange/whole-answer.js';
import { failGuards, guardAnswer } from './guard-answer.js';
import { type HeldFrame, HeldTexts } from './stream/held-texts.js';
import { readFrame, UNREADABLE_EVENT } from './stream/read-frame.js';

const FRAMES_AT_ONCE = 100;

/**
 * Guards a stream that is held as a whole. A client of the same API gets the original frames, including texts beside
 * the answer, so these are guarded too.
 */
export async function guardHeldStream(
  exchange: Exchange,
  whole: HeldStream,
  changed: Answer | undefined,
  services: Services,
): Promise<{ answer: Answer; modified: boolean; frames: SseFrame[] }> {
  const { dialect } = exchange.currentAttempt!;
  const answer = changed ?? whole.answer;
  if (!isGuarded(exchange) || dialect !== exchange.dialect) {
    return { ...(await guardAnswer(exchange, answer, services)), frames: whole.frames };
  }
  const read = await runSteps(readFrames(exchange, whole.frames, dialect.createDecoder()));
  const frames = read.map(({ frame }) => frame);
  const held = await runSteps(HeldTexts.of(read, whole.answer, dialect));
  const beside = held.part;
  if (beside === undefined) return { ...(await guardAnswer(exchange, answer, services)), frames };
  const [first = { index: 0, parts: [], finishReason: null }, ...others] = answer.choices;
  const shown = withChoices(answer, [{ ...first, parts: [...first.parts, beside] }, ...others]);
  const guarded = await guardAnswer(exchange, shown, services);
  if (!guarded.modified) return { answer, modified: false, frames };
  const [choice, ...rest] = guarded.answer.choices;
  const parts = choice!.parts.slice(0, -1);
  const choices = answer.choices.length === 0 ? [] : [{ ...choice!, parts }, ...rest];
  const modified = !isDeepStrictEqual(textsIn(choices), textsIn(answer.choices));
  return {
    answer: withChoices(answer, choices),
    modified,
    frames: await runSteps(held.write(choice!.parts.at(-1)!)),
  };
}

/** Reads the frames. Throws where one cannot be read and a guard must not fail. */
function* readFrames(
  exchange: Exchange,
  frames: readonly SseFrame[],
  decoder: StreamDecoder,
): Steps<HeldFrame[]> {
  let missed = false;
  const read: HeldFrame[] = [];
  for (const frame of frames) {
    const events = yield* decodeFrame(decoder, frame);
    const deltas = events.flatMap((event) => (event.type === 'delta' ? [event.text] : []));
    const found = readFrame(frame, events);
    missed ||= found === undefined;
    if (read.push({ frame, ...found, deltas }) % FRAMES_AT_ONCE === 0) yield;
  }
  if (missed) failGuards(exchange, UNREADABLE_EVENT);
  return read;
}

function textsIn(choices: readonly Choice[]): string[][] {
  return choices.map(({ parts }) => textsOf(parts));
}
