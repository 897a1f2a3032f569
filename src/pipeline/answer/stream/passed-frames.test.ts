import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../../core/answer.js';
import type { SseFrame, StreamDecoder } from '../../../dialects/dialect.js';
import { PassedFrames } from './passed-frames.js';

/** Numbers the frames that it has read, as a decoder with a state does. */
function counting(): { decoder: StreamDecoder; read: string[] } {
  const read: string[] = [];
  const decode = ({ data }: SseFrame): StreamEvent[] => [
    { type: 'start', id: `${read.push(data)}`, model: data },
  ];
  return { decoder: { decode }, read };
}

const frameOf = (data: string): SseFrame => ({ data });

describe('the frames that a guard let pass', () => {
  it('keep their decoded meaning, and are not decoded again', () => {
    const [came, again] = [counting(), counting()];
    const passed = new PassedFrames(() => again.decoder);
    for (const frame of ['a', 'b'].map(frameOf)) {
      const events = came.decoder.decode(frame);
      passed.note(frame, events);
      expect(passed.read(frame)).toBe(events);
    }
    expect(again.read).toEqual([]);
  });

  it('are decoded again from the first changed one on, by a decoder with the state from before', () => {
    const [came, again] = [counting(), counting()];
    const passed = new PassedFrames(() => again.decoder);
    const frames = ['a', 'b', 'c'].map(frameOf);
    for (const frame of frames) passed.note(frame, came.decoder.decode(frame));
    passed.read(frames[0]!);
    expect(passed.read(frameOf('changed'))).toEqual([{ type: 'start', id: '2', model: 'changed' }]);
    expect(passed.read(frames[2]!)).toEqual([{ type: 'start', id: '3', model: 'c' }]);
    expect(again.read).toEqual(['a', 'changed', 'c']);
  });

  it('are kept for that decoder only up to a small number', () => {
    const [came, again] = [counting(), counting()];
    const passed = new PassedFrames(() => again.decoder);
    const frames = Array.from({ length: 200 }, (_, index) => frameOf(`${index}`));
    for (const frame of frames) {
      passed.note(frame, came.decoder.decode(frame));
      passed.read(frame);
    }
    expect(again.read.length).toBeGreaterThan(100);
    passed.read(frameOf('changed'));
    expect(again.read).toEqual([...frames.map(({ data }) => data), 'changed']);
  });
});
