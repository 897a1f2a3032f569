import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framesIn } from '../../../../../test/support/frames-in.js';
import type { StreamEvent } from '../../../../core/answer.js';
import type { Dialect, SseFrame } from '../../../../dialects/dialect.js';
import { dialects } from '../../../../dialects/index.js';
import { createSseParser, formatFrame } from '../../../../dialects/wire/sse.js';
import { RepeatedFrames } from './repeated-frames.js';

const chat = (delta: object, more: object = {}) => ({
  data: JSON.stringify({
    id: 'c1',
    model: 'large',
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
  }),
});
const block = (index: number, text: string) => ({
  event: 'content_block_delta',
  data: JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
});
const BLOCK_START = {
  event: 'content_block_start',
  data: '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
};
const START = { role: 'assistant', content: '' };

/** Texts as models write them, and those that look like other parts of a frame. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('"', '\\', 'n', '{', '}', '\n', 'u0041', 'é', '\ud800') }),
  fc.constantFrom(
    ',',
    ':',
    'large',
    'c1',
    'content',
    '0',
    'text_delta',
    '"},"finish_reason":null}]}',
    '[DONE]',
    '',
  ),
);

const frames: Record<string, fc.Arbitrary<SseFrame>> = {
  'openai.chat': fc.oneof(
    { weight: 6, arbitrary: texts.map((content) => chat({ content })) },
    { weight: 1, arbitrary: texts.map((content) => chat({ content }, { index: 1 })) },
    { weight: 1, arbitrary: texts.map((text) => chat({ reasoning: text, reasoning_content: text })) },
    {
      weight: 1,
      arbitrary: texts.map((text) => chat({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
    },
    { weight: 1, arbitrary: texts.map((content) => chat({ content }, { finish_reason: 'stop' })) },
    {
      weight: 1,
      arbitrary: texts.map((text) => ({
        data: chat({ content: text }).data.replace(/.$/, ',"usage":{"prompt_tokens":1}}'),
      })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(chat(START), { data: '[DONE]' }, { data: 'no JSON' }, { data: '' }),
    },
  ),
  'anthropic.messages': fc.oneof(
    { weight: 6, arbitrary: texts.map((text) => block(0, text)) },
    { weight: 1, arbitrary: texts.map((text) => block(1, text)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        {
          event: 'content_block_start',
          data: '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
        },
        { event: 'content_block_stop', data: '{"type":"content_block_stop","index":0}' },
      ),
    },
  ),
};

/** What a stream means, its deltas joined where one follows another, and its bytes as they go on. */
function readInRuns(dialect: Dialect, chunks: readonly Uint8Array[]) {
  const [parser, decoder, repeated] = [createSseParser(), dialect.createDecoder(), new RepeatedFrames()];
  const events: StreamEvent[] = [];
  let [wire, frames] = ['', 0];
  for (const chunk of chunks) {
    for (const piece of framesIn(parser, chunk, (text, at) => repeated.readRun(text, at))) {
      if ('wire' in piece) {
        events.push(piece.delta);
        wire += piece.wire;
        frames += piece.frames;
        continue;
      }
      const decoded = decoder.decode(piece);
      repeated.learn(piece, decoded);
      events.push(...decoded);
      wire += formatFrame(piece);
      frames++;
    }
  }
  return { events: joinedDeltas(events), wire, frames };
}

function joinedDeltas(events: readonly StreamEvent[]): StreamEvent[] {
  const joined: StreamEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    const goesOn =
      last?.type === 'delta' && event.type === 'delta' && isDeepStrictEqual(last.channel, event.channel);
    if (goesOn) joined[joined.length - 1] = { ...last, text: last.text + event.text };
    else joined.push(event);
  }
  return joined;
}

describe('frames that are the same except for their text', () => {
  it.each(Object.keys(frames))(
    'are decoded in runs with the same meaning, however their bytes are cut (%s)',
    (id) => {
      const dialect = dialects.find((one) => one.id === id)!;
      fc.assert(
        fc.property(
          fc.array(frames[id]!, { maxLength: 30, size: 'max' }),
          fc.array(fc.nat(400)),
          (stream, sizes) => {
            const wire = stream.map(formatFrame).join('');
            const decoder = dialect.createDecoder();
            const bytes = Buffer.from(wire);
            const ends = sizes.map((size, index) =>
              sizes.slice(0, index).reduce((sum, one) => sum + one, size),
            );
            const chunks = [0, ...ends].map((end, index) => bytes.subarray(end, ends[index] ?? bytes.length));
            expect(readInRuns(dialect, chunks)).toEqual({
              events: joinedDeltas(stream.flatMap((frame) => decoder.decode(frame))),
              wire: bytes.toString(),
              frames: stream.length,
            });
          },
        ),
        { numRuns: 1000 },
      );
    },
  );

  it('are read in one run, up to the first with more content', () => {
    const decoder = dialects.find(({ id }) => id === 'anthropic.messages')!.createDecoder();
    decoder.decode(BLOCK_START);
    const repeated = new RepeatedFrames();
    const first = block(0, 'one ');
    repeated.learn(first, decoder.decode(first));
    const run = formatFrame(block(0, 'two ')) + formatFrame(block(0, 'thr"ee'));
    const text = `x${run}${formatFrame(block(1, 'four'))}`;
    expect(repeated.readRun(text, 1)).toMatchObject({
      wire: run,
      frames: 2,
      delta: { type: 'delta', text: 'two thr"ee' },
    });
    expect(repeated.readRun(text, 1 + run.length)).toBeUndefined();
  });

  it.each(Object.keys(frames))('have the meaning that the decoder gives them one by one (%s)', (id) => {
    const dialect = dialects.find((one) => one.id === id)!;
    fc.assert(
      fc.property(fc.array(frames[id]!, { maxLength: 30, size: 'max' }), (stream) => {
        const [plain, decoder, repeated] = [
          dialect.createDecoder(),
          dialect.createDecoder(),
          new RepeatedFrames(),
        ];
        for (const frame of stream) {
          const expected = plain.decode(frame);
          const known = repeated.read(frame);
          const events = known === undefined ? decoder.decode(frame) : [known.delta];
          if (known === undefined) repeated.learn(frame, events);
          expect(events).toEqual(expected);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('need no decoding', () => {
    const dialect = dialects.find(({ id }) => id === 'openai.chat')!;
    const repeated = new RepeatedFrames();
    const decoder = dialect.createDecoder();
    for (const frame of [chat(START), chat({ content: 'one ' })])
      repeated.learn(frame, decoder.decode(frame));
    for (const content of ['two ', 'thr"ee\n', 'größe', 'four']) {
      expect(repeated.read(chat({ content }))?.delta).toMatchObject({ type: 'delta', text: content });
    }
    expect(repeated.read(chat({ content: 'five' }, { finish_reason: 'stop' }))).toBeUndefined();
  });

  it.each([',', ':', '[', '{'])(
    'are decoded after one whose text looks like the JSON around it: %s',
    (content) => {
      const dialect = dialects.find(({ id }) => id === 'openai.chat')!;
      const repeated = new RepeatedFrames();
      const decoder = dialect.createDecoder();
      decoder.decode(chat(START));
      const frame = chat({ content });
      const events = decoder.decode(frame);
      expect(events).toMatchObject([{ type: 'delta', text: content }]);
      repeated.learn(frame, events);
      const next = repeated.read(chat({ content: 'two' }));
      if (next !== undefined) expect(next.text).toBe('two');
    },
  );

  it('are decoded where they are large', () => {
    const dialect = dialects.find(({ id }) => id === 'openai.chat')!;
    const repeated = new RepeatedFrames();
    const decoder = dialect.createDecoder();
    decoder.decode(chat(START));
    const frame = chat({ content: 'one' }, { logprobs: Array.from({ length: 200_000 }, () => 0) });
    repeated.learn(frame, decoder.decode(frame));
    expect(repeated.read(frame)).toBeUndefined();
  });
});
