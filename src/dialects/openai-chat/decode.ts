import type { Channel, StreamEvent } from '../../core/answer.js';
import { append } from '../../core/append.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { SseFrame, StreamDecoder } from '../dialect.js';
import { openReasoning } from '../translate/signature.js';
import { frameDocument } from '../wire/frame-document.js';
import type { Path } from '../wire/splice.js';
import { asArray, asNumber, asObject, asObjects, asString } from '../wire/values.js';
import { readError } from './errors.js';
import { readFinishReason, readUsage } from './parse.js';

export const DONE = '[DONE]';

/** Calls that have begun: how many, the part of the last one, and the parts of all by their ids. */
interface CallsOfChoice {
  count: number;
  last: number | undefined;
  byId: Map<string, number>;
}

/** One frame can hold ten thousand calls. */
const EVENTS_AT_ONCE = 250;

const NO_CALLS: CallsOfChoice = { count: 0, last: undefined, byId: new Map() };

export function createDecoder(): StreamDecoder {
  let started = false;
  const calls = new Set<string>();
  /** The same by choice, for servers that number none. */
  const byChoice = new Map<number, CallsOfChoice>();
  /** How many runs of reasoning are over, by choice: each ends with its proof. */
  const proven = new Map<number, number>();

  function* decodeChunk(chunk: JsonObject): Steps<StreamEvent[]> {
    const events: StreamEvent[] = [];
    const id = asString(chunk.id);
    // Some servers send a first chunk about the prompt alone, without an id.
    if (!started && id !== undefined && id !== '') {
      started = true;
      const created = asNumber(chunk.created);
      const model = asString(chunk.model) ?? '';
      events.push({ type: 'start', id, model, ...(created === undefined ? {} : { created }) });
    }
    for (const choice of asObjects(chunk.choices)) {
      append(events, yield* decodeChoice(choice));
      if (events.length >= EVENTS_AT_ONCE) yield;
    }
    const usage = readUsage(chunk.usage, chunk);
    if (usage !== undefined) events.push({ type: 'usage', usage });
    return events;
  }

  function* decodeChoice(choice: JsonObject): Steps<StreamEvent[]> {
    const index = asNumber(choice.index) ?? 0;
    const events: StreamEvent[] = [];
    for (const { channel, text } of textDeltas(choice, [])) {
      const part = channel.kind === 'reasoning' ? (proven.get(index) ?? 0) : 0;
      events.push({ type: 'delta', channel: { ...channel, part }, text });
    }
    for (const signature of readSignatures(choice)) {
      const part = proven.get(index) ?? 0;
      proven.set(index, part + 1);
      events.push({ type: 'signature', channel: { kind: 'reasoning', choice: index, part }, signature });
    }
    for (const [index, call] of callDeltas(choice, []).entries()) {
      if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield;
      append(events, decodeCall(call));
    }
    const reason = readFinishReason(choice.finish_reason);
    if (reason !== null) events.push({ type: 'finish', choice: index, reason });
    return events;
  }

  function decodeCall(call: CallDelta): StreamEvent[] {
    const { choice } = call.channel;
    const channel: Channel = { ...call.channel, part: partOf(call) };
    const key = `${choice}/${channel.part}`;
    const events: StreamEvent[] = [];
    if (!calls.has(key)) {
      calls.add(key);
      noteCall(choice, call.callId, channel.part);
      events.push({ type: 'tool-call-start', channel, callId: call.callId, name: call.name });
    }
    if (call.text !== '') events.push({ type: 'delta', channel, text: call.text });
    return events;
  }

  function noteCall(choice: number, id: string, part: number): void {
    const own = byChoice.get(choice) ?? { count: 0, last: undefined, byId: new Map<string, number>() };
    byChoice.set(choice, own);
    own.count++;
    own.last = part;
    if (!own.byId.has(id)) own.byId.set(id, part);
  }

  /** Some servers number no calls: there a new id is a new call, and a piece without id goes on with the last. */
  function partOf(call: CallDelta): number {
    if (call.numbered) return call.channel.part;
    const { count, last, byId } = byChoice.get(call.channel.choice) ?? NO_CALLS;
    return (call.callId === '' ? last : byId.get(call.callId)) ?? count;
  }

  function* decodeInSteps(frame: SseFrame): Steps<StreamEvent[]> {
    if (frame.data.trim() === DONE) return [{ type: 'end' }];
    const chunk = frameDocument(frame)?.value;
    if (chunk === undefined) return [];
    const error = readError(chunk);
    if (error === undefined || chunk.choices !== undefined) return yield* decodeChunk(chunk);
    const type = error.type === undefined ? {} : { errorType: error.type };
    return [{ type: 'error', message: error.message, ...type, value: chunk }];
  }

  return { decode: (frame) => atOnce(decodeInSteps(frame)), decodeInSteps };
}

function readSignatures(choice: JsonObject): string[] {
  const details = asObjects(asObject(choice.delta)?.reasoning_details);
  return details.flatMap((detail) => openReasoning(asString(detail.signature), 'openai.chat') ?? []);
}

interface TextDelta {
  channel: Channel;
  text: string;
  path: Path;
}

const TEXT_FIELDS = [
  ['reasoning_content', 'reasoning'],
  ['reasoning', 'reasoning'],
  ['content', 'text'],
  ['refusal', 'refusal'],
] as const;

/** Deltas of a choice other than tool calls; empty ones say nothing. */
export function textDeltas(choice: JsonObject, path: Path): TextDelta[] {
  const index = asNumber(choice.index) ?? 0;
  const legacy = asString(choice.text);
  if (!isJsonObject(choice.delta) && legacy) {
    return [{ channel: { kind: 'text', choice: index, part: 0 }, text: legacy, path: [...path, 'text'] }];
  }
  const delta = asObject(choice.delta) ?? {};
  return TEXT_FIELDS.flatMap(([field, kind]) => {
    const text = asString(delta[field]);
    // Where a server sends its reasoning under both names it is the same text.
    if (text === undefined || text === '') return [];
    if (field === 'reasoning' && asString(delta.reasoning_content)) return [];
    return [{ channel: { kind, choice: index, part: 0 }, text, path: [...path, 'delta', field] }];
  });
}

interface CallDelta extends TextDelta {
  callId: string;
  name: string;
  /** Whether the server says which call it belongs to. */
  numbered: boolean;
}

/** Pieces of tool calls. The deprecated single function call is call 0 with its name as id. */
export function callDeltas(choice: JsonObject, path: Path): CallDelta[] {
  const delta = asObject(choice.delta) ?? {};
  const index = asNumber(choice.index) ?? 0;
  const found: CallDelta[] = [];
  asArray(delta.tool_calls).forEach((call, position) => {
    if (!isJsonObject(call)) return;
    const target = asObject(call.function) ?? {};
    found.push({
      channel: { kind: 'tool-arguments', choice: index, part: asNumber(call.index) ?? position },
      numbered: asNumber(call.index) !== undefined,
      callId: asString(call.id) ?? '',
      name: asString(target.name) ?? '',
      text: asString(target.arguments) ?? '',
      path: [...path, 'delta', 'tool_calls', position, 'function', 'arguments'],
    });
  });
  const legacy = asObject(delta.function_call);
  if (legacy !== undefined) {
    const name = asString(legacy.name) ?? '';
    const channel: Channel = { kind: 'tool-arguments', choice: index, part: 0 };
    const place = [...path, 'delta', 'function_call', 'arguments'];
    found.push({
      channel,
      callId: name,
      name,
      numbered: true,
      text: asString(legacy.arguments) ?? '',
      path: place,
    });
  }
  return found;
}
