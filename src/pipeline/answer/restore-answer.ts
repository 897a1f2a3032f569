import type { Answer } from '../../core/answer.js';
import { mapTextsInSteps, textsInSteps } from '../../plugins/helpers/texts-in-steps.js';
import { restoreInSteps, restoreText } from '../../plugins/stand-ins/restore-text.js';
import type { TextForm } from '../../plugins/stand-ins/stand-ins.js';
import { withoutOutputNames } from '../../validation/output-names.js';
import type { Failure } from '../../validation/validation.js';
import type { Exchange } from '../exchange.js';

/** What the client asked for as JSON is JSON, and so are the arguments of calls. */
export function formOf(exchange: Exchange, kind: 'text' | 'tool-arguments'): TextForm {
  if (kind === 'tool-arguments') return 'json';
  const { view } = exchange;
  return view?.outputSchema === undefined && view?.outputJson === undefined ? 'plain' : 'json';
}

/** A text of the model as the client will see it. */
export function restored(exchange: Exchange, text: string, kind: 'text' | 'tool-arguments'): string {
  return restoreText(text, exchange.standIns, formOf(exchange, kind));
}

/** A model's answer with the values in place of what stands for them: for the client alone. In steps. */
export function* restoreAnswer(exchange: Exchange, answer: Answer): Generator<void, Answer> {
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
  return { ...answer, choices };
}

function formAt(exchange: Exchange, { choices }: Answer, place: string): TextForm {
  const [, choice, , part, member, ...deeper] = place.split('/');
  if (member === 'arguments') return formOf(exchange, 'tool-arguments');
  const { type } = choices[Number(choice)]!.parts[Number(part)]!;
  return type === 'text' && deeper.length === 0 ? formOf(exchange, 'text') : 'plain';
}

/** Why an output is invalid, without what the log and the next model must not know. */
export function hideInFailure(exchange: Exchange, failure: Failure): Failure {
  const { standIns, contract } = exchange;
  if (standIns.size === 0) return failure;
  const { path, message, output } = withoutOutputNames(failure, contract?.schemas ?? []);
  return { path: standIns.hide(path), message: standIns.hide(message), output };
}
