import type { Channel, ChannelKind, StreamEvent } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import { ownProperty } from '../../core/own-property.js';
import type { StreamDecoder } from '../dialect.js';
import { openReasoning, REDACTED } from '../translate/signature.js';
import { frameDocument } from '../wire/frame-document.js';
import type { Path } from '../wire/splice.js';
import { asNumber, asObject, asString } from '../wire/values.js';
import { readError } from './errors.js';
import { readStopReason, readUsage } from './parse.js';

export function createDecoder(): StreamDecoder {
  /**
   * The blocks by index, with their kind and whether a tool call has had no arguments yet. Blocks that have ended are
   * kept: clients add a late delta to its block, so it must be guarded together with the text before it.
   */
  const blocks = new Map<number, { kind: ChannelKind; empty: boolean; ended: boolean }>();
  /** The usage so far. Later events contain only the numbers that changed. */
  let usage: JsonObject = {};

  function channelOf(index: number, kind: ChannelKind): Channel {
    return { kind, choice: 0, part: index };
  }

  function decodeUsage(reported: JsonObject | undefined): StreamEvent[] {
    if (reported === undefined) return [];
    const known = Object.entries(reported).filter(([, value]) => value !== null);
    usage = { ...usage, ...Object.fromEntries(known) };
    return [{ type: 'usage', usage: readUsage(usage)! }];
  }

  function decodeMessageStart(message: JsonObject): StreamEvent[] {
    const id = asString(message.id) ?? '';
    const model = asString(message.model) ?? '';
    // The usage comes first, so that it is known when the start is written.
    return [...decodeUsage(asObject(message.usage)), { type: 'start', id, model }];
  }

  function decodeBlockStart(value: JsonObject): StreamEvent[] {
    const index = asNumber(value.index) ?? 0;
    const block = asObject(value.content_block) ?? {};
    const kind = ownProperty(BLOCK_KINDS, asString(block.type) ?? '');
    if (kind === undefined) return [];
    blocks.set(index, { kind, empty: true, ended: false });
    const channel = channelOf(index, kind);
    if (block.type === 'redacted_thinking') {
      const signature = openReasoning(REDACTED + (asString(block.data) ?? ''), 'anthropic.messages')!;
      return [{ type: 'signature', channel, signature }];
    }
    if (kind === 'tool-arguments') {
      const callId = asString(block.id) ?? '';
      const name = asString(block.name) ?? '';
      const whole = decodeText(value, channel);
      blocks.set(index, { kind, empty: whole.length === 0, ended: false });
      return [{ type: 'tool-call-start', channel, callId, name }, ...whole];
    }
    return decodeText(value, channel);
  }

  function decodeBlockDelta(value: JsonObject): StreamEvent[] {
    const index = asNumber(value.index) ?? 0;
    const block = blocks.get(index);
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
    const block = blocks.get(index);
    if (block === undefined || block.ended) return [];
    block.ended = true;
    const channel = channelOf(index, block.kind);
    const end: StreamEvent = { type: 'part-end', channel };
    // A call without arguments has no deltas in this API. Other APIs write `{}` for it.
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
      const value = frameDocument(frame)?.value;
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
        default:
          // Pings, and events that are newer than this code, contain nothing that is needed.
          break;
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

interface TextPlace {
  path: Path;
  text: string;
  /** Set where the frame has the arguments of a call as an object and not as a string. */
  json?: true;
}

/** The place of the text in a frame, if it has any: in the delta of a block, or in the start of a block. */
export function textPlace(value: JsonObject): TextPlace | undefined {
  for (const key of ['delta', 'content_block']) {
    const holder = asObject(value[key]);
    for (const field of ['text', 'thinking', 'partial_json']) {
      const text = asString(holder?.[field]);
      if (text) return { path: [key, field], text };
    }
  }
  return wholeInput(asObject(value.content_block));
}

/** The API begins each call with an empty object. Some servers put all arguments there and send no deltas. */
function wholeInput(block: JsonObject | undefined): TextPlace | undefined {
  const input = block?.type === 'tool_use' ? asObject(block.input) : undefined;
  if (input === undefined || Object.keys(input).length === 0) return undefined;
  return { path: ['content_block', 'input'], text: JSON.stringify(input), json: true };
}

function decodeText(value: JsonObject, channel: Channel): StreamEvent[] {
  const place = textPlace(value);
  return place === undefined ? [] : [{ type: 'delta', channel, text: place.text }];
}
