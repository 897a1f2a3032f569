import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import { maskMessages } from '../helpers/mask.js';
import { messageTexts } from '../helpers/texts.js';
import { foundOverSeams, seamsOf } from './seams.js';

const CARD = '4111111111111111';

function text(content: string): Part {
  return { type: 'text', text: content };
}

/** What is found of the card, by a guard that looks at each text by itself. */
function found(messages: readonly Message[]) {
  const seams = atOnce(seamsOf(messages));
  const hits = [...messageTexts(messages), ...seams].flatMap(({ place, text: looked }) => {
    const start = looked.indexOf(CARD);
    return start === -1 ? [] : [{ type: 'CARD', place, start, end: start + CARD.length, score: 1 }];
  });
  return atOnce(foundOverSeams(hits, seams));
}

function masked(parts: Part[]): Part[] {
  const messages: Message[] = [{ role: 'user', parts }];
  return maskMessages(messages, found(messages))[0]!.parts;
}

describe('a value that is split over parts of a message', () => {
  it('is found wherever it is split, and masked in both', () => {
    for (let at = 1; at < CARD.length; at++) {
      const parts = [text(`Pay with ${CARD.slice(0, at)}`), text(`${CARD.slice(at)}, please`)];
      expect(masked(parts)).toEqual([text('Pay with <CARD>'), text('<CARD>, please')]);
    }
  });

  it('is found over several parts, with pictures between them', () => {
    const image: Part = { type: 'image', source: { kind: 'url', url: 'https://x.example' } };
    const parts = [...CARD].flatMap((digit) => [text(digit), image]);
    expect(masked(parts).filter(({ type }) => type === 'text')).toEqual([...CARD].map(() => text('<CARD>')));
  });

  it('is found at both ends of a long part', () => {
    const long = `${CARD.slice(8)}${'x'.repeat(10_000)}${CARD.slice(0, 8)}`;
    const parts = [text(CARD.slice(0, 8)), text(long), text(CARD.slice(8))];
    expect(masked(parts)[1]).toEqual(text(`<CARD>${'x'.repeat(10_000)}<CARD>`));
  });

  it('is found in the result of a tool', () => {
    const parts = [text(CARD.slice(0, 5)), text(CARD.slice(5))];
    expect(masked([{ type: 'tool-result', callId: 'c', parts }])).toMatchObject([
      { parts: [text('<CARD>'), text('<CARD>')] },
    ]);
  });

  it('is reported once where it is inside one part', () => {
    expect(found([{ role: 'user', parts: [text(CARD), text('a')] }])).toHaveLength(1);
  });

  it('is not assembled from texts that do not follow each other', () => {
    const beside: Part = {
      type: 'tool-result',
      callId: '',
      parts: [text(CARD.slice(0, 5)), text(CARD.slice(5))],
    };
    const messages: Message[] = [
      { role: 'user', parts: [text(CARD.slice(0, 5)), beside] },
      { role: 'user', parts: [text(CARD.slice(5))] },
    ];
    expect(found(messages)).toEqual([]);
  });
});
