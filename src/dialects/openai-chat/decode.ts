import type { Channel, StreamEvent } from '../../core/answer.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import { atOnce, type Steps } from '../../core/pacing/steps.js';
import type { SseFrame, StreamDecoder } from '../dialect.js';
import { openReasoning } from '../translate/signature.js';
import { frameDocument } from '../wire/frame-document.js';
import type { Path } from '../wire/splice.js';
import { asArray, asNumber, asObject, asObjects, asString } from '../wire/values.js';
import { argumentsOf, CallParts, type CallPiece } from './call-parts.js';
import { thinkingTexts } from './content.js';
import { readError } from './errors.js';
import { readFinishReason, readUsage } from './parse.js';

export const DONE = '[DONE]';

/** The events that are returned in one step, because one frame can contain ten thousand calls. */
const EVENTS_AT_ONCE = 250;

export function createDecoder(): StreamDecoder {
  return new ChatDecoder();
}

class ChatDecoder implements StreamDecoder {
  #started = false;
  readonly #calls = new CallParts();
  #answerId = '';
  /** How many runs of reasoning have ended, by choice. Each ends with its signature. */
  readonly #proven = new Map<number, number>();

  decode(frame: SseFrame): StreamEvent[] {
    return atOnce(this.decodeInSteps(frame));
  }

  *decodeInSteps(frame: SseFrame): Steps<StreamEvent[]> {
    if (frame.data.trim() === DONE) return [{ type: 'end' }];
    const chunk = frameDocument(frame)?.value;
    if (chunk === undefined) return [];
    const error = readError(chunk);
    if (error === undefined) return yield* this.#decodeChunk(chunk);
    // The rest of the chunk is decoded too, because the model said it before the error.
    const said = chunk.choices === undefined ? [] : yield* this.#decodeChunk(chunk);
    const type = error.type === undefined ? {} : { errorType: error.type };
    const failure: StreamEvent = { type: 'error', message: error.message, ...type, value: chunk };
    return [...said.filter((event) => event.type !== 'finish'), failure];
  }

  *#decodeChunk(chunk: JsonObject): Steps<StreamEvent[]> {
    const events: StreamEvent[] = [];
    const id = asString(chunk.id);
    // Some servers first send a chunk about the prompt, without an id.
    if (!this.#started && id !== undefined && id !== '') {
      this.#started = true;
      this.#answerId = id;
      const created = asNumber(chunk.created);
      const model = asString(chunk.model) ?? '';
      events.push({ type: 'start', id, model, ...(created === undefined ? {} : { created }) });
    }
    for (const choice of asObjects(chunk.choices)) {
      append(events, yield* this.#decodeChoice(choice));
      if (events.length >= EVENTS_AT_ONCE) yield;
    }
    const usage = readUsage(chunk.usage, chunk);
    if (usage !== undefined) events.push({ type: 'usage', usage });
    return events;
  }

  *#decodeChoice(choice: JsonObject): Steps<StreamEvent[]> {
    const index = asNumber(choice.index) ?? 0;
    const events: StreamEvent[] = [];
    for (const { channel, text } of textDeltas(choice, [])) {
      if (channel.kind === 'reasoning') channel.part = this.#proven.get(index) ?? 0;
      events.push({ type: 'delta', channel, text });
    }
    for (const signature of readSignatures(choice)) {
      const part = this.#proven.get(index) ?? 0;
      this.#proven.set(index, part + 1);
      events.push({ type: 'signature', channel: { kind: 'reasoning', choice: index, part }, signature });
    }
    let calls = 0;
    for (const call of callDeltas(choice, [])) {
      if (++calls % EVENTS_AT_ONCE === 0) yield;
      append(events, this.#calls.read(call, this.#answerId));
    }
    const reason = readFinishReason(choice.finish_reason);
    if (reason !== null) events.push({ type: 'finish', choice: index, reason });
    return events;
  }
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

/** The deltas of a choice, except those of tool calls. Empty ones are left out. */
export function textDeltas(choice: JsonObject, path: Path): TextDelta[] {
  const index = asNumber(choice.index) ?? 0;
  const legacy = asString(choice.text);
  if (!isJsonObject(choice.delta) && legacy) {
    return [{ channel: { kind: 'text', choice: index, part: 0 }, text: legacy, path: [...path, 'text'] }];
  }
  const delta = asObject(choice.delta) ?? {};
  return TEXT_FIELDS.flatMap(([field, kind]): TextDelta[] => {
    const value = delta[field];
    if (Array.isArray(value)) return partDeltas(value, index, [...path, 'delta', field]);
    const text = asString(value);
    // Where a server sends its reasoning under both names, it is the same text.
    if (text === undefined || text === '') return [];
    if (field === 'reasoning' && asString(delta.reasoning_content)) return [];
    return [{ channel: { kind, choice: index, part: 0 }, text, path: [...path, 'delta', field] }];
  });
}

/** The deltas of content in parts, as Mistral's thinking models send it. */
function partDeltas(parts: readonly JsonValue[], choice: number, path: Path): TextDelta[] {
  return parts.flatMap((part, position): TextDelta[] => {
    const at = [...path, position];
    return thinkingTexts(part, at).flatMap(({ kind, text, path: place }) =>
      text === '' ? [] : [{ channel: { kind, choice, part: 0 }, text, path: place }],
    );
  });
}

interface CallDelta extends CallPiece {
  path: Path;
  /** Set where the arguments are an object and not a string. */
  json?: true;
}

/**
 * Pieces of tool calls, each made when it is asked for, because one frame can have thousands. The deprecated single function
 * call is call 0 with its name as id.
 */
export function callDeltas(choice: JsonObject, path: Path): Iterable<CallDelta> {
  const delta = asObject(choice.delta);
  if (delta === undefined || (delta.tool_calls === undefined && delta.function_call === undefined)) return [];
  return callsIn(delta, asNumber(choice.index) ?? 0, path);
}

function* callsIn(delta: JsonObject, choice: number, path: Path): Generator<CallDelta, void> {
  for (const [position, call] of asArray(delta.tool_calls).entries()) {
    if (!isJsonObject(call)) continue;
    const target = asObject(call.function) ?? {};
    const { text, json } = argumentsOf(target);
    const place = [...path, 'delta', 'tool_calls', position, 'function', 'arguments'];
    const callId = asString(call.id) ?? '';
    const piece: CallDelta = { choice, callId, name: asString(target.name) ?? '', text, path: place };
    const index = asNumber(call.index);
    if (index !== undefined) piece.index = index;
    if (json !== undefined) piece.json = json;
    yield piece;
  }
  const legacy = asObject(delta.function_call);
  if (legacy === undefined) return;
  const callId = asString(legacy.name) ?? '';
  const place = [...path, 'delta', 'function_call', 'arguments'];
  yield { choice, index: 0, callId, name: callId, ...argumentsOf(legacy), path: place };
}
