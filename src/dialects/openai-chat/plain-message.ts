import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Part } from '../../core/message.js';
import { memberNames } from '../../core/pacing/member-names.js';
import { hasNoOtherTexts } from '../members/find-texts.js';
import { type Place, type PlacedMessage, toMessage } from '../texts/fields.js';
import * as members from './members.js';

/*
 * Most messages are one string, the result of a tool that is one string, or calls of functions. They are read here without the steps
 * and the walk that any other message needs.
 */

/** Messages with more calls are read in steps. */
const FEW_CALLS = 8;
const CONTENT = ['content'];
const FUNCTION = ['function'];
const ARGUMENTS = ['arguments'];

/** A message of a request with the places of its texts. Undefined for any message that the full reader has to read. */
export function plainMessage(message: JsonObject, index: number): PlacedMessage | undefined {
  if (isPlainMessage(message)) {
    return placed(message.role, [{ type: 'text', text: message.content }], [contentOf(index)]);
  }
  if (message.role === 'tool') return plainResult(message, index);
  return message.role === 'assistant' ? plainCalls(message, index) : undefined;
}

export type PlainMessage = { role: 'system' | 'developer' | 'user' | 'assistant'; content: string };

export function isPlainMessage(message: JsonValue): message is PlainMessage {
  if (!isJsonObject(message) || typeof message.content !== 'string') return false;
  const { role } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'developer') return false;
  // A third member could be another part of the message.
  return memberNames(message).length === 2;
}

function plainResult(message: JsonObject, index: number): PlacedMessage | undefined {
  const { content, tool_call_id: callId } = message;
  if (typeof content !== 'string' || typeof callId !== 'string') return undefined;
  if (memberNames(message).length !== 3 || !hasNoOtherTexts(CONTENT, message, members.message)) {
    return undefined;
  }
  const parts: Part[] = [{ type: 'text', text: content }];
  return placed('tool', [{ type: 'tool-result', callId, parts }], [contentOf(index)]);
}

/** A message with calls of functions, and perhaps a text before them. */
function plainCalls(message: JsonObject, index: number): PlacedMessage | undefined {
  const { content, tool_calls: calls } = message;
  if (!Array.isArray(calls) || calls.length > FEW_CALLS) return undefined;
  const hasContent = 'content' in message;
  if (memberNames(message).length !== (hasContent ? 3 : 2)) return undefined;
  const parts: Part[] = [];
  const places: Place[] = [];
  if (typeof content === 'string') {
    parts.push({ type: 'text', text: content });
    places.push(contentOf(index));
  } else if (hasContent && content !== null) return undefined;
  for (const [number, call] of calls.entries()) {
    const part = plainCall(call);
    if (part === undefined) return undefined;
    parts.push(part);
    places.push({ path: ['messages', index, 'tool_calls', number, 'function', 'arguments'] });
  }
  return placed('assistant', parts, places);
}

function plainCall(call: JsonValue): Part | undefined {
  if (!isJsonObject(call) || !isJsonObject(call.function)) return undefined;
  const { id = '', function: target } = call;
  const { name = '', arguments: text } = target;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof text !== 'string') return undefined;
  const isAll =
    hasNoOtherTexts(FUNCTION, call, members.toolCall) && hasNoOtherTexts(ARGUMENTS, target, members.named);
  return isAll ? { type: 'tool-call', id, name, arguments: text } : undefined;
}

function contentOf(index: number): Place {
  return { path: ['messages', index, 'content'] };
}

function placed(role: PlacedMessage['message']['role'], parts: Part[], places: Place[]): PlacedMessage {
  return toMessage(role, { parts, places, others: [] });
}
