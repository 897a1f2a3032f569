import type { Channel, ChannelKind, StreamEvent } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import { isJsonObject, parseJson } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import { ObjectEnd } from './object-end.js';

/*
 * Some APIs write the parts of an answer one after the other: a part is opened, filled and closed before the next.
 * Other APIs mix parts and never say where one ends. The sequencer turns the second form into the first: a part ends
 * when another begins, and parallel tool calls wait until the one before them is complete.
 */

export type PartEvent =
  /** `signature` is present where the part begins with it. */
  | {
      type: 'open';
      kind: ChannelKind;
      callId: string;
      name: string;
      freeform?: true;
      signature?: string;
    }
  | { type: 'text'; kind: ChannelKind; text: string }
  | { type: 'signature'; signature: string }
  | { type: 'close'; kind: ChannelKind };

export interface Sequencer {
  /** Takes an event. Events that do not belong to parts have no result. */
  take(event: StreamEvent): PartEvent[];
  /** Closes the open part and returns the events that waited. */
  flush(): PartEvent[];
}

interface Waiting {
  kind: ChannelKind;
  events: StreamEvent[];
}

interface Current {
  key: string;
  kind: ChannelKind;
  text: string;
  end: ObjectEnd;
  /** Whether the text is a JSON object. It is computed once, when the text has ended. */
  isObject?: boolean;
}

export function createSequencer(): Sequencer {
  let current: Current | undefined;
  const waiting = new Map<string, Waiting>();
  /** In the order of emission. In a map, finding the first entry after many deleted ones would be slow. */
  const order = waiting.entries();
  const closedCalls = new Set<string>();

  function take(event: StreamEvent): PartEvent[] {
    if (!('channel' in event) || event.channel.choice !== 0) return [];
    // Reasoning without text is not a part: it can be only a signature.
    if (event.type === 'delta' && event.text === '') return [];
    const key = channelKey(event.channel);
    if (closedCalls.has(key)) return [];
    if (current?.key === key) return [...write(event), ...advance()];
    const queued = waiting.get(key);
    if (queued !== undefined) {
      queued.events.push(event);
      return [];
    }
    if (event.type === 'part-end') return [];
    if (current !== undefined && !isWhole()) {
      waiting.set(key, { kind: event.channel.kind, events: [event] });
      return [];
    }
    return [...close(), ...open(key, event)];
  }

  function open(key: string, event: StreamEvent & { channel: Channel }): PartEvent[] {
    const { kind } = event.channel;
    current = { key, kind, text: '', end: new ObjectEnd() };
    const call = event.type === 'tool-call-start' ? event : { callId: '', name: '' };
    const opened: PartEvent = { type: 'open', kind, callId: call.callId, name: call.name };
    if (event.type === 'tool-call-start' && event.freeform) opened.freeform = true;
    if (event.type === 'signature') opened.signature = event.signature;
    return [opened, ...write(event)];
  }

  /** Emits an event of the open part. */
  function write(event: StreamEvent): PartEvent[] {
    switch (event.type) {
      case 'delta':
        if (current!.kind === 'tool-arguments') {
          current!.text += event.text;
          current!.end.push(event.text);
        }
        return [{ type: 'text', kind: current!.kind, text: event.text }];
      case 'signature':
        return [{ type: 'signature', signature: event.signature }];
      case 'part-end':
        return close();
      case 'start':
      case 'tool-call-start':
      case 'finish':
      case 'usage':
      case 'error':
      case 'end':
        return [];
      default:
        return assertNever(event);
    }
  }

  function close(): PartEvent[] {
    if (current === undefined) return [];
    const { key, kind, text } = current;
    current = undefined;
    if (kind !== 'tool-arguments') return [{ type: 'close', kind }];
    closedCalls.add(key);
    // A call without arguments sends none, but clients parse the arguments as JSON.
    const none: PartEvent[] = text === '' ? [{ type: 'text', kind, text: '{}' }] : [];
    return [...none, { type: 'close', kind }];
  }

  /** Opens the next part, if the one before has ended and another waits. */
  function advance(): PartEvent[] {
    const given: PartEvent[] = [];
    while (waiting.size > 0 && (current === undefined || isWhole())) {
      const [key, next] = order.next().value!;
      waiting.delete(key);
      append(given, close());
      for (const event of next.events) {
        if (current === undefined) append(given, open(key, event as StreamEvent & { channel: Channel }));
        else append(given, write(event));
      }
    }
    return given;
  }

  /**
   * Whether the open part is complete. Only a tool call can be recognized as incomplete: its arguments are not valid
   * JSON yet.
   */
  function isWhole(): boolean {
    if (current?.kind !== 'tool-arguments') return true;
    if (!current.end.ended) return false;
    current.isObject ??= isJsonObject(parseJson(current.text));
    return current.isObject;
  }

  return {
    take,
    flush() {
      const given = close();
      while (waiting.size > 0) {
        append(given, advance());
        append(given, close());
      }
      return given;
    },
  };
}

function channelKey(channel: Channel): string {
  return `${channel.kind}/${channel.part}`;
}
