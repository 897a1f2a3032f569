import { assertNever } from '../../core/assert-never.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Message, Part } from '../../core/message.js';
import { mapMessageTexts } from '../helpers/texts.js';
import { PluginFault } from '../run/fault.js';

/*
 * Messages as a webhook sees them: `{role, content}` in the shape of Chat Completions, one for each of ours.
 * `content` is a string where it is one text alone, null where there is none, and else a list of parts; tool
 * calls stand in `tool_calls`. What it gives back is read by position, and only texts may differ.
 */

type Path = readonly (string | number)[];

/** A text of a shown message: where it stands there, and where among ours. */
interface ShownText {
  path: Path;
  place: string;
}

interface Shown<Value> {
  value: Value;
  texts: ShownText[];
}

export function showMessages(messages: readonly Message[]): JsonObject[] {
  return messages.map((message, index) => showMessage(message, `/${index}/parts`).value);
}

/** Our messages with the texts that the webhook gave. Throws a `PluginFault` for what does not fit them. */
export function readMessages(messages: readonly Message[], given: JsonValue): Message[] {
  if (!Array.isArray(given) || given.length !== messages.length) {
    throw new PluginFault(`gave 'messages' that are no list of ${messages.length}, as they were`);
  }
  const changes = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    const shown = showMessage(message, `/${index}/parts`);
    const item: JsonValue = given[index] ?? null;
    if (!isJsonObject(item) || !fits(shown.value, item)) {
      throw new PluginFault(`changed more than texts in message ${index}`);
    }
    for (const { path, place } of shown.texts) {
      const text = textAt(item, path, index);
      if (text !== undefined) changes.set(place, text);
    }
  }
  return mapMessageTexts(messages, (text, place) => changes.get(place) ?? text);
}

function showMessage(message: Message, place: string): Shown<JsonObject> {
  const placed = message.parts.map((part, index) => ({ part, place: `${place}/${index}` }));
  const calls = placed.flatMap(({ part, place }) => (part.type === 'tool-call' ? [{ part, place }] : []));
  const rest = placed.filter(({ part }) => part.type !== 'tool-call');
  const only = rest.length === 1 ? rest[0]!.part : undefined;
  const result = message.role === 'tool' && only?.type === 'tool-result' ? only : undefined;
  const content =
    result === undefined
      ? showContent(rest)
      : showContent(result.parts.map((part, index) => ({ part, place: `${rest[0]!.place}/parts/${index}` })));
  const value: JsonObject = { role: message.role, content: content.value };
  const texts = content.texts.map(({ path, place }) => ({ path: ['content', ...path], place }));
  if (result !== undefined) value.tool_call_id = result.callId;
  if (calls.length > 0) {
    value.tool_calls = calls.map(({ part }) => {
      return { id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } };
    });
    for (const [index, { place }] of calls.entries()) {
      texts.push({ path: ['tool_calls', index, 'function', 'arguments'], place: `${place}/arguments` });
    }
  }
  return { value, texts };
}

function showContent(parts: readonly { part: Part; place: string }[]): Shown<JsonValue> {
  const [first] = parts;
  if (first === undefined) return { value: null, texts: [] };
  if (parts.length === 1 && first.part.type === 'text') {
    return { value: first.part.text, texts: [{ path: [], place: `${first.place}/text` }] };
  }
  const shown = parts.map(({ part, place }) => showPart(part, place));
  return {
    value: shown.map(({ value }) => value),
    texts: shown.flatMap(({ texts }, index) =>
      texts.map(({ path, place }) => ({ path: [index, ...path], place })),
    ),
  };
}

/** What holds no text is only named: the whole of it stands in `requestBody`. */
function showPart(part: Part, place: string): Shown<JsonObject> {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal': {
      const texts = [{ path: ['text'], place: `${place}/text` }];
      return { value: { type: part.type, text: part.text }, texts };
    }
    case 'tool-result': {
      const inner = showContent(
        part.parts.map((item, index) => ({ part: item, place: `${place}/parts/${index}` })),
      );
      const texts = inner.texts.map((text) => ({ ...text, path: ['content', ...text.path] }));
      return { value: { type: 'tool_result', tool_call_id: part.callId, content: inner.value }, texts };
    }
    case 'document': {
      if (part.source.kind !== 'text') return { value: { type: 'document' }, texts: [] };
      const texts = [{ path: ['text'], place: `${place}/source/text` }];
      return { value: { type: 'document', text: part.source.text }, texts };
    }
    case 'image':
    case 'tool-call':
    case 'other':
      return { value: { type: part.type }, texts: [] };
    default:
      return assertNever(part);
  }
}

/** Whether both are built the same, strings aside; members that were not shown may be left out or added. */
function fits(shown: JsonValue, given: JsonValue | undefined): boolean {
  if (Array.isArray(shown)) {
    return (
      Array.isArray(given) &&
      given.length === shown.length &&
      shown.every((item, index) => fits(item, given[index]))
    );
  }
  if (!isJsonObject(shown)) return typeof shown === 'string' || (given ?? null) === shown;
  if (!isJsonObject(given)) return false;
  return Object.entries(shown).every(([key, member]) => {
    const other = given[key];
    if (key === 'role' || key === 'type' || key === 'tool_call_id' || key === 'id') {
      return other === undefined || other === member;
    }
    return other === undefined || fits(member, other);
  });
}

/** A text that the webhook left out stays as it was. */
function textAt(item: JsonObject, path: Path, index: number): string | undefined {
  let value: JsonValue | undefined = item;
  for (const step of path) {
    value = Array.isArray(value) ? value[Number(step)] : isJsonObject(value) ? value[step] : undefined;
    if (value === undefined) return undefined;
  }
  if (typeof value !== 'string')
    throw new PluginFault(`gave no text at '${path.join('/')}' of message ${index}`);
  return value;
}
