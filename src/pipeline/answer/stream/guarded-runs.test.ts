import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delta, simpleGuard, wire } from '../../../../test/support/simple-guard.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import { formatFrame } from '../../../dialects/wire/sse.js';
import type { StreamGuard } from '../../../plugins/runtime/stream/stream-guard.js';
import { GuardedStream } from './guarded-stream.js';
import { RepeatedFrames } from './repeated/repeated-frames.js';
import { framesOf, type RepeatedRun } from './repeated/repeated-run.js';

describe('frames that differ only in their text', () => {
  const frameOf = (content: string): SseFrame => ({ data: JSON.stringify({ delta: { content } }) });
  const runOf = (...contents: string[]): RepeatedRun => {
    const repeated = new RepeatedFrames();
    repeated.learn(frameOf('before'), [delta('before')]);
    return repeated.readRun(contents.map((content) => formatFrame(frameOf(content))).join(''), 0)!;
  };

  function opened(window: number) {
    const shown: string[] = [];
    const inner = simpleGuard(window);
    const guard: StreamGuard = {
      ...inner,
      push: (channel, content) => {
        shown.push(content);
        return inner.push(channel, content);
      },
    };
    return { stream: new GuardedStream(wire, guard), shown };
  }

  it('are shown to the guard together, and sent unchanged', async () => {
    const { stream, shown } = opened(3);
    await stream.push(frameOf('one '), [delta('one ')]);
    expect(stream.collect(runOf('two ', 'th'))).toBe(true);
    expect(stream.collect(runOf('ree'))).toBe(true);
    const { frames } = await stream.rest();
    expect(shown).toEqual(['one ', 'two three']);
    expect(framesOf(frames)).toEqual([frameOf('one '), frameOf('two '), frameOf('th')]);
    expect(framesOf((await stream.end()).frames)).toEqual([frameOf('ree')]);
  });

  it('are shown before what comes after them', async () => {
    const { stream, shown } = opened(0);
    await stream.push(frameOf('one'), [delta('one')]);
    stream.collect(runOf('two'));
    const { frames } = await stream.push(frameOf('three'), [delta('three')]);
    expect(shown).toEqual(['one', 'twothree']);
    expect(framesOf(frames)).toEqual([frameOf('two'), frameOf('three')]);
  });

  it('wait until the guard wants to look, or nothing follows', async () => {
    const shown: string[] = [];
    const inner = simpleGuard(0);
    const guard: StreamGuard = {
      ...inner,
      collects: () => 8,
      push: (channel, content) => {
        shown.push(content);
        return inner.push(channel, content);
      },
      flush: (channel, content) => {
        shown.push(`${content}, and no more`);
        return inner.flush(channel, content);
      },
    };
    const stream = new GuardedStream(wire, guard);
    const sent = [(await stream.push(frameOf('one '), [delta('one ')])).frames];
    for (const content of ['two', ' ', 'longer', '!']) {
      expect(stream.collect(runOf(content))).toBe(true);
      sent.push((await stream.rest()).frames);
    }
    sent.push((await stream.end()).frames);
    expect(shown).toEqual(['one two ', 'longer!, and no more']);
    expect(sent.map(({ length }) => length)).toEqual([0, 0, 3, 0, 0, 2]);
  });

  it('are not collected where the frame before has more than its text', async () => {
    const { stream } = opened(0);
    const more = { data: JSON.stringify({ delta: { content: 'one' }, content_block: 'a secret' }) };
    await stream.push(more, [delta('one')]);
    expect(stream.collect(runOf('two'))).toBe(false);
  });

  it('are collected up to a limit only', async () => {
    const { stream } = opened(0);
    await stream.push(frameOf('one'), [delta('one')]);
    const long = 'a'.repeat(700);
    expect(stream.collect(runOf(long))).toBe(true);
    expect(stream.collect(runOf(long))).toBe(false);
  });

  it('are shown in parts where they are too long, or where one is', async () => {
    const { stream, shown } = opened(0);
    await stream.push(frameOf('one'), [delta('one')]);
    const [long, longest] = ['a'.repeat(700), 'b'.repeat(2_000)];
    const { frames } = await stream.pushRun(runOf(long, long, longest, 'end'));
    expect(shown).toEqual(['one', long, long, longest, 'end']);
    expect(framesOf(frames)).toEqual([long, long, longest, 'end'].map(frameOf));
  });

  /** A `secret` that begins in one of them, and ends in the same or another, and what stands around it. */
  const contents = fc.array(
    fc.constantFrom('secret', 'sec', 'ret', 's', 'ecre', 't', ' a ', 'b', 'some more text '),
    { minLength: 1, maxLength: 12 },
  );

  it('are changed together in the same way as one by one', async () => {
    const wireOf = { ...wire, replaceDeltas: (_frame: SseFrame, [text]: string[]) => frameOf(text!) };
    const guarded = async (window: number, parts: string[][], together: boolean) => {
      const stream = new GuardedStream(wireOf, simpleGuard(window));
      const frames = [...(await stream.push(frameOf('first '), [delta('first ')])).frames];
      for (const part of parts) {
        const alone = part.map((text) => [text]);
        for (const texts of together ? [part] : alone) {
          expect(stream.collect(runOf(...texts))).toBe(true);
          frames.push(...(await stream.rest()).frames);
        }
      }
      return framesOf([...frames, ...(await stream.end()).frames]).map(({ data }) => data);
    };
    const parts = fc.array(contents, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 6, max: 26 }), parts, async (window, all) => {
        expect(await guarded(window, all, true)).toEqual(await guarded(window, all, false));
      }),
    );
  });
});
