import type { Choice } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import { type JsonObject, parsedOrText } from '../../core/json.js';
import type { FinishReason, MediaSource, Message, Part, ToolDefinition } from '../../core/message.js';

/*
 * Messages in the form of the GenAI conventions for span attributes: JSON text of lists of `{role, parts: [{type,
 * …}]}`.
 */

/** All messages except the instructions, which have an attribute of their own. */
export function inputMessages(messages: readonly Message[]): string {
  return JSON.stringify(
    messages
      .filter((message) => !isInstruction(message))
      .map(({ role, parts }) => ({ role, parts: parts.map(toPart) })),
  );
}

export function systemInstructions(messages: readonly Message[]): string {
  return JSON.stringify(messages.filter(isInstruction).flatMap(({ parts }) => parts.map(toPart)));
}

export function outputMessages(choices: readonly Choice[]): string {
  return JSON.stringify(
    choices.map(({ parts, finishReason }) => ({
      role: 'assistant',
      parts: parts.map(toPart),
      finish_reason: finishReasonName(finishReason),
    })),
  );
}

/** The finish reason under its name in the conventions. One without a name there keeps ours. */
export function finishReasonName(reason: FinishReason | null): string {
  if (reason === 'tool-calls') return 'tool_call';
  if (reason === 'content-filter') return 'content_filter';
  return reason ?? 'unknown';
}

export function toolDefinitions(tools: readonly ToolDefinition[]): string {
  return JSON.stringify(
    tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters })),
  );
}

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

function toPart(part: Part): JsonObject {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: part.text };
    case 'refusal':
      return { type: 'text', content: part.text };
    case 'tool-call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: parsedOrText(part.arguments) };
    case 'tool-result':
      return { type: 'tool_call_response', id: part.callId, response: part.parts.map(toPart) };
    case 'image':
      return mediaPart('image', part.source);
    case 'document':
      return mediaPart('document', part.source);
    case 'other':
      return { type: 'other' };
    default:
      return assertNever(part);
  }
}

/** Whether a URL contains its data. The scheme may be in upper case, and blanks before it do not count. */
const IS_DATA = /^\s*data:/i;

/** A picture, sound or file without its bytes, because spans are not for megabytes. */
function mediaPart(modality: string, source: MediaSource): JsonObject {
  switch (source.kind) {
    case 'url':
      return { type: 'uri', modality, uri: IS_DATA.test(source.url) ? 'data:' : source.url };
    case 'base64':
      return { type: 'blob', modality, mime_type: source.mediaType };
    case 'file':
      return { type: 'file', modality, file_id: source.id };
    case 'text':
      return { type: 'text', content: source.text };
    default:
      return assertNever(source);
  }
}
