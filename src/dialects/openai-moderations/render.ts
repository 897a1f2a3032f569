import type { Answer } from '../../core/answer.js';
import type { JsonDocument } from '../../core/json.js';
import type { AnswerExtras } from '../dialect.js';
import { withLogId } from '../wire/frames.js';

export function adaptAnswer(document: JsonDocument, { logId }: AnswerExtras): JsonDocument {
  return withLogId(document, logId);
}

/** What is said of an answer whose verdicts are not here. */
export function writeAnswer(answer: Answer, { logId, model }: AnswerExtras & { model: string }): string {
  return JSON.stringify({
    inference_log_id: logId,
    id: answer.id,
    model: answer.model || model,
    results: [],
  });
}
