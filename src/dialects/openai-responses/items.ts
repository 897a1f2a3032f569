import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { MediaSource, Message, Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import {
  addAll,
  addOther,
  addPart,
  emptyParts,
  endsStep,
  type Place,
  type PlacedMessage,
  type PlacedParts,
  toMessage,
} from '../texts/fields.js';
import { readDataUrl } from '../translate/media.js';
import { openReasoning } from '../translate/signature.js';
import type { Path } from '../wire/splice.js';
import { asArray, asString } from '../wire/values.js';
import { flatName } from './client-tools.js';
import * as members from './members.js';

/*
 * Items are the elements of this API's input and output: messages, tool calls, their results, reasoning.
 */

/** One item as one message. */
export function* readItem(item: JsonObject, path: Path): Steps<PlacedMessage> {
  const placed = emptyParts();
  switch (item.type ?? 'message') {
    case 'message':
      return toMessage(roleOf(item), yield* readContent(item.content, [...path, 'content']));
    case 'function_call':
      addToolCall(placed, item, path, 'arguments');
      return toMessage('assistant', placed);
    case 'custom_tool_call':
      addToolCall(placed, item, path, 'input');
      return toMessage('assistant', placed);
    case 'local_shell_call':
      addShellCall(placed, item, path);
      return toMessage('assistant', placed);
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      yield* addToolResult(placed, item, path);
      return toMessage('tool', placed);
    case 'reasoning':
      yield* addReasoning(placed, item, path);
      return toMessage('assistant', placed);
    default:
      // An item that only this API knows.
      yield* addOther(placed, item, path, members.item);
      return toMessage('assistant', placed);
  }
}

function roleOf(item: JsonObject): Message['role'] {
  return item.role === 'assistant' || item.role === 'system' || item.role === 'developer'
    ? item.role
    : 'user';
}

function addToolCall(placed: PlacedParts, item: JsonObject, path: Path, field: 'arguments' | 'input'): void {
  const id = asString(item.call_id) ?? '';
  const name = flatName(asString(item.name) ?? '', asString(item.namespace));
  const text = asString(item[field]) ?? '';
  const call: Part = { type: 'tool-call', id, name, arguments: text };
  if (field === 'input') call.freeform = true;
  addPart(placed, call, { path: [...path, field] });
}

/** Adds the command that the client's own shell was asked to run. */
function addShellCall(placed: PlacedParts, item: JsonObject, path: Path): void {
  const id = asString(item.call_id) ?? asString(item.id) ?? '';
  const text = JSON.stringify(item.action ?? {});
  addPart(
    placed,
    { type: 'tool-call', id, name: 'local_shell', arguments: text },
    { path: [...path, 'action'], json: true },
  );
}

function* addToolResult(placed: PlacedParts, item: JsonObject, path: Path): Steps {
  const { parts, places, others } = yield* readContent(item.output, [...path, 'output']);
  addAll(placed, {
    parts: [{ type: 'tool-result', callId: asString(item.call_id) ?? asString(item.id) ?? '', parts }],
    places,
    others,
  });
}

/** One part for each piece of text. The signature of all of them is on the last one. */
function* addReasoning(placed: PlacedParts, item: JsonObject, path: Path): Steps {
  for (const field of ['summary', 'content']) {
    for (const [index, piece] of asArray(item[field]).entries()) {
      const text = isJsonObject(piece) ? asString(piece.text) : undefined;
      if (text !== undefined)
        addPart(placed, { type: 'reasoning', text }, { path: [...path, field, index, 'text'] });
      if (endsStep(index)) yield;
    }
  }
  const signature = openReasoning(asString(item.encrypted_content), 'openai.responses');
  if (placed.parts.length === 0) {
    addPart(placed, { type: 'reasoning', text: '' }, { path: [...path, 'type', 'text'] });
  }
  const last = placed.parts.at(-1)!;
  if (last.type === 'reasoning' && signature !== undefined) last.signature = signature;
}

/** The content of a message, or the output of a tool: a string or an array of parts. */
export function* readContent(content: JsonValue | undefined, path: Path): Steps<PlacedParts> {
  const placed = emptyParts();
  if (typeof content === 'string') {
    addPart(placed, { type: 'text', text: content }, { path });
  } else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) {
      const place = [...path, index];
      const known = isJsonObject(part) ? toPart(part, place) : undefined;
      if (known === undefined) yield* addOther(placed, part, place, members.part);
      else addPart(placed, ...known);
      if (endsStep(index)) yield;
    }
  }
  return placed;
}

function toPart(part: JsonObject, path: Path): [Part, ...Place[]] | undefined {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      if (typeof part.text !== 'string') return undefined;
      return [{ type: 'text', text: part.text }, { path: [...path, 'text'] }];
    case 'refusal':
      if (typeof part.refusal !== 'string') return undefined;
      return [{ type: 'refusal', text: part.refusal }, { path: [...path, 'refusal'] }];
    case 'input_image': {
      const source = imageSource(part);
      const detail = asString(part.detail);
      if (source === undefined) return undefined;
      return [{ type: 'image', source, ...(detail === undefined ? {} : { detail }) }];
    }
    case 'input_file': {
      const source = fileSource(part);
      const filename = asString(part.filename);
      if (source === undefined) return undefined;
      return [{ type: 'document', source, ...(filename === undefined ? {} : { filename }) }];
    }
    default:
      // A part that only this API knows.
      break;
  }
  return undefined;
}

function imageSource(part: JsonObject): MediaSource | undefined {
  const url = asString(part.image_url);
  if (url !== undefined) return readDataUrl(url) ?? { kind: 'url', url };
  return uploadedFile(part);
}

function fileSource(part: JsonObject): MediaSource | undefined {
  const data = asString(part.file_data);
  if (data !== undefined) {
    return readDataUrl(data) ?? { kind: 'base64', mediaType: 'application/pdf', data };
  }
  const url = asString(part.file_url);
  return url === undefined ? uploadedFile(part) : { kind: 'url', url };
}

function uploadedFile(part: JsonObject): MediaSource | undefined {
  const id = asString(part.file_id);
  return id === undefined ? undefined : { kind: 'file', id };
}
