import { type Answer, type Choice, withChoices } from '../../core/answer.js';
import { SluiceError } from '../../core/errors.js';
import type { Part } from '../../core/message.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import type { Steps } from '../../core/pacing/steps.js';
import { runSteps } from '../../core/pacing/steps.js';
import { blankTextsInSteps, maskTextsInSteps, REJECTED_TEXT } from '../../plugins/helpers/texts-in-steps.js';
import { failedRuns } from '../../plugins/runtime/run/failed-runs.js';
import { judgeAnswer } from '../../validation/judge-answer.js';
import { hideInFailure, releasesInvalid } from '../attempt/invalid-output.js';
import { restored } from '../attempt/restored-text.js';
import { plainForm } from '../exchange/answer-form.js';
import type { Exchange } from '../exchange/exchange.js';
import { hostContext, MOST_SHOWN_TEXTS } from '../exchange/plugin-context.js';
import type { Services } from '../exchange/ports.js';
import { requestMessages } from '../exchange/request-messages.js';
import { isGuarded } from '../exchange/response-guards.js';

export interface GuardedAnswer {
  answer: Answer;
  modified: boolean;
}

/**
 * Runs the response plugins on a complete answer. Throws the rejection, or a 422 where a plugin made the output
 * invalid.
 */
export function guardAnswer(
  exchange: Exchange,
  answer: Answer,
  services: Services,
): MaybePromise<GuardedAnswer> {
  return isGuarded(exchange) ? runGuards(exchange, answer, services) : { answer, modified: false };
}

async function runGuards(exchange: Exchange, answer: Answer, services: Services): Promise<GuardedAnswer> {
  const outcome = await services.plugins.runResponse(
    exchange.plugins,
    hostContext(exchange),
    answer.choices,
    await requestMessages(exchange),
    exchange.document!.value,
  );
  exchange.pluginRuns.push(...outcome.runs);
  // An answer is parsed only as far as needed, and a copy would need all of it.
  if (outcome.rejection === undefined && !outcome.modified) return { answer, modified: false };
  const guarded = withChoices(answer, outcome.content);
  if (outcome.rejection !== undefined) {
    const rejecting = outcome.runs.find((run) => run.outcome === 'rejected');
    const choices = await runSteps(
      rejecting !== undefined && rejecting.findings.length > 0
        ? maskTextsInSteps(guarded.choices, rejecting.findings)
        : blankChoices(guarded.choices),
    );
    exchange.released.rejected = {
      masked: await runSteps(plainForm(exchange, { ...guarded, choices })),
      asCame: await runSteps(plainForm(exchange, answer)),
    };
    throw outcome.rejection;
  }
  if (exchange.released.invalid === undefined) await judgeAgain(exchange, guarded);
  return { answer: guarded, modified: true };
}

/** The choices without their texts, and without parts that contain something else, such as pictures. */
function* blankChoices(choices: readonly Choice[]): Steps<Choice[]> {
  const blank = yield* blankTextsInSteps(choices);
  return blank.map((choice) => ({ ...choice, parts: choice.parts.map(withoutMedia) }));
}

function withoutMedia(part: Part): Part {
  const isMedia = part.type === 'image' || part.type === 'document' || part.type === 'other';
  return isMedia ? { type: 'text', text: REJECTED_TEXT } : part;
}

const CHOICES_AT_ONCE = 250;

/** Whether an answer has more texts than plugins can check. */
export function* isTooMuchToShow({ choices }: Answer): Steps<boolean> {
  const count = (parts: readonly Part[]): number =>
    parts.reduce((sum, part) => sum + (part.type === 'tool-result' ? count(part.parts) : 1), 0);
  let texts = 0;
  for (const [index, { parts }] of choices.entries()) {
    texts += count(parts);
    if (index % CHOICES_AT_ONCE === CHOICES_AT_ONCE - 1) yield;
  }
  return texts > MOST_SHOWN_TEXTS;
}

/**
 * Handles content that cannot be read, and so cannot be guarded: it counts as an error of each response plugin.
 * Throws where one of them must not fail.
 */
export function failGuards(exchange: Exchange, reason: string): void {
  const { runs, rejection } = failedRuns(exchange.plugins, 'response', reason);
  exchange.pluginRuns.push(...runs);
  if (rejection !== undefined) throw rejection;
}

async function judgeAgain(exchange: Exchange, answer: Answer): Promise<void> {
  const contract = exchange.plan?.contract;
  if (contract === undefined) return;
  const judgement = await judgeAnswer(answer, contract, {
    unwrapFences: false,
    asSeen: (text, kind) => restored(exchange, text, kind),
  });
  if (judgement.valid) return;
  const { path, message } = hideInFailure(exchange, judgement);
  const error = new SluiceError(
    'output_validation_failed',
    `A plugin changed the output, and it no longer satisfies the JSON Schema: ${path === '' ? '' : `at ${path}: `}${message}`,
    { details: [{ path, message }] },
  );
  if (!releasesInvalid(exchange)) throw error;
  exchange.released.invalid = error;
}
