import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../core/answer.js';
import { openaiCompletions } from './index.js';

const CONTEXT = { logId: 'log-1', streamUsage: true, created: 5, model: 'm' };
const channel = { kind: 'text' as const, choice: 1, part: 0 };
const EVENTS: StreamEvent[] = [
  { type: 'start', id: 'a', model: 'n', created: 7 },
  { type: 'delta', channel, text: 'one' },
  { type: 'finish', choice: 1, reason: 'length' },
  { type: 'usage', usage: { inputTokens: 2, outputTokens: 3 } },
  { type: 'end' },
];
const write = (events: StreamEvent[], streamUsage = true) => {
  const encoder = openaiCompletions.createEncoder({ ...CONTEXT, streamUsage });
  return [...events.flatMap((event) => encoder.encode(event)), ...encoder.finish()];
};

describe('a stream of completions that is written anew', () => {
  it('contains what was written', () => {
    const decoder = openaiCompletions.createDecoder();
    expect(write(EVENTS).flatMap((frame) => decoder.decode(frame))).toEqual(EVENTS);
  });

  it('has the log id in its first chunk, and usage only where it was asked for', () => {
    const frames = write(EVENTS, false);
    expect(frames.map(({ data }) => data.includes('"inference_log_id":"log-1"'))).toEqual([
      true,
      false,
      false,
    ]);
    expect(frames.some(({ data }) => data.includes('usage'))).toBe(false);
  });

  it('ends with a single error where it was cut off', () => {
    const cut = write(EVENTS.slice(0, 2));
    expect(JSON.parse(cut.at(-1)!.data)).toMatchObject({ error: { code: 'upstream_unavailable' } });
    const failed = write([...EVENTS.slice(0, 2), { type: 'error', message: 'no', value: null }]);
    expect(failed.filter(({ data }) => data.includes('"error"'))).toHaveLength(1);
    expect(failed.at(-1)!.data).toContain('"message":"no"');
  });
});
