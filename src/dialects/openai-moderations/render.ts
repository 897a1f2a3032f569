import type { Answer } from '../../core/answer.js';
import type { JsonDocument } from '../../core/json.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { AnswerExtras } from '../dialect.js';
import { withLogId } from '../wire/frames.js';

export function adaptAnswer(document: JsonDocument, { logId }: AnswerExtras): Steps<JsonDocument> {
  return withLogId(document, logId);
}

/** Describes the verdicts of an answer in its log. */
export function* writeAnswer(
  answer: Answer,
  { logId, model }: AnswerExtras & { model: string },
): Steps<string> {
  return yield* stringifyInSteps({
    inference_log_id: logId,
    id: answer.id,
    model: answer.model || model,
    results: [],
  });
}
