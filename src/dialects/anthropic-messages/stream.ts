import type { Channel, ChannelKind, StreamEvent } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import type { FinishReason, Usage } from '../../core/message.js';
import type { EncoderContext, SseFrame, StreamDecoder, StreamEncoder } from '../dialect.js';
import { anthropicErrorType } from '../error-types.js';
import { addLogId, namedFrame } from '../frames.js';
import { asNumber, asObject, asString, parseDocument } from '../reading.js';
import { createSequencer, type PartEvent } from '../sequencer.js';
import { openReasoning, REDACTED, signatureForClient } from '../signature.js';
import { type Path, spliceValues, stringEdit } from '../splice.js';
import { readError } from './errors.js';
import { readStopReason, readUsage } from './parse.js';
import { writeStopReason, writeUsage } from './render.js';

// Decoding ---------------------------------------------------------------------------------------------

export function createDecoder(): StreamDecoder {
  /** Kinds of the blocks that are open, by index; and whether a tool call had arguments. */
  const open = new Map<number, { kind: ChannelKind; empty: boolean }>();
  /** Later events tell only the numbers that changed. */
  let usage: JsonObject = {};

  function channelOf(index: number, kind: ChannelKind): Channel {
    return { kind, choice: 0, part: index };
  }

  function decodeUsage(told: JsonObject | undefined): StreamEvent[] {
    if (told === undefined) return [];
    const known = Object.entries(told).filter(([, value]) => value !== null);
    usage = { ...usage, ...Object.fromEntries(known) };
    return [{ type: 'usage', usage: readUsage(usage)! }];
  }

  function decodeMessageStart(message: JsonObject): StreamEvent[] {
    const id = asString(message.id) ?? '';
    const model = asString(message.model) ?? '';
    // Usage comes first, so that it is known where a start is written.
    return [...decodeUsage(asObject(message.usage)), { type: 'start', id, model }];
  }

  function decodeBlockStart(value: JsonObject): StreamEvent[] {
    const index = asNumber(value.index) ?? 0;
    const block = asObject(value.content_block) ?? {};
    const kind = BLOCK_KINDS[asString(block.type) ?? ''];
    if (kind === undefined) return [];
    open.set(index, { kind, empty: true });
    const channel = channelOf(index, kind);
    if (block.type === 'redacted_thinking') {
      const signature = openReasoning(REDACTED + (asString(block.data) ?? ''), 'anthropic.messages')!;
      return [{ type: 'signature', channel, signature }];
    }
    if (kind === 'tool-arguments') {
      const callId = asString(block.id) ?? '';
      return [{ type: 'tool-call-start', channel, callId, name: asString(block.name) ?? '' }];
    }
    return decodeText(value, channel);
  }

  function decodeBlockDelta(value: JsonObject): StreamEvent[] {
    const index = asNumber(value.index) ?? 0;
    const block = open.get(index);
    const delta = asObject(value.delta);
    if (block === undefined || delta === undefined) return [];
    if (delta.type === 'signature_delta') {
      const signature = openReasoning(asString(delta.signature), 'anthropic.messages');
      return signature === undefined
        ? []
        : [{ type: 'signature', channel: channelOf(index, block.kind), signature }];
    }
    const events = decodeText(value, channelOf(index, block.kind));
    if (events.length > 0) block.empty = false;
    return events;
  }

  function decodeBlockStop(value: JsonObject): StreamEvent[] {
    const index = asNumber(value.index) ?? 0;
    const block = open.get(index);
    if (block === undefined) return [];
    open.delete(index);
    const channel = channelOf(index, block.kind);
    const end: StreamEvent = { type: 'part-end', channel };
    // A call without arguments has no deltas here, while elsewhere it says `{}`.
    if (block.kind === 'tool-arguments' && block.empty) return [{ type: 'delta', channel, text: '{}' }, end];
    return [end];
  }

  function decodeMessageDelta(value: JsonObject): StreamEvent[] {
    const events = decodeUsage(asObject(value.usage));
    const delta = asObject(value.delta);
    const reason = readStopReason(delta?.stop_reason);
    if (reason === null) return events;
    const sequence = asString(delta?.stop_sequence);
    const finish = sequence === undefined ? {} : { stopSequence: sequence };
    return [{ type: 'finish', choice: 0, reason, ...finish }, ...events];
  }

  return {
    decode(frame) {
      const value = parseDocument(frame.data)?.value;
      switch (value?.type) {
        case 'message_start':
          return decodeMessageStart(asObject(value.message) ?? {});
        case 'content_block_start':
          return decodeBlockStart(value);
        case 'content_block_delta':
          return decodeBlockDelta(value);
        case 'content_block_stop':
          return decodeBlockStop(value);
        case 'message_delta':
          return decodeMessageDelta(value);
        case 'message_stop':
          return [{ type: 'end' }];
        case 'error': {
          const error = readError(value) ?? { message: 'The provider reported an error.' };
          const type = error.type === undefined ? {} : { errorType: error.type };
          return [{ type: 'error', message: error.message, ...type, value }];
        }
      }
      return [];
    },
  };
}

const BLOCK_KINDS: Record<string, ChannelKind> = {
  text: 'text',
  thinking: 'reasoning',
  redacted_thinking: 'reasoning',
  tool_use: 'tool-arguments',
};

/** Where a frame's text stands, if it has any: in the delta of a block, or already in its start. */
function textPlace(value: JsonObject): { path: Path; text: string } | undefined {
  for (const key of ['delta', 'content_block']) {
    const holder = asObject(value[key]);
    for (const field of ['text', 'thinking', 'partial_json']) {
      const text = asString(holder?.[field]);
      if (text) return { path: [key, field], text };
    }
  }
  return undefined;
}

function decodeText(value: JsonObject, channel: Channel): StreamEvent[] {
  const place = textPlace(value);
  return place === undefined ? [] : [{ type: 'delta', channel, text: place.text }];
}

// Encoding ---------------------------------------------------------------------------------------------

export function createEncoder(context: EncoderContext): StreamEncoder {
  const sequencer = createSequencer();
  let started = false;
  let ended = false;
  let index = -1;
  let usage: Usage | undefined;
  let finish: { reason: FinishReason; stopSequence?: string } | undefined;
  const seen = { refused: false, called: false };

  function start(id: string, model: string): SseFrame[] {
    if (started) return [];
    started = true;
    const message = {
      inference_log_id: context.logId,
      id,
      type: 'message',
      role: 'assistant',
      model: model === '' ? context.model : model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeUsage(usage),
    };
    return [namedFrame({ type: 'message_start', message })];
  }

  function encodePart(event: PartEvent): SseFrame[] {
    switch (event.type) {
      case 'open':
        index++;
        if (event.kind === 'refusal') seen.refused = true;
        if (event.kind === 'tool-arguments') seen.called = true;
        return [namedFrame({ type: 'content_block_start', index, content_block: emptyBlock(event) })];
      case 'text':
        return [namedFrame({ type: 'content_block_delta', index, delta: textDelta(event.kind, event.text) })];
      case 'signature': {
        const signature = signatureForClient(event.signature, 'anthropic.messages');
        if (signature.startsWith(REDACTED)) return [];
        return [
          namedFrame({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature } }),
        ];
      }
      case 'close':
        return [namedFrame({ type: 'content_block_stop', index })];
    }
  }

  function encodeEnd(): SseFrame[] {
    if (ended) return [];
    ended = true;
    const reason = finish?.reason ?? 'stop';
    const sequence = finish?.stopSequence;
    const delta = {
      stop_reason: writeStopReason(reason, { ...seen, sequence: sequence !== undefined }),
      stop_sequence: sequence ?? null,
    };
    return [
      ...start('', ''),
      ...sequencer.flush().flatMap(encodePart),
      namedFrame({ type: 'message_delta', delta, usage: writeUsage(usage) }),
      namedFrame({ type: 'message_stop' }),
    ];
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          return start(event.id, event.model);
        case 'usage':
          usage = event.usage;
          return [];
        case 'finish':
          if (event.choice === 0) finish = event;
          return [];
        case 'error': {
          ended = true;
          const error = { type: anthropicErrorType(event.errorType, 500), message: event.message };
          return [namedFrame({ type: 'error', error, request_id: context.logId })];
        }
        case 'end':
          return encodeEnd();
        default: {
          const parts = sequencer.take(event).flatMap(encodePart);
          return parts.length === 0 ? [] : [...start('', ''), ...parts];
        }
      }
    },
    finish: encodeEnd,
  };
}

function emptyBlock(part: Extract<PartEvent, { type: 'open' }>): JsonObject {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: '' };
    case 'tool-arguments':
      return { type: 'tool_use', id: part.callId, name: part.name, input: {} };
    case 'reasoning': {
      const signature =
        part.signature === undefined ? '' : signatureForClient(part.signature, 'anthropic.messages');
      if (signature.startsWith(REDACTED)) {
        return { type: 'redacted_thinking', data: signature.slice(REDACTED.length) };
      }
      return { type: 'thinking', thinking: '', signature: '' };
    }
  }
}

function textDelta(kind: ChannelKind, text: string): JsonObject {
  if (kind === 'reasoning') return { type: 'thinking_delta', thinking: text };
  if (kind === 'tool-arguments') return { type: 'input_json_delta', partial_json: text };
  return { type: 'text_delta', text };
}

// Passing on -------------------------------------------------------------------------------------------

/** Finds the one frame that gets our field, without parsing the others. */
const MESSAGE_START = '"message_start"';

export function adaptFrame(
  frame: SseFrame,
  context: EncoderContext & { first: boolean },
): SseFrame | undefined {
  if (!frame.data.includes(MESSAGE_START)) return frame;
  const value = parseDocument(frame.data)?.value;
  if (value?.type !== 'message_start' || asObject(value.message) === undefined) return frame;
  const write = (message: string) => addLogId(message, context.logId);
  return { ...frame, data: spliceValues(frame.data, [{ path: ['message'], write }]) };
}

export function replaceDeltas(frame: SseFrame, texts: string[]): SseFrame {
  const value = parseDocument(frame.data)?.value;
  const place = value === undefined ? undefined : textPlace(value);
  const text = texts[0];
  if (place === undefined || text === undefined || text === place.text) return frame;
  return { ...frame, data: spliceValues(frame.data, [stringEdit(place.path, text)]) };
}
