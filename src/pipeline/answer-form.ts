import type { Answer } from '../core/answer.js';
import type { JsonValue } from '../core/json.js';
import type { EncoderContext } from '../dialects/dialect.js';
import type { Attempt, Exchange } from './exchange.js';

/** The answer in the plain form of the client's dialect, as the log has it. */
export function plainForm(exchange: Exchange, answer: Answer): JsonValue {
  const context = answerContext(exchange, exchange.currentAttempt!);
  return JSON.parse(exchange.dialect.writeAnswer(answer, context)) as JsonValue;
}

export function answerContext(exchange: Exchange, attempt: Attempt): EncoderContext {
  return {
    logId: exchange.id,
    streamUsage: exchange.view?.streamUsage ?? false,
    created: Math.floor(exchange.startedAt / 1000),
    model: attempt.choice.model,
  };
}
