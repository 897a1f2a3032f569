import { isDeepStrictEqual } from 'node:util';
import type { Answer, Choice } from '../../core/answer.js';
import type { SseFrame } from '../../dialects/dialect.js';
import { textsOf } from '../../dialects/helpers/fields.js';
import { guardAnswer } from '../answer/guard-answer.js';
import type { HeldStream } from '../answer/whole-answer.js';
import type { Exchange } from '../exchange.js';
import type { Services } from '../ports.js';
import { HeldTexts } from './held-texts.js';

/** A client of the same API gets the frames as they came, and so also what they say beside the answer. */
export async function guardHeldStream(
  exchange: Exchange,
  whole: HeldStream,
  changed: Answer | undefined,
  services: Services,
): Promise<{ answer: Answer; modified: boolean; frames: SseFrame[] }> {
  const { dialect } = exchange.currentAttempt!;
  const { frames } = whole;
  const answer = changed ?? whole.answer;
  const isDue = exchange.plugins.some(({ phases }) => phases.includes('response'));
  const held =
    isDue && dialect === exchange.dialect
      ? new HeldTexts(frames, whole.answer, dialect.createDecoder())
      : undefined;
  const beside = held?.part;
  if (held === undefined || beside === undefined) {
    return { ...(await guardAnswer(exchange, answer, services)), frames };
  }
  const [first = { index: 0, parts: [], finishReason: null }, ...others] = answer.choices;
  const shown = { ...answer, choices: [{ ...first, parts: [...first.parts, beside] }, ...others] };
  const guarded = await guardAnswer(exchange, shown, services);
  if (!guarded.modified) return { answer, modified: false, frames };
  const [choice, ...rest] = guarded.answer.choices;
  const parts = choice!.parts.slice(0, -1);
  const choices = answer.choices.length === 0 ? [] : [{ ...choice!, parts }, ...rest];
  const modified = !isDeepStrictEqual(textsIn(choices), textsIn(answer.choices));
  return { answer: { ...answer, choices }, modified, frames: held.write(choice!.parts.at(-1)!) };
}

function textsIn(choices: readonly Choice[]): string[][] {
  return choices.map(({ parts }) => textsOf(parts));
}
