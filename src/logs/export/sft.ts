import type { JsonObject } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import { isGood, labelOf } from '../score.js';
import { answerOf, assistantText, type ChatMessage, conversationOf } from './conversation.js';
import { provenanceOf } from './provenance.js';
import { improvementOf, type RatedLog } from './rated-log.js';
import { toTrlMessages, toTrlTools } from './trl.js';

export type ExportFormat = 'openai' | 'trl';

/**
 * A line for supervised fine-tuning: the conversation with the answer to learn, which is the improvement where there
 * is one, else an answer that was rated good. Undefined where there is none.
 */
export function* sftLine(
  log: RatedLog,
  format: ExportFormat,
  includeUnrated: boolean,
): Steps<JsonObject | undefined> {
  const taught = yield* taughtAnswer(log, includeUnrated);
  const conversation = taught && (yield* conversationOf(log.record));
  if (!conversation) return undefined;
  const messages = [...conversation.messages, taught.message];
  const provenance = Object.assign(provenanceOf(log), { answer: taught.source });
  if (format === 'trl') return { messages: toTrlMessages(messages), ...toTrlTools(conversation), provenance };
  const { messages: _asked, ...tools } = conversation;
  return { messages, ...tools, provenance };
}

type Taught = { message: ChatMessage; source: 'improvement' | 'model' };

function* taughtAnswer(log: RatedLog, includeUnrated: boolean): Steps<Taught | undefined> {
  const improvement = improvementOf(log);
  if (improvement !== undefined) return { message: assistantText(improvement), source: 'improvement' };
  const { record } = log;
  if (record.status !== 'success') return undefined;
  const isTaken = isGood(record) || (includeUnrated && labelOf(record) === undefined);
  const message = isTaken ? yield* answerOf(record) : undefined;
  return message && { message, source: 'model' };
}
