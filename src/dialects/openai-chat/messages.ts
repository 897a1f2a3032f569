import { isJsonObject, type JsonObject } from '../../core/json.js';
import type { Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { withContextTexts, withRequest } from '../texts/context-texts.js';
import {
  addAll,
  addOther,
  addPart,
  emptyParts,
  endsStep,
  type Place,
  type PlacedMessage,
  type PlacedParts,
  readObjects,
  toMessage,
} from '../texts/fields.js';
import { openReasoning } from '../translate/signature.js';
import type { Path } from '../wire/splice.js';
import { asArray, asObject, asString } from '../wire/values.js';
import { argumentsOf } from './call-parts.js';
import { readContent } from './content.js';
import * as members from './members.js';
import { plainMessage } from './plain-message.js';

/*
 * The messages of a request, or the message of an answer, as neutral parts with the places of their texts.
 */

export function conversationMessages(request: JsonObject): Steps<PlacedMessage[]> {
  return readObjects(request.messages, (message, index) => readMessage(message, ['messages', index]));
}

/** The messages in the form that plugins see. */
export function* guardedMessages(request: JsonObject): Steps<PlacedMessage[]> {
  const placed = yield* readObjects(request.messages, readGuardedMessage, plainMessage);
  return yield* withRequest(placed, request, members.request, ['messages']);
}

function* readGuardedMessage(message: JsonObject, index: number): Steps<PlacedMessage> {
  const path = ['messages', index];
  return yield* withContextTexts(yield* readMessage(message, path), message, path, members.message);
}

function* readMessage(message: JsonObject, path: Path): Steps<PlacedMessage> {
  switch (message.role) {
    case 'assistant':
      return toMessage('assistant', yield* readAssistant(message, path), message.name);
    case 'tool':
    case 'function':
      return yield* readToolMessage(message, path);
    case 'system':
    case 'developer':
    case 'user':
      return toMessage(message.role, yield* readContent(message.content, [...path, 'content']), message.name);
    default:
      // The check of the request's shape allows no other role. Read as user text, it would still be guarded.
      return toMessage('user', yield* readContent(message.content, [...path, 'content']), message.name);
  }
}

/** A message of the deprecated role `function` answers the call with its name. */
function* readToolMessage(message: JsonObject, path: Path): Steps<PlacedMessage> {
  const { parts, places, others } = yield* readContent(message.content, [...path, 'content']);
  const callId = asString(message.tool_call_id) ?? asString(message.name) ?? '';
  return toMessage('tool', { parts: [{ type: 'tool-result', callId, parts }], places, others });
}

/** An assistant's message, in a request or in an answer. */
export function* readAssistant(message: JsonObject, path: Path): Steps<PlacedParts> {
  const placed = emptyParts();
  yield* readReasoning(message, path, placed);
  addAll(placed, yield* readContent(message.content, [...path, 'content']));
  if (typeof message.refusal === 'string') {
    addPart(placed, { type: 'refusal', text: message.refusal }, { path: [...path, 'refusal'] });
  }
  yield* readObjects(message.tool_calls, (call, index) =>
    readToolCall(call, [...path, 'tool_calls', index], placed),
  );
  const legacy = asObject(message.function_call);
  if (legacy !== undefined) {
    const name = asString(legacy.name) ?? '';
    const place = { path: [...path, 'function_call', 'arguments'] };
    addPart(
      placed,
      { type: 'tool-call', id: name, name, arguments: asString(legacy.arguments) ?? '' },
      place,
    );
  }
  return placed;
}

/**
 * The fields of vLLM, DeepSeek, OpenRouter and others; the API itself shows no reasoning. `reasoning_details` have
 * the signatures with their texts; the plain field then repeats all texts.
 */
function* readReasoning(message: JsonObject, path: Path, placed: PlacedParts): Steps {
  const field = REASONING_FIELDS.find((name) => typeof message[name] === 'string');
  const plain = field === undefined ? undefined : { text: message[field] as string, path: [...path, field] };
  const details = yield* signedDetails(message, path);
  const [only, ...more] = details.filter(({ text }) => text !== '');
  const repeated = plain !== undefined && only?.text === plain.text && more.length === 0;
  if (plain !== undefined && !repeated && plain.text !== '') {
    addPart(placed, { type: 'reasoning', text: plain.text }, { path: plain.path });
  }
  for (const [index, detail] of details.entries()) {
    if (endsStep(index)) yield;
    const { text, signature } = detail;
    const place: Place = { path: detail.path };
    if (repeated && detail === only) place.again = plain.path;
    addPart(placed, { type: 'reasoning', text, signature }, place);
  }
}

const REASONING_FIELDS = ['reasoning_content', 'reasoning'];

interface SignedDetail {
  text: string;
  signature: string;
  path: Path;
}

function* signedDetails(message: JsonObject, path: Path): Steps<SignedDetail[]> {
  const details: SignedDetail[] = [];
  for (const [index, detail] of asArray(message.reasoning_details).entries()) {
    if (endsStep(index)) yield;
    if (!isJsonObject(detail) || detail.type !== 'reasoning.text') continue;
    const signature = openReasoning(asString(detail.signature), 'openai.chat');
    if (signature === undefined) continue;
    const text = asString(detail.text) ?? '';
    details.push({ text, signature, path: [...path, 'reasoning_details', index, 'text'] });
  }
  return details;
}

function* readToolCall(call: JsonObject, path: Path, placed: PlacedParts): Steps {
  const id = asString(call.id) ?? '';
  const target = asObject(call.function);
  const custom = asObject(call.custom);
  if (target !== undefined) {
    const { text, json } = argumentsOf(target);
    const place: Place = { path: [...path, 'function', 'arguments'] };
    if (json) place.json = json;
    addPart(placed, { type: 'tool-call', id, name: asString(target.name) ?? '', arguments: text }, place);
  } else if (custom !== undefined) {
    const [name, input] = [asString(custom.name) ?? '', asString(custom.input) ?? ''];
    const part: Part = { type: 'tool-call', id, name, arguments: input, freeform: true };
    addPart(placed, part, { path: [...path, 'custom', 'input'] });
  } else yield* addOther(placed, call, path, members.toolCall);
}
