import { describe, expect, it } from 'vitest';
import { delta, simpleGuard, text, wire } from '../../../../test/support/simple-guard.js';
import type { Channel, StreamEvent } from '../../../core/answer.js';
import type { SseFrame } from '../../../dialects/dialect.js';
import type { StreamGuard } from '../../../plugins/runtime/stream/stream-guard.js';
import { GuardedStream } from './guarded-stream.js';
import { framesOf } from './repeated/repeated-run.js';

const reasoning: Channel = { kind: 'reasoning', choice: 0, part: 0 };
const call = (part: number): Channel => ({ kind: 'tool-arguments', choice: 0, part });

/** Pushes one frame for each list of events; gives for each push the texts of the frames that came out. */
async function send(stream: GuardedStream, frames: StreamEvent[][]): Promise<string[][]> {
  const out: string[][] = [];
  for (const events of frames) {
    const step = await stream.push({ data: JSON.stringify(events) }, events);
    out.push(framesOf(step.frames).map(said));
  }
  out.push(framesOf((await stream.end()).frames).map(said));
  return out;
}

function said(frame: SseFrame): string {
  return (JSON.parse(frame.data) as StreamEvent[])
    .map((event) => (event.type === 'delta' ? event.text : `[${event.type}]`))
    .join('');
}

describe('a guarded stream', () => {
  it('sends a frame when the window after its last letter was seen', async () => {
    const out = await send(new GuardedStream(wire, simpleGuard(4)), [
      [delta('one ')],
      [delta('two ')],
      [delta('three')],
      [{ type: 'end' }],
    ]);
    expect(out).toEqual([[], ['one '], ['two '], ['three', '[end]'], []]);
  });

  it('sends each of 200 texts as soon as its window was seen, counted in events', async () => {
    const stream = new GuardedStream(wire, simpleGuard(20));
    let seen = 0;
    for (let event = 1; event <= 200; event++) {
      const events = [delta('abcde')];
      seen += (await stream.push({ data: JSON.stringify(events) }, events)).frames.length;
      expect(seen).toBe(Math.max(0, event - 4));
    }
    expect((await stream.end()).frames).toHaveLength(4);
  });

  it('shows the guard a very long text of one frame piece by piece', async () => {
    const guard = simpleGuard(4);
    const shown: number[] = [];
    const watched: StreamGuard = {
      ...guard,
      push: (channel, said) => {
        shown.push(said.length);
        return guard.push(channel, said);
      },
    };
    const long = 'abcd '.repeat(10_000);
    const out = await send(new GuardedStream(wire, watched), [[delta(long)], [{ type: 'end' }]]);
    expect(out.flat()).toEqual([long, '[end]']);
    expect(Math.max(...shown)).toBeLessThanOrEqual(8_192);
    expect(shown.reduce((sum, length) => sum + length, 0)).toBe(long.length);
  });

  it('sends the same frame where its text was not changed', async () => {
    const stream = new GuardedStream(wire, simpleGuard(0));
    const events = [delta('one')];
    const frame = { event: 'x', data: `  ${JSON.stringify(events)}  ` };
    expect((await stream.push(frame, events)).frames[0]).toBe(frame);
  });

  it('puts a replacement into the first frame with replaced text', async () => {
    const out = await send(new GuardedStream(wire, simpleGuard(12)), [
      [delta('a se')],
      [delta('cr')],
      [delta('et b')],
      [{ type: 'end' }],
    ]);
    expect(out.flat()).toEqual(['a #', '', ' b', '[end]']);
  });

  it('completes a part at its end, and all parts of a choice at its finish', async () => {
    const calls: string[] = [];
    const out = await send(new GuardedStream(wire, simpleGuard(100, calls)), [
      [delta('a', call(0))],
      [{ type: 'part-end', channel: call(0) }],
      [delta('b')],
      [{ type: 'finish', choice: 0, reason: 'stop' }],
    ]);
    expect(out).toEqual([[], ['a', '[part-end]'], [], ['b', '[finish]'], []]);
    expect(calls).toEqual(['tool-arguments 0 0', 'text 0 0']);
  });

  it('treats a text as ended when the next one of its choice begins', async () => {
    const out = await send(new GuardedStream(wire, simpleGuard(100)), [
      [delta('think', reasoning)],
      [delta('say')],
      [{ type: 'tool-call-start', channel: call(1), callId: 'c', name: 'f' }],
      [delta('{}', call(1))],
      [{ type: 'tool-call-start', channel: call(2), callId: 'd', name: 'f' }],
      [delta('{}', call(2))],
    ]);
    expect(out).toEqual([
      [],
      ['think'],
      ['say', '[tool-call-start]'],
      [],
      ['{}', '[tool-call-start]'],
      [],
      ['{}'],
    ]);
  });

  it('does not treat a text as ended when another choice continues', async () => {
    const other: Channel = { kind: 'text', choice: 1, part: 0 };
    const calls: string[] = [];
    const out = await send(new GuardedStream(wire, simpleGuard(3, calls)), [
      [delta('sec')],
      [delta('abc', other)],
      [delta('ret ..')],
      [delta('def', other)],
    ]);
    expect(calls).toEqual(['text 0 0', 'text 1 0']);
    expect(out.flat()).toEqual(['#', 'abc', ' ..', 'def']);
  });

  it('keeps frames without text behind those that are held back', async () => {
    const usage: StreamEvent = { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } };
    const out = await send(new GuardedStream(wire, simpleGuard(2)), [
      [],
      [delta('one')],
      [usage],
      [delta('two')],
    ]);
    expect(out).toEqual([[''], [], [], ['one', '[usage]'], ['two']]);
  });

  it('does not let a closing frame repeat what was replaced', async () => {
    const stream = new GuardedStream(wire, simpleGuard(10));
    await stream.push({ data: JSON.stringify([delta('a secret')]) }, [delta('a secret')]);
    const done = { data: '{ "type": "done", "part": {"text": "a secret"}, "index": 1.0 }' };
    const step = await stream.push(done, [{ type: 'part-end', channel: text }]);
    expect(framesOf(step.frames)[1]?.data).toBe('{ "type": "done", "part": {"text": "a #"}, "index": 1.0 }');
  });

  it('does not let a frame repeat under a second key what was replaced', async () => {
    const doubled = {
      ...wire,
      replaceDeltas: (frame: SseFrame, texts: string[]) => {
        return { ...frame, data: JSON.stringify({ ...JSON.parse(frame.data), text: texts[0] }) };
      },
    };
    const stream = new GuardedStream(doubled, simpleGuard(0));
    const step = await stream.push({ data: '{"text":"secret","other":"secret"}' }, [delta('secret')]);
    expect(framesOf(step.frames)[0]?.data).toBe('{"text":"#","other":"#"}');
  });

  it('does not let token probabilities reveal what was replaced', async () => {
    const stream = new GuardedStream({ ...wire, replaceDeltas: (frame) => frame }, simpleGuard(0));
    const frame = {
      data: '{"logprobs":{"content":[{"token":"sec"},{"token":"ret"}]},"more":{"logprobs":[1]}}',
    };
    const step = await stream.push(frame, [delta('secret')]);
    expect(framesOf(step.frames)[0]?.data).toBe('{"logprobs":null,"more":{"logprobs":[]}}');
    const untouched = await stream.push(frame, [delta('other')]);
    expect(untouched.frames[0]).toBe(frame);
  });

  describe('with frames that our neutral form does not cover', () => {
    const data = (value: object): SseFrame => ({ data: JSON.stringify(value) });

    it('checks each text in their members, but not ids and types', async () => {
      const stream = new GuardedStream(wire, simpleGuard(50));
      const found = {
        type: 'secret',
        id: 'secret',
        content: [{ type: 'x', title: 'a secret' }, { url: 'b' }],
      };
      const step = await stream.push(
        data({ type: 'content_block_start', content_block: found, model: 'secret' }),
        [],
      );
      expect(JSON.parse(framesOf(step.frames)[0]!.data)).toEqual({
        type: 'content_block_start',
        content_block: { type: 'secret', id: 'secret', content: [{ type: 'x', title: 'a #' }, { url: 'b' }] },
        model: 'secret',
      });
    });

    it('sees the pieces of a growing text as one', async () => {
      const stream = new GuardedStream(wire, simpleGuard(50));
      const piece = (json: string) =>
        data({ type: 'content_block_delta', index: 2, delta: { partial_json: json } });
      expect((await stream.push(piece('{"q":"sec'), [])).frames).toEqual([]);
      expect((await stream.push(piece('ret"}'), [])).frames).toEqual([]);
      const rest = framesOf((await stream.end()).frames).map(
        (frame) => JSON.parse(frame.data).delta.partial_json,
      );
      expect(rest).toEqual(['{"q":"#', '"}']);
    });

    it('repeats the guarded text where a closing frame repeats the original', async () => {
      const stream = new GuardedStream(wire, simpleGuard(50));
      await stream.push(data({ type: 'item.done', item: { query: 'a secret' } }), []);
      const closing = await stream.push(data({ type: 'completed', output: [{ query: 'a secret' }] }), [
        { type: 'end' },
      ]);
      expect(framesOf(closing.frames)[0]?.data).toContain('a #');
    });

    it('lets those without text pass unchanged', async () => {
      const stream = new GuardedStream(wire, simpleGuard(50));
      const ping = data({ type: 'ping' });
      expect((await stream.push(ping, [])).frames[0]).toBe(ping);
    });

    it('ends with a rejection because of what is in them', async () => {
      const stream = new GuardedStream(wire, simpleGuard(50));
      const step = await stream.push(data({ type: 'item.done', item: { query: 'forbidden' } }), []);
      expect(step).toMatchObject({ frames: [], rejection: { code: 'rejected_by_plugin' } });
    });
  });

  it('ends with a rejection, after what was sent before it and without what is held back', async () => {
    const stream = new GuardedStream(wire, simpleGuard(9));
    const out = [];
    for (const content of ['fine', ' and', ' forb', 'idden']) {
      const events = [delta(content)];
      out.push(await stream.push({ data: JSON.stringify(events) }, events));
    }
    expect(out.flatMap((step) => framesOf(step.frames).map(said))).toEqual(['fine']);
    expect(out.map((step) => step.rejection?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      'rejected_by_plugin',
    ]);
  });

  it('waits for a slow guard', async () => {
    const inner = simpleGuard(0);
    const slow: StreamGuard = {
      ...inner,
      push: async (channel, content) => {
        await Promise.resolve();
        return inner.push(channel, content);
      },
    };
    expect(await send(new GuardedStream(wire, slow), [[delta('one')], [delta('two')]])).toEqual([
      ['one'],
      ['two'],
      [],
    ]);
  });
});

describe('a chunk with very many texts', () => {
  it('lets other work run while it is guarded', async () => {
    const look = (_channel: Channel, content = '') => {
      const end = performance.now() + 1;
      while (performance.now() < end);
      return { pieces: [{ source: content.length, text: content, changed: false }] };
    };
    const slow: StreamGuard = { ...simpleGuard(0), push: look, flush: look };
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const events = Array.from({ length: 30 }, (_, part) => delta('a', call(part)));
    await new GuardedStream(wire, slow).push({ data: JSON.stringify(events) }, events);
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(2);
  });
});
