import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../../core/answer.js';
import type { SseFrame, StreamDecoder } from '../../../dialects/dialect.js';
import { GoneFrames } from './gone-frames.js';

/** Numbers the frames that it has read, as a decoder with a state does. */
function counting(): { decoder: StreamDecoder; read: string[] } {
  const read: string[] = [];
  const decode = ({ data }: SseFrame): StreamEvent[] => [
    { type: 'start', id: `${read.push(data)}`, model: data },
  ];
  return { decoder: { decode }, read };
}

const frameOf = (data: string): SseFrame => ({ data });

describe('the frames that a guard let go', () => {
  it('mean what they meant when they came, and are not read again', () => {
    const [came, again] = [counting(), counting()];
    const gone = new GoneFrames(() => again.decoder);
    for (const frame of ['a', 'b'].map(frameOf)) {
      const events = came.decoder.decode(frame);
      gone.note(frame, events);
      expect(gone.read(frame)).toBe(events);
    }
    expect(again.read).toEqual([]);
  });

  it('are read from the first changed one on, by a decoder that knows all that went before', () => {
    const [came, again] = [counting(), counting()];
    const gone = new GoneFrames(() => again.decoder);
    const frames = ['a', 'b', 'c'].map(frameOf);
    for (const frame of frames) gone.note(frame, came.decoder.decode(frame));
    gone.read(frames[0]!);
    expect(gone.read(frameOf('changed'))).toEqual([{ type: 'start', id: '2', model: 'changed' }]);
    expect(gone.read(frames[2]!)).toEqual([{ type: 'start', id: '3', model: 'c' }]);
    expect(again.read).toEqual(['a', 'changed', 'c']);
  });

  it('are kept for that decoder in small number alone', () => {
    const [came, again] = [counting(), counting()];
    const gone = new GoneFrames(() => again.decoder);
    const frames = Array.from({ length: 200 }, (_, index) => frameOf(`${index}`));
    for (const frame of frames) {
      gone.note(frame, came.decoder.decode(frame));
      gone.read(frame);
    }
    expect(again.read.length).toBeGreaterThan(100);
    gone.read(frameOf('changed'));
    expect(again.read).toEqual([...frames.map(({ data }) => data), 'changed']);
  });
});
