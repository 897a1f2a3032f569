import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anthropicMessages } from '../../src/dialects/anthropic-messages/index.js';
import { piiDetection } from '../../src/plugins/pii-detection/index.js';
import {
  cut,
  delta,
  joinedText,
  openGuarded,
  plainDialect,
  plainFrame,
  prepareGuard,
  sendInChunks,
} from './stream-guard-support.js';

/*
 * The built-in detector behind its own window. Sentences around the secrets are plain, so that what stands in
 * them is found or not found the same wherever the stream is cut.
 */
const HIDDEN = [
  'anna.schmidt@example.org',
  '4111 1111 1111 1111',
  'Anna Schmidt',
  'DE89 3704 0044 0532 0130 00',
];
const sentences = fc.constantFrom(
  'Please write to anna.schmidt@example.org today. ',
  'The credit card is 4111 1111 1111 1111, valid for long. ',
  'My name is Anna Schmidt and I need help. ',
  'The account is DE89 3704 0044 0532 0130 00 in euros. ',
  'The weather is fine and the report is done. ',
  'Look into the manual, then try again with the other setting. ',
  '😀 éà ',
);

const masking = prepareGuard(piiDetection);
const rejecting = prepareGuard(piiDetection, { mask: false, reject_on_detection: true });

it('masks an address, a card number, an account and a name wherever the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sentences, { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 4_096 }), { minLength: 1, maxLength: 4 }),
      async (parts, sizes, chunks) => {
        const text = parts.join('');
        const frames = cut(text, sizes).map((piece) => plainFrame(delta(piece)));
        const guarded = openGuarded(masking);
        const received = await sendInChunks(frames, chunks, guarded);
        const joined = joinedText(received.frames, plainDialect);
        const runs = guarded.finish().runs;
        expect(runs[0]?.outcome).toMatch(/passed|modified/);
        for (const hidden of HIDDEN) {
          expect(joined).not.toContain(hidden);
          const tag = text.includes(hidden);
          if (tag) expect(runs[0]?.findings.length).toBeGreaterThan(0);
        }
        expect(joined.includes('The weather is fine')).toBe(text.includes('The weather is fine'));
      },
    ),
    { numRuns: 40 },
  );
});

it('rejects because of them before any of it was sent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sentences, { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
      async (parts, sizes) => {
        const text = parts.join('');
        const frames = cut(text, sizes).map((piece) => plainFrame(delta(piece)));
        const received = await sendInChunks(frames, [4_096], openGuarded(rejecting));
        const joined = joinedText(received.frames, plainDialect);
        expect(received.rejected).toBe(HIDDEN.some((hidden) => text.includes(hidden)));
        for (const hidden of HIDDEN) expect(joined).not.toContain(hidden.slice(0, 8));
      },
    ),
    { numRuns: 40 },
  );
});

it('holds back little more than the words around a finding', async () => {
  const guarded = openGuarded(masking);
  const word = 'word ';
  let events = 0;
  while ((await guarded.push(plainFrame(delta(word)))).frames.length === 0) events++;
  expect(events * word.length).toBeLessThan(110);
});

it('checks a delta that comes after the end of its block together with the text of the block', async () => {
  const event = (value: object) => ({ data: JSON.stringify(value) });
  const piece = (text: string) =>
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  const frames = [
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    piece('The credit card is 4111 1111 '),
    event({ type: 'content_block_stop', index: 0 }),
    piece('1111 1111, valid for long.'),
    event({ type: 'message_stop' }),
  ];
  const received = await sendInChunks(frames, [4_096], openGuarded(rejecting, anthropicMessages));
  expect(received.rejected).toBe(true);
});
