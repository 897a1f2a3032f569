import type { Answer } from '../../core/answer.js';
import { mapChoiceTexts } from '../../plugins/helpers/texts.js';
import { restoreText } from '../../plugins/stand-ins/restore-text.js';
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

/** A model's answer with the values in place of what stands for them: for the client alone. */
export function restoreAnswer(exchange: Exchange, answer: Answer): Answer {
  const { standIns } = exchange;
  if (standIns.size === 0) return answer;
  const choices = mapChoiceTexts(answer.choices, (text, place) => {
    const [, choice, , part, member, ...deeper] = place.split('/');
    if (member === 'arguments') return restored(exchange, text, 'tool-arguments');
    const { type } = answer.choices[Number(choice)]!.parts[Number(part)]!;
    const isOutput = type === 'text' && deeper.length === 0;
    return isOutput ? restored(exchange, text, 'text') : restoreText(text, standIns, 'plain');
  });
  const same = choices.every((choice, index) => choice === answer.choices[index]);
  return same ? answer : { ...answer, choices };
}

/** Why an output is invalid, without what the log and the next model must not know. */
export function hideInFailure(exchange: Exchange, failure: Failure): Failure {
  const { standIns, contract } = exchange;
  if (standIns.size === 0) return failure;
  const { path, message, output } = withoutOutputNames(failure, contract?.schemas ?? []);
  return { path: standIns.hide(path), message: standIns.hide(message), output };
}
