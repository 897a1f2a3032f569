import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import {
  answerOf,
  assistantText,
  type ChatMessage,
  type Conversation,
  conversationOf,
} from './conversation.js';
import { provenanceOf } from './provenance.js';
import { improvementOf, type RatedLog } from './rated-log.js';
import type { ExportFormat } from './sft.js';
import { toTrlMessages, toTrlTools } from './trl.js';

/** A pair of an improvement and the answer that it improves. */
export function* improvementPair(log: RatedLog, format: ExportFormat): Steps<JsonObject | undefined> {
  const improvement = improvementOf(log);
  const rejected = improvement === undefined ? undefined : yield* answerOf(log.record);
  if (improvement === undefined || rejected === undefined) return undefined;
  const provenance = Object.assign(provenanceOf(log), { preferred: 'improvement' });
  return yield* line(log, assistantText(improvement), rejected, format, provenance);
}

/** A pair of two logs with the same prompt: the better answer and the worse one. */
export function* rivalPair(
  better: RatedLog,
  worse: RatedLog,
  format: ExportFormat,
): Steps<JsonObject | undefined> {
  const preferred = yield* answerOf(better.record);
  const rejected = yield* answerOf(worse.record);
  if (preferred === undefined || rejected === undefined) return undefined;
  const provenance = Object.assign(provenanceOf(better), {
    preferred: 'model',
    rejected: provenanceOf(worse),
  });
  return yield* line(better, preferred, rejected, format, provenance);
}

function* line(
  log: RatedLog,
  preferred: ChatMessage,
  rejected: ChatMessage,
  format: ExportFormat,
  provenance: JsonObject,
): Steps<JsonObject | undefined> {
  // Nothing can be learned from two equal answers.
  const conversation = isDeepStrictEqual(preferred, rejected) ? undefined : yield* conversationOf(log.record);
  if (conversation === undefined) return undefined;
  if (format === 'trl') {
    return {
      prompt: toTrlMessages(conversation.messages),
      chosen: toTrlMessages([preferred]),
      rejected: toTrlMessages([rejected]),
      ...toTrlTools(conversation),
      provenance,
    };
  }
  if (!conversation.messages.every(isTextOnly)) return undefined;
  return {
    input: inputOf(conversation),
    preferred_output: [preferred],
    non_preferred_output: [rejected],
    provenance,
  };
}

/** OpenAI's preference training takes text only. */
function isTextOnly({ content }: ChatMessage): boolean {
  return !Array.isArray(content) || content.every((part) => isJsonObject(part) && part.type === 'text');
}

function inputOf({ messages, tools, parallel_tool_calls }: Conversation): JsonObject {
  return {
    messages,
    ...(tools === undefined ? {} : { tools }),
    ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }),
  };
}
