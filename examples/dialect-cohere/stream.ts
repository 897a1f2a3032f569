import type { Channel, ChannelKind, StreamEvent } from '../../src/core/answer.js';
import type { JsonObject } from '../../src/core/json.js';
import type { FinishReason, Usage } from '../../src/core/message.js';
import type { EncoderContext, SseFrame, StreamDecoder, StreamEncoder } from '../../src/dialects/dialect.js';
import { BROKEN_OFF } from '../../src/dialects/translate/error-types.js';
import { addLogId, namedFrame } from '../../src/dialects/wire/frames.js';
import { createSequencer, type PartEvent } from '../../src/dialects/wire/sequencer.js';
import { type Path, spliceValues, stringEdit } from '../../src/dialects/wire/splice.js';
import * as values from '../../src/dialects/wire/values.js';
import { FINISH_REASONS, readFinishReason, readUsage, writeUsage } from './answer.js';

/* A stream of Cohere's Chat API: named events, one for each start, piece and end of a part. */

const TEXTS: { path: Path; kind: ChannelKind }[] = [
  { path: ['delta', 'message', 'content', 'text'], kind: 'text' },
  { path: ['delta', 'message', 'content', 'thinking'], kind: 'reasoning' },
  { path: ['delta', 'message', 'tool_plan'], kind: 'reasoning' },
  { path: ['delta', 'message', 'tool_calls', 'function', 'arguments'], kind: 'tool-arguments' },
];

/** The one text of an event, if it has any. */
function textOf(value: JsonObject): { path: Path; kind: ChannelKind; text: string } | undefined {
  for (const { path, kind } of TEXTS) {
    const text = path.reduce<unknown>(
      (found, key) => values.asObject(found as JsonObject)?.[key as string],
      value,
    );
    if (typeof text === 'string' && text !== '') return { path, kind, text };
  }
  return undefined;
}

export function createDecoder(): StreamDecoder {
  /** Content and calls are counted apart, so a part is its kind and its index. */
  function channelOf(value: JsonObject, kind: ChannelKind): Channel {
    return { kind, choice: 0, part: values.asNumber(value.index) ?? 0 };
  }

  function decodeCallStart(value: JsonObject): StreamEvent {
    const call = values.asObject(values.asObject(values.asObject(value.delta)?.message)?.tool_calls);
    const name = values.asString(values.asObject(call?.function)?.name) ?? '';
    const callId = values.asString(call?.id) ?? '';
    return { type: 'tool-call-start', channel: channelOf(value, 'tool-arguments'), callId, name };
  }

  function decodeEnd(delta: JsonObject): StreamEvent[] {
    const message = values.asString(delta.error);
    if (message !== undefined) return [{ type: 'error', message, value: delta }];
    const reason = readFinishReason(delta.finish_reason) ?? 'other';
    const usage = readUsage(delta.usage);
    const told: StreamEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }];
    return [{ type: 'finish', choice: 0, reason }, ...told, { type: 'end' }];
  }

  return {
    decode(frame) {
      const value = values.parseDocument(frame.data)?.value;
      if (value === undefined || typeof value.type !== 'string') return [];
      if (value.type === 'message-start')
        return [{ type: 'start', id: values.asString(value.id) ?? '', model: '' }];
      if (value.type === 'message-end') return decodeEnd(values.asObject(value.delta) ?? {});
      const text = textOf(value);
      const start = value.type === 'tool-call-start' ? [decodeCallStart(value)] : [];
      if (text === undefined) return start;
      return [...start, { type: 'delta', channel: channelOf(value, text.kind), text: text.text }];
    },
  };
}

export function createEncoder(context: EncoderContext): StreamEncoder {
  const sequencer = createSequencer();
  const counts = { content: -1, calls: -1 };
  let started = false;
  let ended = false;
  let usage: Usage | undefined;
  let reason: FinishReason | undefined;

  function start(id: string): SseFrame[] {
    if (started) return [];
    started = true;
    const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
    return [namedFrame({ type: 'message-start', inference_log_id: context.logId, id, delta: { message } })];
  }

  function encodePart(event: PartEvent): SseFrame[] {
    if (event.type === 'signature') return [];
    const isCall = event.kind === 'tool-arguments';
    if (event.type === 'open') isCall ? counts.calls++ : counts.content++;
    const [name, index] = isCall ? ['tool-call', counts.calls] : ['content', counts.content];
    if (event.type === 'close') return [namedFrame({ type: `${name}-end`, index })];
    const message = event.type === 'open' ? openMessage(event) : textMessage(event.kind, event.text);
    return [
      namedFrame({ type: `${name}-${event.type === 'open' ? 'start' : 'delta'}`, index, delta: { message } }),
    ];
  }

  function encodeEnd(): SseFrame[] {
    if (ended) return [];
    ended = true;
    const delta: JsonObject = { finish_reason: FINISH_REASONS[reason ?? 'stop'] };
    if (usage !== undefined) delta.usage = writeUsage(usage);
    const parts = sequencer.flush().flatMap(encodePart);
    return [...start(''), ...parts, namedFrame({ type: 'message-end', delta })];
  }

  return {
    encode(event) {
      if (event.type === 'start') return start(event.id);
      if (event.type === 'end') return encodeEnd();
      if (event.type === 'usage') usage = event.usage;
      if (event.type === 'finish') reason = event.reason;
      if (event.type === 'error') {
        ended = true;
        return [errorFrame(event.message)];
      }
      const parts = sequencer.take(event).flatMap(encodePart);
      return parts.length === 0 ? [] : [...start(''), ...parts];
    },
    finish() {
      if (reason !== undefined || ended) return encodeEnd();
      ended = true;
      return [errorFrame(BROKEN_OFF.message)];
    },
  };
}

function openMessage(part: Extract<PartEvent, { type: 'open' }>): JsonObject {
  if (part.kind === 'reasoning') return { content: { type: 'thinking', thinking: '' } };
  if (part.kind !== 'tool-arguments') return { content: { type: 'text', text: '' } };
  return { tool_calls: { id: part.callId, type: 'function', function: { name: part.name, arguments: '' } } };
}

function textMessage(kind: ChannelKind, text: string): JsonObject {
  if (kind === 'tool-arguments') return { tool_calls: { function: { arguments: text } } };
  return { content: kind === 'reasoning' ? { thinking: text } : { text } };
}

export function errorFrame(error: string): SseFrame {
  return namedFrame({ type: 'message-end', delta: { error, finish_reason: 'ERROR' } });
}

export function adaptFrame(frame: SseFrame, context: EncoderContext & { first: boolean }): SseFrame {
  if (!context.first || values.parseDocument(frame.data)?.value.type !== 'message-start') return frame;
  return { ...frame, data: addLogId(frame.data, context.logId) };
}

export function replaceDeltas(frame: SseFrame, [text]: string[]): SseFrame {
  const value = values.parseDocument(frame.data)?.value;
  const old = value === undefined ? undefined : textOf(value);
  if (old === undefined || text === undefined || text === old.text) return frame;
  return { ...frame, data: spliceValues(frame.data, [stringEdit(old.path, text)]) };
}
