import type { Answer } from '../../core/answer.js';
import { editMembers, type JsonDocument } from '../../core/json.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { AnswerExtras } from '../dialect.js';
import { withoutUndefined } from '../wire/values.js';
import { withoutVectors } from './vectors.js';

/** The log id is the first member, because finding the end of the object would mean reading all vectors. */
// biome-ignore lint/correctness/useYield: one step, since the vectors are not read.
export function* adaptAnswer(document: JsonDocument, { logId }: AnswerExtras): Steps<JsonDocument> {
  const { text } = document;
  const described = withoutVectors(document.value);
  if (Object.hasOwn(document.value, 'inference_log_id')) {
    const value = { ...described, inference_log_id: logId };
    return { text: editMembers(text, new Map([['inference_log_id', JSON.stringify(logId)]])), value };
  }
  const start = text.indexOf('{') + 1;
  const value = { inference_log_id: logId, ...described };
  return { text: `{"inference_log_id":${JSON.stringify(logId)},${text.slice(start)}`, value };
}

/** Describes the vectors of an answer in its log. */
export function* writeAnswer(
  answer: Answer,
  { logId, model }: AnswerExtras & { model: string },
): Steps<string> {
  const usage = answer.usage && {
    prompt_tokens: answer.usage.inputTokens,
    total_tokens: answer.usage.inputTokens,
  };
  return yield* stringifyInSteps(
    withoutUndefined({
      inference_log_id: logId,
      object: 'list',
      data: [],
      model: answer.model || model,
      usage,
    }),
  );
}
