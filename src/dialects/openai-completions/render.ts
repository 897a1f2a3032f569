import type { Answer } from '../../core/answer.js';
import type { JsonDocument, JsonObject } from '../../core/json.js';
import type { FinishReason, Part } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { AnswerExtras, RenderTarget, RequestView } from '../dialect.js';
import { withUsage, writeFinishReason, writeUsage } from '../openai-chat/render.js';
import { adaptInputs } from '../texts/text-inputs.js';
import { withoutUndefined } from '../wire/values.js';

export function adaptRequest(document: JsonDocument, view: RequestView, target: RenderTarget): string {
  const asks = view.stream && target.askForUsage && !view.streamUsage;
  return adaptInputs(document, view, target, asks ? { stream_options: withUsage(document) } : {});
}

export function* writeAnswer(
  answer: Answer,
  extras: AnswerExtras & { created: number; model: string },
): Steps<string> {
  return yield* stringifyInSteps(
    withoutUndefined({
      inference_log_id: extras.logId,
      id: answer.id,
      object: 'text_completion',
      created: answer.created ?? extras.created,
      model: answer.model || extras.model,
      choices: answer.choices.map(({ index, parts, finishReason }) =>
        writeChoice(index, textOf(parts), finishReason),
      ),
      usage: answer.usage && writeUsage(answer.usage),
    }),
  );
}

export function writeChoice(index: number, text: string, reason: FinishReason | null): JsonObject {
  const finish_reason = reason === null ? null : writeFinishReason(reason, false);
  return { text, index, logprobs: null, finish_reason };
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
