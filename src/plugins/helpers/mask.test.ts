import { describe, expect, it } from 'vitest';
import type { Choice } from '../../core/answer.js';
import type { Message } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import { maskChoices, maskMessages, maskSpans } from './mask.js';
import { blankTextsInSteps } from './texts-in-steps.js';

const message: Message = {
  role: 'user',
  parts: [
    { type: 'text', text: 'I am Anna.' },
    { type: 'tool-result', callId: 'c', parts: [{ type: 'text', text: 'Anna Schmidt' }] },
  ],
};
const finding = (place: string, start: number, end: number) => ({
  type: 'PERSON',
  place,
  start,
  end,
  score: 1,
});

describe('masking', () => {
  it('replaces a finding by its type, at its place only', () => {
    const masked = maskMessages(
      [message],
      [finding('/0/parts/0/text', 5, 9), finding('/9/parts/0/text', 0, 1)],
    );
    expect(masked[0]?.parts).toEqual([{ type: 'text', text: 'I am <PERSON>.' }, message.parts[1]]);
  });

  it('includes the results of tools', () => {
    const masked = maskMessages([message], [finding('/0/parts/1/parts/0/text', 0, 12)]);
    expect(masked[0]?.parts[1]).toEqual({
      type: 'tool-result',
      callId: 'c',
      parts: [{ type: 'text', text: '<PERSON>' }],
    });
  });

  it('does not change texts without findings', () => {
    expect(maskMessages([message], [])[0]).toBe(message);
  });

  it('includes answers', () => {
    const choice: Choice = { index: 0, parts: [{ type: 'text', text: 'Anna' }], finishReason: 'stop' };
    expect(maskChoices([choice], [finding('/0/parts/0/text', 0, 4)])[0]?.parts).toEqual([
      { type: 'text', text: '<PERSON>' },
    ]);
  });

  it('accepts findings in any order, and joins those that overlap', () => {
    const spans = [
      { start: 6, end: 8, type: 'B' },
      { start: 0, end: 2, type: 'A' },
      { start: 7, end: 10, type: 'C' },
    ];
    expect(maskSpans('0123456789', spans)).toBe('<A>2345<B>');
  });

  it('blanks all texts where it is unknown which one has the finding', () => {
    expect(atOnce(blankTextsInSteps([message]))).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: '<REJECTED>' },
          { type: 'tool-result', callId: 'c', parts: [{ type: 'text', text: '<REJECTED>' }] },
        ],
      },
    ]);
  });
});
