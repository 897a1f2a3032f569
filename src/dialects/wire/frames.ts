import { editMembers, type JsonDocument, type JsonObject } from '../../core/json.js';
import { skipSpace } from '../../core/json-scan.js';
import { copyMembers } from '../../core/pacing/copy-members.js';
import { isHeavy } from '../../core/pacing/heavy-work.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { SseFrame } from './sse-frame.js';

/** A comment of server-sent events, which clients ignore. */
export const COMMENT = ': keep-alive\n\n';

/**
 * The JSON text of an object with the log id as its first member. The object is an answer, a chunk, a message or a
 * response.
 */
export function addLogId(text: string, logId: string): string {
  // Most texts have no such member, nor an escape that could be part of its name. Then nothing has to be searched.
  if (text.includes('inference_log_id') || text.includes('\\u')) {
    return editMembers(text, new Map([['inference_log_id', JSON.stringify(logId)]]));
  }
  const open = text.indexOf('{');
  const first = skipSpace(text, open + 1);
  const separator = text[first] === '}' ? '' : ',';
  return `{"inference_log_id":${JSON.stringify(logId)}${separator}${text.slice(first)}`;
}

/** Does the same for an answer whose value is known, so that it is not parsed again. */
export function* withLogId({ text, value }: JsonDocument, logId: string): Steps<JsonDocument> {
  const withId = addLogId(text, logId);
  if (!isHeavy(text.length)) {
    const changed = Object.hasOwn(value, 'inference_log_id')
      ? { ...value, inference_log_id: logId }
      : { inference_log_id: logId, ...value };
    return { text: withId, value: changed };
  }
  return { text: withId, value: yield* copyMembers(value, [], { inference_log_id: logId }) };
}

/** A frame of an API that names its events twice, in the frame and in the data. */
export function namedFrame(value: JsonObject & { type: string }): SseFrame {
  return { event: value.type, data: JSON.stringify(value) };
}
