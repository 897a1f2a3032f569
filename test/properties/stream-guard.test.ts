import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Channel, StreamEvent } from '../../src/core/answer.js';
import type { SseFrame } from '../../src/dialects/dialect.js';
import { dialects } from '../../src/dialects/index.js';
import { openaiChat } from '../../src/dialects/openai-chat/index.js';
import { jsonObjectText } from '../../src/dialects/texts/fields.js';
import { formatFrame } from '../../src/dialects/wire/sse.js';
import { preparePlugins } from '../support/plugin-host.js';
import {
  delta,
  joinedText,
  maskWhole,
  openGuarded,
  plainDialect,
  plainFrame,
  SECRETS,
  secretPlugin,
  sendInChunks,
  textChannel,
  type WireDialect,
  windowPlugin,
} from './stream-guard-support.js';

/** Longer than any secret with a letter more at each end. */
const WINDOW = 70;

const filler = fc.oneof(
  fc.constantFrom(
    ' ',
    '\n',
    'the card is ',
    'Anna ',
    'mail ',
    '4111 ',
    '@',
    'Maria',
    '. ',
    ', ',
    '😀',
    'é',
    '0',
  ),
  fc.string({ maxLength: 40 }),
);
const secret = fc.constantFrom(...SECRETS.map(({ text }) => ` ${text} `));
const textWithSecrets = fc
  .array(fc.oneof({ weight: 3, arbitrary: filler }, { weight: 1, arbitrary: secret }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((pieces) => pieces.join(''));
const chunkSizes = fc.array(fc.integer({ min: 1, max: 4_096 }), { minLength: 1, maxLength: 5 });
const deltaSizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, next = 0; at < text.length; next++) {
    const size = sizes[next % sizes.length]!;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

function chatFrame(choice: object): SseFrame {
  const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  return { data: JSON.stringify({ ...head, choices: [{ index: 0, finish_reason: null, ...choice }] }) };
}

const wires: [string, WireDialect, (pieces: string[]) => SseFrame[]][] = [
  [
    'a plain wire',
    plainDialect,
    (pieces) => [...pieces.map((text) => plainFrame(delta(text))), plainFrame({ type: 'end' })],
  ],
  [
    'openai.chat',
    openaiChat,
    (pieces) => [
      chatFrame({ delta: { role: 'assistant', content: '' } }),
      ...pieces.map((content) => chatFrame({ delta: { content } })),
      chatFrame({ delta: {}, finish_reason: 'stop' }),
      { data: '[DONE]' },
    ],
  ],
];

describe.each(wires)('text that a window plugin masks, on %s', (_, dialect, framesOf) => {
  it('is never sent, wherever chunks and events are cut, while all other text is', async () => {
    await fc.assert(
      fc.asyncProperty(textWithSecrets, deltaSizes, chunkSizes, async (text, sizes, chunks) => {
        const guarded = openGuarded(preparePlugins([secretPlugin(WINDOW, 'replace')]), dialect);
        const received = await sendInChunks(framesOf(cut(text, sizes)), chunks, guarded);
        expect(joinedText(received.frames, dialect)).toBe(maskWhole(text));
        const bytes = received.frames.map((frame) => formatFrame(frame)).join('');
        for (const { text: hidden } of SECRETS) expect(bytes).not.toContain(hidden);
      }),
      { numRuns: 200 },
    );
  });

  it('is not sent when a plugin rejects because of it, either', async () => {
    await fc.assert(
      fc.asyncProperty(textWithSecrets, deltaSizes, chunkSizes, async (text, sizes, chunks) => {
        const guarded = openGuarded(preparePlugins([secretPlugin(WINDOW, 'reject')]), dialect);
        const received = await sendInChunks(framesOf(cut(text, sizes)), chunks, guarded);
        const masked = maskWhole(text);
        expect(received.rejected).toBe(masked !== text);
        const joined = joinedText(received.frames, dialect);
        expect(text.startsWith(joined)).toBe(true);
        expect(maskWhole(joined)).toBe(joined);
      }),
      { numRuns: 100 },
    );
  });
});

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))(
  'a whole stream of %s',
  (_, dialect) => {
    const call: Channel = { kind: 'tool-arguments', choice: 0, part: 1 };

    it('contains no masked text, in deltas or where it repeats whole texts', async () => {
      await fc.assert(
        fc.asyncProperty(
          textWithSecrets,
          // A call without arguments may be said as `{}`.
          textWithSecrets.filter((json) => json !== ''),
          deltaSizes,
          chunkSizes,
          async (text, json, sizes, chunks) => {
            const encoder = dialect.createEncoder({ logId: 'l', streamUsage: true, created: 1, model: 'm' });
            const events: StreamEvent[] = [
              { type: 'start', id: 'a-1', model: 'm' },
              ...cut(text, sizes).map((piece) => delta(piece)),
              { type: 'part-end', channel: textChannel },
              { type: 'tool-call-start', channel: call, callId: 'c-1', name: 'f' },
              ...cut(json, sizes).map((piece) => delta(piece, call)),
              { type: 'part-end', channel: call },
              { type: 'finish', choice: 0, reason: 'tool-calls' },
              { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
              { type: 'end' },
            ];
            const frames = events.flatMap((event) => encoder.encode(event));
            const guarded = openGuarded(preparePlugins([secretPlugin(WINDOW, 'replace')]), dialect);
            const received = await sendInChunks(frames, chunks, guarded);
            expect(joinedText(received.frames, dialect)).toBe(maskWhole(text));
            // An API whose arguments are an object carries any other text in one.
            const told = dialect.id === 'gemini.generate' ? jsonObjectText(json) : json;
            expect(joinedText(received.frames, dialect, 'tool-arguments')).toBe(maskWhole(told));
            expect(received.frames).toHaveLength(frames.length);
            const bytes = received.frames.map((frame) => formatFrame(frame)).join('');
            for (const { text: hidden } of SECRETS) expect(bytes).not.toContain(hidden);
          },
        ),
        { numRuns: 60 },
      );
    });
  },
);

describe('cut in all places', () => {
  const text = `Write to ${SECRETS[0]!.text}, pay with ${SECRETS[1]!.text}, ask for ${SECRETS[2]!.text}.`;

  it('into chunks of every size from 1 to 4,096 bytes', async () => {
    const prepared = preparePlugins([secretPlugin(WINDOW, 'replace')]);
    const frames = wires[1]![2](cut(text, [7, 3, 11]));
    for (let size = 1; size <= 4_096; size += size < 200 ? 1 : 97) {
      const received = await sendInChunks(frames, [size], openGuarded(prepared, openaiChat));
      expect(joinedText(received.frames, openaiChat), `chunks of ${size}`).toBe(maskWhole(text));
    }
  });

  it('by any two borders of events', async () => {
    const prepared = preparePlugins([secretPlugin(WINDOW, 'replace')]);
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second += 5) {
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
        const guarded = openGuarded(prepared);
        const received = await sendInChunks(wires[0]![2](pieces), [4_096], guarded);
        expect(joinedText(received.frames, plainDialect)).toBe(maskWhole(text));
      }
    }
  });
});

describe('several guards in a row', () => {
  it('give the same result as when each runs on the whole text in turn', async () => {
    const upper = windowPlugin(
      12,
      ({ text }) => ({
        action: 'replace',
        spans: [...text.matchAll(/example/g)].map((match) => {
          return { start: match.index, end: match.index + 7, replacement: 'EXAMPLE' };
        }),
      }),
      'upper',
    );
    const hide = windowPlugin(
      40,
      ({ text }) => ({
        action: 'replace',
        spans: [...text.matchAll(/\w{1,12}@EXAMPLE\.org/g)].map((match) => {
          return { start: match.index, end: match.index + match[0].length, replacement: '*' };
        }),
      }),
      'hide',
    );
    const words = fc.constantFrom(
      'a@example.org ',
      'example ',
      'x',
      ' ',
      'anna@',
      'example',
      '.org',
      'EXAMPLE',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 25, size: 'max' }), deltaSizes, async (parts, sizes) => {
        const text = parts.join('');
        const guarded = openGuarded(preparePlugins([upper, hide]));
        const frames = cut(text, sizes).map((piece) => plainFrame(delta(piece)));
        const received = await sendInChunks(frames, [4_096], guarded);
        const expected = text.replaceAll('example', 'EXAMPLE').replaceAll(/\w{1,12}@EXAMPLE\.org/g, '*');
        expect(joinedText(received.frames, plainDialect)).toBe(expected);
        expect(received.frames).toHaveLength(frames.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe('channels', () => {
  const channels: Channel[] = [
    textChannel,
    { kind: 'reasoning', choice: 0, part: 0 },
    { kind: 'tool-arguments', choice: 0, part: 1 },
    { kind: 'text', choice: 1, part: 0 },
  ];

  it('are not mixed, and frames keep their order', async () => {
    const piece = fc.tuple(
      fc.constantFrom(...channels),
      fc.constantFrom('Anna Maria Schmidt ', 'a b ', 'Anna '),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30, size: 'max' }), async (pieces) => {
        const guarded = openGuarded(preparePlugins([secretPlugin(WINDOW, 'replace')]));
        const frames = pieces.map(([channel, text], index) => ({
          ...plainFrame(delta(text, channel)),
          event: String(index),
        }));
        const received = await sendInChunks(frames, [512], guarded);
        expect(received.frames.map((frame) => frame.event)).toEqual(frames.map((frame) => frame.event));
        for (const { kind } of channels) {
          const sent = joinedText(frames, plainDialect, kind);
          expect(joinedText(received.frames, plainDialect, kind)).toBe(maskWhole(sent));
        }
      }),
      { numRuns: 100 },
    );
  });
});
