import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Message, Part } from '../../core/message.js';
import { asArray, asObject, type Steps } from '../helpers/fields.js';
import { saysNothingBeside } from '../helpers/find-texts.js';
import type { PlainRequests } from '../helpers/guarded-requests.js';
import * as members from './members.js';

/*
 * Most requests and answers are plain strings. They are read here without the places of their texts; what is anything
 * else is left to who reads all of it.
 */

const PLAIN_AT_ONCE = 500;

/** The messages of most requests: who speaks, and one string. Undefined where anything else is said. */
function* plainMessages(request: JsonObject): Steps<Message[] | undefined> {
  if (!saysNothingBeside(['messages'], request, members.request)) return undefined;
  const messages: Message[] = [];
  for (const [index, message] of asArray(request.messages).entries()) {
    if (index % PLAIN_AT_ONCE === PLAIN_AT_ONCE - 1) yield;
    if (!isJsonObject(message)) return undefined;
    const { role, content } = message;
    // Any other member could be a part of its own.
    if (!isPlainRole(role) || typeof content !== 'string' || Object.keys(message).length > 2)
      return undefined;
    messages.push({ role, parts: [{ type: 'text', text: content }] });
  }
  return messages;
}

function isPlainRole(role: JsonValue | undefined): role is 'system' | 'developer' | 'user' | 'assistant' {
  return role === 'user' || role === 'assistant' || role === 'system' || role === 'developer';
}

export const plainRequests: PlainRequests = {
  read: plainMessages,
  pathOf: (index) => ['messages', index, 'content'],
};

/** The parts of each choice, where all that an answer says is one string a choice. Undefined where more is said. */
export function plainAnswer(body: JsonObject): Part[][] | undefined {
  if (!saysNothingBeside(['choices'], body, members.answer)) return undefined;
  const parts: Part[][] = [];
  for (const choice of asArray(body.choices)) {
    const content = isJsonObject(choice) ? onlyContent(choice) : undefined;
    if (content === undefined) return undefined;
    parts.push([{ type: 'text', text: content }]);
  }
  return parts;
}

function onlyContent(choice: JsonObject): string | undefined {
  const message = asObject(choice.message);
  if (message === undefined || typeof message.content !== 'string') return undefined;
  // These are parts even where they are empty.
  if (typeof message.refusal === 'string' || isJsonObject(message.function_call)) return undefined;
  const isAll =
    saysNothingBeside(['content'], message, members.answered) &&
    saysNothingBeside(['message'], choice, members.answerChoice);
  return isAll ? message.content : undefined;
}
