import type { Answer } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';
import { isHeavy } from '../../core/pacing/heavy-work.js';
import { parseInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { EncoderContext } from '../../dialects/dialect.js';
import type { Attempt } from './attempt.js';
import type { Exchange } from './exchange.js';

/** The answer in the plain form of the client's dialect, as the log has it. In steps. */
export function* plainForm(exchange: Exchange, answer: Answer): Steps<JsonValue> {
  return (yield* plainDocument(exchange, answer)).value;
}

/** Does the same and also returns the JSON text. */
export function* plainDocument(
  exchange: Exchange,
  answer: Answer,
): Steps<{ text: string; value: JsonValue }> {
  const context = answerContext(exchange, exchange.currentAttempt!);
  const text = yield* exchange.dialect.writeAnswer(answer, context);
  return { text, value: yield* parseOwnJson(text) };
}

/** The value of a text that is known to be JSON. */
export function* parseOwnJson(text: string): Steps<JsonValue> {
  return isHeavy(text.length) ? (yield* parseInSteps(text)).value : (JSON.parse(text) as JsonValue);
}

/** Whether the model speaks another API than the client, so that nothing of its answer can be passed on unchanged. */
export function isForeign(exchange: Exchange, attempt: Attempt): boolean {
  return attempt.dialect.id !== exchange.dialect.id;
}

export function answerContext(exchange: Exchange, attempt: Attempt): EncoderContext {
  return {
    logId: exchange.id,
    streamUsage: exchange.view?.streamUsage ?? false,
    created: Math.floor(exchange.startedAt / 1000),
    model: attempt.choice.model,
    request: exchange.view?.forAnswer,
  };
}
