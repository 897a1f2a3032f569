import type { StreamEvent } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { SseFrame, StreamEncoder } from '../dialect.js';

type Start = Extract<StreamEvent, { type: 'tool-call-start' }>;

/** A call whose name may still grow, with the arguments that have come so far. */
interface Waiting {
  start: Start;
  deltas: StreamEvent[];
}

/**
 * An encoder that passes on the start of a call only once, with its complete name, because other APIs cannot correct
 * what they have sent. A name is complete when arguments or another event follow it.
 */
export function steadyCalls(encoder: StreamEncoder): StreamEncoder {
  const waiting = new Map<string, Waiting>();
  const started = new Set<string>();

  function release(isOver: (start: Start) => boolean): StreamEvent[] {
    if (waiting.size === 0) return [];
    const released: StreamEvent[] = [];
    for (const [key, { start, deltas }] of waiting) {
      if (!isOver(start)) continue;
      waiting.delete(key);
      started.add(key);
      released.push(start, ...deltas);
    }
    return released;
  }

  function take(event: StreamEvent): StreamEvent[] {
    switch (event.type) {
      case 'tool-call-start': {
        const key = keyOf(event);
        if (started.has(key)) return [];
        const known = waiting.get(key);
        const others = release((start) => keyOf(start) !== key && start.name !== '');
        waiting.set(key, { start: event, deltas: known?.deltas ?? [] });
        return known !== undefined && known.deltas.length > 0 && event.name !== ''
          ? [...others, ...release((start) => keyOf(start) === key)]
          : others;
      }
      case 'delta': {
        const known = event.channel.kind === 'tool-arguments' ? waiting.get(keyOf(event)) : undefined;
        if (known === undefined) return [...release(({ name }) => name !== ''), event];
        known.deltas.push(event);
        return known.start.name === '' ? [] : release((start) => keyOf(start) === keyOf(event));
      }
      case 'part-end':
        return [...release((start) => keyOf(start) === keyOf(event)), event];
      case 'finish':
        return [...release(({ channel }) => channel.choice === event.choice), event];
      case 'error':
      case 'end':
        return [...release(() => true), event];
      case 'start':
      case 'signature':
      case 'usage':
        return [event];
      default:
        return assertNever(event);
    }
  }

  return {
    encode: (event) => take(event).flatMap((one) => encoder.encode(one)),
    finish: (): SseFrame[] => [
      ...release(() => true).flatMap((one) => encoder.encode(one)),
      ...encoder.finish(),
    ],
  };
}

function keyOf({ channel }: { channel: Start['channel'] }): string {
  return `${channel.choice}/${channel.part}`;
}
