import { assertNever } from '../../core/assert-never.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Message, Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { PluginFault } from '../contract/fault.js';
import { mapTextsInSteps } from '../helpers/texts-in-steps.js';

/*
 * Messages as a webhook sees them: `{role, content}` in the form of Chat Completions, one for each of ours. `content`
 * is a string where it is a single text, null where there is none, else a list of parts; tool calls are in
 * `tool_calls`. The webhook's answer is read by position, and only texts may differ.
 */

type Path = readonly (string | number)[];

/** A text of a message that the webhook sees: its place there, and its place in our message. */
interface ShownText {
  path: Path;
  place: string;
}

interface PlacedPart {
  part: Part;
  place: string;
}

/** The number of parts that are handled in one step, because a message may have a hundred thousand. */
const PARTS_AT_ONCE = 250;

export function* showMessages(messages: readonly Message[]): Steps<JsonObject[]> {
  const shown: JsonObject[] = [];
  for (const [index, message] of messages.entries()) {
    shown.push(yield* showMessage(message, `/${index}/parts`, []));
    if (endsStep(index)) yield;
  }
  return shown;
}

/** Our messages with the texts that the webhook returned. Throws a `PluginFault` where they do not match. */
export function* readMessages(messages: readonly Message[], given: JsonValue): Steps<Message[]> {
  if (!Array.isArray(given) || given.length !== messages.length) {
    throw new PluginFault(`gave 'messages' that are not a list of ${messages.length}, as they were`);
  }
  const changes = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    const texts: ShownText[] = [];
    const shown = yield* showMessage(message, `/${index}/parts`, texts);
    const item: JsonValue = given[index] ?? null;
    if (!isJsonObject(item) || !(yield* fitsMessage(shown, item))) {
      throw new PluginFault(`changed something other than texts in message ${index}`);
    }
    for (const [count, { path, place }] of texts.entries()) {
      const text = textAt(item, path, index);
      if (text !== undefined) changes.set(place, text);
      if (endsStep(count)) yield;
    }
    if (endsStep(index)) yield;
  }
  return yield* mapTextsInSteps(messages, (text, place) => changes.get(place) ?? text);
}

/** The message as the webhook sees it. The places of its texts are added to `texts`. */
function* showMessage(message: Message, place: string, texts: ShownText[]): Steps<JsonObject> {
  const calls: PlacedPart[] = [];
  const rest: PlacedPart[] = [];
  for (const [index, part] of message.parts.entries()) {
    (part.type === 'tool-call' ? calls : rest).push({ part, place: `${place}/${index}` });
    if (endsStep(index)) yield;
  }
  const only = rest.length === 1 ? rest[0]!.part : undefined;
  const result = message.role === 'tool' && only?.type === 'tool-result' ? only : undefined;
  const shown = result === undefined ? rest : yield* placedParts(result.parts, `${rest[0]!.place}/parts`);
  const value: JsonObject = { role: message.role, content: yield* showContent(shown, ['content'], texts) };
  if (result !== undefined) value.tool_call_id = result.callId;
  if (calls.length > 0) value.tool_calls = yield* showCalls(calls, texts);
  return value;
}

function* placedParts(parts: readonly Part[], place: string): Steps<PlacedPart[]> {
  const placed: PlacedPart[] = [];
  for (const [index, part] of parts.entries()) {
    placed.push({ part, place: `${place}/${index}` });
    if (endsStep(index)) yield;
  }
  return placed;
}

function* showCalls(calls: readonly PlacedPart[], texts: ShownText[]): Steps<JsonObject[]> {
  const shown: JsonObject[] = [];
  for (const [index, { part, place }] of calls.entries()) {
    if (part.type !== 'tool-call') continue;
    shown.push({ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } });
    texts.push({ path: ['tool_calls', index, 'function', 'arguments'], place: `${place}/arguments` });
    if (endsStep(index)) yield;
  }
  return shown;
}

function* showContent(parts: readonly PlacedPart[], path: Path, texts: ShownText[]): Steps<JsonValue> {
  const [first] = parts;
  if (first === undefined) return null;
  if (parts.length === 1 && first.part.type === 'text') {
    texts.push({ path, place: `${first.place}/text` });
    return first.part.text;
  }
  const shown: JsonObject[] = [];
  for (const [index, { part, place }] of parts.entries()) {
    const at = [...path, index];
    shown.push(
      part.type === 'tool-result'
        ? yield* showResult(part, place, at, texts)
        : showPart(part, place, at, texts),
    );
    if (endsStep(index)) yield;
  }
  return shown;
}

function* showResult(
  { callId, parts }: Part & { type: 'tool-result' },
  place: string,
  path: Path,
  texts: ShownText[],
): Steps<JsonObject> {
  const placed = yield* placedParts(parts, `${place}/parts`);
  const content = yield* showContent(placed, [...path, 'content'], texts);
  return { type: 'tool_result', tool_call_id: callId, content };
}

/** A part of a message. One without text is only named; all of it is in `requestBody`. */
function showPart(
  part: Exclude<Part, { type: 'tool-result' }>,
  place: string,
  path: Path,
  texts: ShownText[],
): JsonObject {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      texts.push({ path: [...path, 'text'], place: `${place}/text` });
      return { type: part.type, text: part.text };
    case 'document':
      if (part.source.kind !== 'text') return { type: 'document' };
      texts.push({ path: [...path, 'text'], place: `${place}/source/text` });
      return { type: 'document', text: part.source.text };
    case 'image':
    case 'tool-call':
    case 'other':
      return { type: part.type };
    default:
      return assertNever(part);
  }
}

function endsStep(index: number): boolean {
  return index % PARTS_AT_ONCE === PARTS_AT_ONCE - 1;
}

/** Does the same as `fits`, in steps, because lists may have many items. */
function* fitsMessage(shown: JsonObject, given: JsonObject): Steps<boolean> {
  for (const [key, member] of Object.entries(shown)) {
    const other = given[key];
    if (!Array.isArray(member) || !Array.isArray(other)) {
      if (!fits({ [key]: member }, given)) return false;
      continue;
    }
    if (member.length !== other.length) return false;
    for (const [index, item] of member.entries()) {
      if (!fits(item, other[index])) return false;
      if (endsStep(index)) yield;
    }
  }
  return true;
}

/**
 * Whether two values have the same structure, apart from strings. Members that were not shown may be left out or
 * added.
 */
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

/**
 * The text at a path of the webhook's message; undefined where the webhook left it out, so that it stays unchanged.
 */
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
