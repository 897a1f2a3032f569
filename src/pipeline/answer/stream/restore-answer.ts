import { type Answer, withChoices } from '../../../core/answer.js';
import type { JsonValue } from '../../../core/json.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { runSteps } from '../../../core/pacing/steps.js';
import { mapTextsInSteps, textsInSteps } from '../../../plugins/helpers/texts-in-steps.js';
import { restoreInSteps } from '../../../plugins/stand-ins/restore-text.js';
import type { TextForm } from '../../../plugins/stand-ins/stand-ins.js';
import { formOf } from '../../attempt/restored-text.js';
import { plainForm } from '../../exchange/answer-form.js';
import type { Exchange } from '../../exchange/exchange.js';

/** A model's answer with the client's own values in place of stand-ins. Only the client may get it. In steps. */
export function* restoreAnswer(exchange: Exchange, answer: Answer): Steps<Answer> {
  const { standIns } = exchange;
  if (standIns.size === 0) return answer;
  const changed = new Map<string, string>();
  for (const { place, text } of yield* textsInSteps(answer.choices)) {
    const now = yield* restoreInSteps(text, standIns, formAt(exchange, answer, place));
    if (now !== text) changed.set(place, now);
    yield;
  }
  if (changed.size === 0) return answer;
  const choices = yield* mapTextsInSteps(answer.choices, (text, place) => changed.get(place) ?? text);
  return withChoices(answer, choices);
}

/** Whether the log may contain the values that stand-ins replace. */
export function keepsValues({ endpoint }: Exchange): boolean {
  return endpoint?.log_content === 'full';
}

/** The fields of an ending for an answer that the client got with values in place of stand-ins. */
export async function restoredValue(
  exchange: Exchange,
  shown: Answer,
): Promise<{ isHidden: true; clientValue?: JsonValue }> {
  if (!keepsValues(exchange)) return { isHidden: true };
  return { isHidden: true, clientValue: await runSteps(plainForm(exchange, shown)) };
}

function formAt(exchange: Exchange, { choices }: Answer, place: string): TextForm {
  const [, choice, , part, member, ...deeper] = place.split('/');
  if (member === 'arguments') return formOf(exchange, 'tool-arguments');
  const { type } = choices[Number(choice)]!.parts[Number(part)]!;
  return type === 'text' && deeper.length === 0 ? formOf(exchange, 'text') : 'plain';
}
