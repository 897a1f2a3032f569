import type { Answer, Choice } from '../../src/core/answer.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../src/core/json.js';
import type { FinishReason, Usage } from '../../src/core/message.js';
import { stringifyInSteps } from '../../src/core/pacing/json-in-pieces.js';
import type { Steps } from '../../src/core/pacing/steps.js';
import type { AnswerExtras } from '../../src/dialects/dialect.js';
import { writeTexts } from '../../src/dialects/texts/guarded-requests.js';
import { withLogId } from '../../src/dialects/wire/frames.js';
import * as values from '../../src/dialects/wire/values.js';
import { readTurn, writeCall } from './request.js';

/* A whole answer of Cohere's Chat API: read, edited in place, and written. */

export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = values.asObject(value);
  const message = values.asObject(body?.message);
  if (body === undefined || message === undefined) return undefined;
  const { parts } = yield* readTurn(message, ['message']);
  return values.dropUndefined<Answer>({
    id: values.asString(body.id) ?? '',
    // The API does not tell it.
    model: '',
    choices: [{ index: 0, parts, finishReason: readFinishReason(body.finish_reason) }],
    usage: readUsage(body.usage),
  });
}

export function* adaptAnswer(
  document: JsonDocument,
  extras: AnswerExtras,
  answer?: Answer,
): Steps<JsonDocument> {
  const reading = yield* readTurn(values.asObject(document.value.message) ?? {}, ['message']);
  const changed = answer === undefined ? document : yield* writeTexts(document, [reading], answer.choices);
  return yield* withLogId(changed, extras.logId);
}

export function* writeAnswer(answer: Answer, extras: AnswerExtras): Steps<string> {
  const choice: Choice = answer.choices[0] ?? { index: 0, parts: [], finishReason: null };
  const calls = choice.parts.flatMap((part) => (part.type === 'tool-call' ? [writeCall(part)] : []));
  const content = choice.parts.flatMap((part): JsonObject[] => {
    if (part.type === 'text' || part.type === 'refusal') return [{ type: 'text', text: part.text }];
    return part.type === 'reasoning' ? [{ type: 'thinking', thinking: part.text }] : [];
  });
  return yield* stringifyInSteps({
    inference_log_id: extras.logId,
    id: answer.id,
    finish_reason: choice.finishReason === null ? null : FINISH_REASONS[choice.finishReason],
    message: { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
    ...(answer.usage === undefined ? {} : { usage: writeUsage(answer.usage) }),
  });
}

export const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'COMPLETE',
  length: 'MAX_TOKENS',
  'tool-calls': 'TOOL_CALL',
  'content-filter': 'ERROR',
  refusal: 'COMPLETE',
  pause: 'COMPLETE',
  other: 'COMPLETE',
};

const KNOWN: Record<string, FinishReason> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool-calls',
};

export function readFinishReason(value: JsonValue | undefined): FinishReason | null {
  return typeof value === 'string' ? (KNOWN[value] ?? 'other') : null;
}

export function readUsage(value: JsonValue | undefined): Usage | undefined {
  const tokens = values.asObject(values.asObject(value)?.tokens);
  if (tokens === undefined) return undefined;
  return {
    inputTokens: values.asNumber(tokens.input_tokens) ?? 0,
    outputTokens: values.asNumber(tokens.output_tokens) ?? 0,
  };
}

export function writeUsage(usage: Usage): JsonObject {
  return { tokens: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } };
}
