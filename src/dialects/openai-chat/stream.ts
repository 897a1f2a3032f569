import type { Channel, StreamEvent } from '../../core/answer.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { Usage } from '../../core/message.js';
import type { EncoderContext, SseFrame, StreamDecoder, StreamEncoder } from '../dialect.js';
import { openaiErrorType } from '../error-types.js';
import { addLogId } from '../frames.js';
import { asArray, asNumber, asObject, asObjects, asString, parseDocument } from '../reading.js';
import { openReasoning } from '../signature.js';
import { type Path, spliceValues, stringEdit } from '../splice.js';
import { readError } from './errors.js';
import { readFinishReason, readUsage } from './parse.js';
import { reasoningDetail, writeFinishReason, writeUsage } from './render.js';

const DONE = '[DONE]';

// Decoding ---------------------------------------------------------------------------------------------

export function createDecoder(): StreamDecoder {
  let started = false;
  const calls = new Map<string, { id: string; part: number }>();
  /** How many runs of reasoning are over, by choice: each ends with its proof. */
  const proven = new Map<number, number>();

  function decodeChunk(chunk: JsonObject): StreamEvent[] {
    const events: StreamEvent[] = [];
    const id = asString(chunk.id);
    // Some servers send a first chunk about the prompt alone, without an id.
    if (!started && id !== undefined && id !== '') {
      started = true;
      const created = asNumber(chunk.created);
      const model = asString(chunk.model) ?? '';
      events.push({ type: 'start', id, model, ...(created === undefined ? {} : { created }) });
    }
    for (const choice of asObjects(chunk.choices)) events.push(...decodeChoice(choice));
    const usage = readUsage(chunk.usage);
    if (usage !== undefined) events.push({ type: 'usage', usage });
    return events;
  }

  function decodeChoice(choice: JsonObject): StreamEvent[] {
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
    for (const call of callDeltas(choice, [])) events.push(...decodeCall(call));
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
      calls.set(key, { id: call.callId, part: channel.part });
      events.push({ type: 'tool-call-start', channel, callId: call.callId, name: call.name });
    }
    if (call.text !== '') events.push({ type: 'delta', channel, text: call.text });
    return events;
  }

  /** Some servers number no calls: there a new id is a new call, and a piece without id goes on with the last. */
  function partOf(call: CallDelta): number {
    if (call.numbered) return call.channel.part;
    const own = [...calls]
      .filter(([key]) => key.startsWith(`${call.channel.choice}/`))
      .map(([, known]) => known);
    const same = call.callId === '' ? own.at(-1) : own.find((known) => known.id === call.callId);
    return same?.part ?? own.length;
  }

  return {
    decode(frame) {
      if (frame.data.trim() === DONE) return [{ type: 'end' }];
      const chunk = parseDocument(frame.data)?.value;
      if (chunk === undefined) return [];
      const error = readError(chunk);
      if (error === undefined || chunk.choices !== undefined) return decodeChunk(chunk);
      const type = error.type === undefined ? {} : { errorType: error.type };
      return [{ type: 'error', message: error.message, ...type, value: chunk }];
    },
  };
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
function textDeltas(choice: JsonObject, path: Path): TextDelta[] {
  const delta = asObject(choice.delta) ?? {};
  const index = asNumber(choice.index) ?? 0;
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
function callDeltas(choice: JsonObject, path: Path): CallDelta[] {
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

// Encoding ---------------------------------------------------------------------------------------------

export function createEncoder(context: EncoderContext): StreamEncoder {
  let head: JsonObject = {
    id: '',
    object: 'chat.completion.chunk',
    created: context.created,
    model: context.model,
  };
  let first = true;
  let ended = false;
  let usage: Usage | undefined;
  const opened = new Set<number>();
  /** Reasoning so far, by channel: its proof is told together with it. */
  const thoughts = new Map<string, string>();
  const refused = new Set<number>();
  /** Position of each tool call within its choice, by channel. */
  const calls = new Map<string, number>();
  const callCounts = new Map<number, number>();

  function chunk(choices: JsonValue[], more: JsonObject = {}): SseFrame {
    const ours: JsonObject = first ? { inference_log_id: context.logId } : {};
    first = false;
    return { data: JSON.stringify({ ...ours, ...head, choices, ...more }) };
  }

  function change(choice: number, delta: JsonObject, finishReason: string | null = null): SseFrame[] {
    return [...open(choice), chunk([{ index: choice, delta, logprobs: null, finish_reason: finishReason }])];
  }

  function open(choice: number): SseFrame[] {
    if (opened.has(choice)) return [];
    opened.add(choice);
    const delta = { role: 'assistant', content: '', refusal: null };
    return [chunk([{ index: choice, delta, logprobs: null, finish_reason: null }])];
  }

  function callIndex(channel: Channel): number {
    const key = `${channel.choice}/${channel.part}`;
    const known = calls.get(key);
    if (known !== undefined) return known;
    const index = callCounts.get(channel.choice) ?? 0;
    callCounts.set(channel.choice, index + 1);
    calls.set(key, index);
    return index;
  }

  function encodeDelta(channel: Channel, text: string): SseFrame[] {
    switch (channel.kind) {
      case 'text':
        return change(channel.choice, { content: text });
      case 'reasoning': {
        const key = `${channel.choice}/${channel.part}`;
        thoughts.set(key, (thoughts.get(key) ?? '') + text);
        return change(channel.choice, { reasoning_content: text });
      }
      case 'refusal':
        refused.add(channel.choice);
        return change(channel.choice, { refusal: text });
      case 'tool-arguments':
        return change(channel.choice, {
          tool_calls: [{ index: callIndex(channel), function: { arguments: text } }],
        });
    }
  }

  function encodeSignature(channel: Channel, signature: string): SseFrame[] {
    const text = thoughts.get(`${channel.choice}/${channel.part}`) ?? '';
    return change(channel.choice, { reasoning_details: [reasoningDetail(text, signature)] });
  }

  function encodeEnd(): SseFrame[] {
    if (ended) return [];
    ended = true;
    const told = context.streamUsage && usage !== undefined ? [chunk([], { usage: writeUsage(usage) })] : [];
    return [...told, { data: DONE }];
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          head = { ...head, id: event.id, created: event.created ?? context.created };
          if (event.model !== '') head.model = event.model;
          return open(0);
        case 'delta':
          return encodeDelta(event.channel, event.text);
        case 'tool-call-start': {
          const target = { name: event.name, arguments: '' };
          const call = {
            index: callIndex(event.channel),
            id: event.callId,
            type: 'function',
            function: target,
          };
          return change(event.channel.choice, { tool_calls: [call] });
        }
        case 'signature':
          return encodeSignature(event.channel, event.signature);
        case 'finish':
          return change(event.choice, {}, writeFinishReason(event.reason, refused.has(event.choice)));
        case 'usage':
          usage = event.usage;
          return [];
        case 'error': {
          ended = true;
          const type = openaiErrorType(event.errorType, 500);
          return [
            { data: JSON.stringify({ error: { message: event.message, type, param: null, code: null } }) },
          ];
        }
        case 'end':
          return encodeEnd();
        case 'part-end':
          return [];
      }
    },
    finish: encodeEnd,
  };
}

// Passing on -------------------------------------------------------------------------------------------

/** Finds the frames that can be about usage alone, without parsing all the others. */
const USAGE = /"usage"\s*:\s*\{/;

export function adaptFrame(
  frame: SseFrame,
  context: EncoderContext & { first: boolean },
): SseFrame | undefined {
  const mayBeUsage = !context.streamUsage && USAGE.test(frame.data);
  if (!context.first && !mayBeUsage) return frame;
  const chunk = parseDocument(frame.data);
  if (chunk === undefined) return frame;
  const { choices, usage } = chunk.value;
  if (mayBeUsage && isJsonObject(usage) && asArray(choices).length === 0) return undefined;
  if (!context.first || !Array.isArray(choices)) return frame;
  return { ...frame, data: addLogId(chunk.text, context.logId) };
}

export function replaceDeltas(frame: SseFrame, texts: string[]): SseFrame {
  const chunk = parseDocument(frame.data);
  if (chunk === undefined) return frame;
  const deltas = asArray(chunk.value.choices).flatMap((choice, position) => {
    if (!isJsonObject(choice)) return [];
    const path: Path = ['choices', position];
    return [...textDeltas(choice, path), ...callDeltas(choice, path).filter((call) => call.text !== '')];
  });
  const edits = deltas.flatMap((delta, index) => {
    const text = texts[index];
    return text === undefined || text === delta.text ? [] : [stringEdit(delta.path, text)];
  });
  return edits.length === 0 ? frame : { ...frame, data: spliceValues(frame.data, edits) };
}
