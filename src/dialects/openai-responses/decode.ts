import type { Channel, ChannelKind, StreamEvent } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import { ownProperty } from '../../core/own-property.js';
import type { StreamDecoder } from '../dialect.js';
import { openReasoning } from '../translate/signature.js';
import { frameDocument } from '../wire/frame-document.js';
import type { Path } from '../wire/splice.js';
import { asNumber, asObject, asString } from '../wire/values.js';
import { flatName } from './client-tools.js';
import { readError } from './errors.js';
import { readFinishReason, readUsage } from './parse.js';

/** Events whose text extends an answer, and those that repeat the whole text at its end. */
const TEXT_EVENTS: Record<string, { kind: ChannelKind; field: string; whole?: true }> = {
  'response.output_text.delta': { kind: 'text', field: 'delta' },
  'response.output_text.done': { kind: 'text', field: 'text', whole: true },
  'response.refusal.delta': { kind: 'refusal', field: 'delta' },
  'response.refusal.done': { kind: 'refusal', field: 'refusal', whole: true },
  'response.function_call_arguments.delta': { kind: 'tool-arguments', field: 'delta' },
  'response.function_call_arguments.done': { kind: 'tool-arguments', field: 'arguments', whole: true },
  'response.custom_tool_call_input.delta': { kind: 'tool-arguments', field: 'delta' },
  'response.custom_tool_call_input.done': { kind: 'tool-arguments', field: 'input', whole: true },
  'response.reasoning_summary_text.delta': { kind: 'reasoning', field: 'delta' },
  'response.reasoning_summary_text.done': { kind: 'reasoning', field: 'text', whole: true },
  'response.reasoning_text.delta': { kind: 'reasoning', field: 'delta' },
  'response.reasoning_text.done': { kind: 'reasoning', field: 'text', whole: true },
};

/** The item types of the client's own tool calls, each with the member that holds the arguments. */
const CALL_FIELDS: Record<string, string> = { function_call: 'arguments', custom_tool_call: 'input' };

/** The text of an event, and its place, if it has any. */
export function textField(value: JsonObject): { path: Path; text: string | undefined } | undefined {
  const field = textEvent(value)?.field;
  if (field !== undefined) return { path: [field], text: asString(value[field]) };
  const item = value.type === 'response.output_item.done' ? asObject(value.item) : undefined;
  const inItem = callField(item);
  return inItem === undefined ? undefined : { path: ['item', inItem], text: asString(item![inItem]) };
}

function callField(item: JsonObject | undefined): string | undefined {
  return ownProperty(CALL_FIELDS, asString(item?.type) ?? '');
}

function textEvent(value: JsonObject): (typeof TEXT_EVENTS)[string] | undefined {
  return ownProperty(TEXT_EVENTS, asString(value.type) ?? '');
}

interface OpenChannel {
  channel: Channel;
  empty: boolean;
  /** An event has reported the start of the call. */
  begun?: true;
  /** An event has reported its end. */
  ended?: true;
}

export function createDecoder(): StreamDecoder {
  let started = false;
  let called = false;
  /** Channels by place in the output, numbered as they appear. */
  const channels = new Map<string, OpenChannel>();

  function channelAt(value: JsonObject, kind: ChannelKind): OpenChannel {
    const inside = asNumber(value.content_index) ?? asNumber(value.summary_index) ?? 0;
    const key = `${kind}/${asNumber(value.output_index) ?? 0}/${inside}`;
    let found = channels.get(key);
    if (found === undefined) {
      found = { channel: { kind, choice: 0, part: channels.size }, empty: true };
      channels.set(key, found);
    }
    return found;
  }

  function decodeStart(response: JsonObject | undefined): StreamEvent[] {
    if (started || response === undefined) return [];
    started = true;
    const created = asNumber(response.created_at);
    const id = asString(response.id) ?? '';
    const model = asString(response.model) ?? '';
    return [{ type: 'start', id, model, ...(created === undefined ? {} : { created }) }];
  }

  function decodeText(value: JsonObject, event: (typeof TEXT_EVENTS)[string]): StreamEvent[] {
    const open = channelAt(value, event.kind);
    const text = asString(value[event.field]) ?? '';
    const events = event.whole ? wholeText(open, text) : extend(open, text);
    // The signature of reasoning comes later, at the end of its item.
    return event.whole && event.kind !== 'reasoning' ? [...events, ...endOf(open)] : events;
  }

  function extend(open: OpenChannel, text: string): StreamEvent[] {
    if (text === '') return [];
    open.empty = false;
    return [{ type: 'delta', channel: open.channel, text }];
  }

  /** Some servers send a text only at its end. */
  function wholeText(open: OpenChannel, text: string): StreamEvent[] {
    return open.empty ? extend(open, text) : [];
  }

  function endOf(open: OpenChannel): StreamEvent[] {
    if (open.ended) return [];
    open.ended = true;
    return [{ type: 'part-end', channel: open.channel }];
  }

  function decodeItemStart(value: JsonObject): StreamEvent[] {
    const item = asObject(value.item);
    if (item === undefined || callField(item) === undefined) return [];
    return startOf(channelAt(value, 'tool-arguments'), item);
  }

  function startOf(open: OpenChannel, item: JsonObject): StreamEvent[] {
    if (open.begun) return [];
    open.begun = true;
    called = true;
    const { channel } = open;
    const callId = asString(item.call_id) ?? '';
    const name = flatName(asString(item.name) ?? '', asString(item.namespace));
    const freeform = item.type === 'custom_tool_call' ? ({ freeform: true } as const) : {};
    return [{ type: 'tool-call-start', channel, callId, name, ...freeform }];
  }

  function decodeItemEnd(value: JsonObject): StreamEvent[] {
    const item = asObject(value.item);
    const field = callField(item);
    if (field !== undefined) return decodeCallEnd(value, item!, field);
    if (item?.type !== 'reasoning') return [];
    const index = asNumber(value.output_index) ?? 0;
    const own = [...channels].filter(([key]) => key.startsWith(`reasoning/${index}/`));
    const signature = openReasoning(asString(item.encrypted_content), 'openai.responses');
    const last = own.at(-1)?.[1] ?? (signature === undefined ? undefined : channelAt(value, 'reasoning'));
    if (last === undefined) return [];
    const { channel } = last;
    const proof: StreamEvent[] = signature === undefined ? [] : [{ type: 'signature', channel, signature }];
    return [...proof, { type: 'part-end', channel }];
  }

  /** Some servers report a call only when it is complete. */
  function decodeCallEnd(value: JsonObject, item: JsonObject, field: string): StreamEvent[] {
    const open = channelAt(value, 'tool-arguments');
    const text = asString(item[field]) ?? '';
    return [...startOf(open, item), ...wholeText(open, text), ...endOf(open)];
  }

  function decodeEnd(response: JsonObject): StreamEvent[] {
    const events: StreamEvent[] = [];
    const reason = readFinishReason(response);
    if (reason !== null) {
      events.push({ type: 'finish', choice: 0, reason: reason === 'stop' && called ? 'tool-calls' : reason });
    }
    const usage = readUsage(response);
    if (usage !== undefined) events.push({ type: 'usage', usage });
    return [...events, { type: 'end' }];
  }

  function decodeFailure(value: JsonObject, error: JsonObject): StreamEvent[] {
    const message = asString(error.message) ?? 'The provider reported an error.';
    const errorType = asString(error.type) ?? asString(error.code);
    return [{ type: 'error', message, ...(errorType === undefined ? {} : { errorType }), value }];
  }

  function decodeValue(value: JsonObject): StreamEvent[] {
    const text = textEvent(value);
    if (text !== undefined) return decodeText(value, text);
    const response = asObject(value.response);
    switch (value.type) {
      case 'response.output_item.added':
        return decodeItemStart(value);
      case 'response.output_item.done':
        return decodeItemEnd(value);
      case 'response.completed':
      case 'response.incomplete':
        return decodeEnd(response ?? {});
      case 'response.failed':
        return decodeFailure(value, asObject(response?.error) ?? {});
      case 'error':
        return decodeFailure(value, { ...value, type: null, ...asObject(value.error) });
      default:
        // Other events only repeat the deltas.
        break;
    }
    // Servers of several APIs may end a stream with an error of another API.
    const error = value.type === undefined ? readError(value) : undefined;
    return error === undefined ? [] : [{ type: 'error', message: error.message, value }];
  }

  return {
    decode(frame) {
      const value = frameDocument(frame)?.value;
      if (value === undefined) return [];
      const start = decodeStart(asObject(value.response));
      return start.length === 0 ? decodeValue(value) : [...start, ...decodeValue(value)];
    },
  };
}
