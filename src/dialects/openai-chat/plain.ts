import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Message, Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { type FoundText, hasNoOtherTexts } from '../members/find-texts.js';
import type { PlainRequests } from '../texts/guarded-requests.js';
import { asArray, asObject } from '../wire/values.js';
import * as members from './members.js';
import { isPlainMessage } from './plain-message.js';

/*
 * Most requests and answers have plain strings. They are read here without the places of their texts; all others are
 * left to the full reader.
 */

const PLAIN_AT_ONCE = 500;

/** The messages of a request in which each message is a role and one string. Undefined for any other request. */
function* plainMessages(request: JsonObject): Steps<Message[] | undefined> {
  if (!hasNoOtherTexts(['messages'], request, members.request)) return undefined;
  const messages: Message[] = [];
  for (const [index, message] of asArray(request.messages).entries()) {
    if (index % PLAIN_AT_ONCE === PLAIN_AT_ONCE - 1) yield;
    if (!isPlainMessage(message)) return undefined;
    messages.push({ role: message.role, parts: [{ type: 'text', text: message.content }] });
  }
  return messages;
}

export const plainRequests: PlainRequests = {
  read: plainMessages,
  pathOf: (index) => ['messages', index, 'content'],
};

/** Longer lists are read in steps. */
const MOST_CHOICES_AT_ONCE = 100;

/** The parts of each choice of an answer in which each choice is one string. Undefined for any other answer. */
export function plainAnswer(body: JsonObject): Part[][] | undefined {
  if (!hasNoOtherTexts(['choices'], body, members.answer)) return undefined;
  const choices = asArray(body.choices);
  if (choices.length > MOST_CHOICES_AT_ONCE) return undefined;
  const parts: Part[][] = [];
  for (const choice of choices) {
    const content = isJsonObject(choice) ? onlyContent(choice) : undefined;
    if (content === undefined) return undefined;
    parts.push([{ type: 'text', text: content }]);
  }
  return parts;
}

function onlyContent(choice: JsonObject): string | undefined {
  const message = asObject(choice.message);
  if (message === undefined || typeof message.content !== 'string') return undefined;
  // These members become parts even where they are empty.
  if (typeof message.refusal === 'string' || isJsonObject(message.function_call)) return undefined;
  const isAll =
    hasNoOtherTexts(['content'], message, members.answered) &&
    hasNoOtherTexts(['message'], choice, members.answerChoice);
  return isAll ? message.content : undefined;
}

/** Longer lists are read in steps. */
const MOST_LOGGED_AT_ONCE = 100;

/** The texts of a log whose messages and choices are one string each. Undefined for any other log. */
export function plainLog(request: JsonValue, response: JsonValue): FoundText[] | undefined {
  if (!isJsonObject(request) || !Array.isArray(request.messages)) return undefined;
  if (!isJsonObject(response) || !Array.isArray(response.choices)) return undefined;
  if (request.messages.length + response.choices.length > MOST_LOGGED_AT_ONCE) return undefined;
  const texts: FoundText[] = [];
  for (const [index, message] of request.messages.entries()) {
    if (!isPlainMessage(message)) return undefined;
    const text = message.content;
    if (text !== '') texts.push({ text, path: ['request', 'messages', index, 'content'] });
  }
  if (!hasNoOtherTexts(['choices'], response, members.answer)) return undefined;
  for (const [index, choice] of response.choices.entries()) {
    const text = isJsonObject(choice) ? onlyContent(choice) : undefined;
    if (text === undefined) return undefined;
    if (text !== '') texts.push({ text, path: ['response', 'choices', index, 'message', 'content'] });
  }
  return texts;
}
