import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import { mapMessageTexts, messageTexts } from './texts.js';
import { mapTextsInSteps, maskTextsInSteps, textsInSteps } from './texts-in-steps.js';

const leaf = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), text: fc.string() }),
  fc.constant<Part>({ type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } }),
  fc.constant<Part>({ type: 'tool-call', id: 'a', name: 'b', arguments: '{"name":"Ann"}' }),
);
const result = fc.array(leaf).map((parts): Part => ({ type: 'tool-result', callId: '', parts }));
const messages: fc.Arbitrary<Message[]> = fc.array(
  fc.array(fc.oneof(leaf, result)).map((parts): Message => ({ role: 'user', parts })),
);

describe('texts in steps', () => {
  it('are the same as those found at once, in the same places', () => {
    fc.assert(
      fc.property(messages, (all) => {
        expect(atOnce(textsInSteps(all))).toEqual(messageTexts(all));
      }),
    );
  });

  it('are changed and masked as at once, and unchanged texts are shared', () => {
    const change = (text: string, place: string) => (place.length % 2 === 0 ? text : `${text} `);
    fc.assert(
      fc.property(messages, (all) => {
        expect(atOnce(mapTextsInSteps(all, change))).toEqual(mapMessageTexts(all, change));
        expect(atOnce(mapTextsInSteps(all, (text) => text)).every((one, at) => one === all[at])).toBe(true);
        const findings = messageTexts(all).map(({ place, text }) => {
          return { type: 'X', place, start: 0, end: text.length, score: 1 };
        });
        const masked = messageTexts(all).map(({ place }) => ({ place, text: '<X>' }));
        expect(messageTexts(atOnce(maskTextsInSteps(all, findings)))).toEqual(masked);
      }),
    );
  });

  it('take many steps where they are many', () => {
    const parts = Array.from({ length: 10_000 }, (): Part => ({ type: 'text', text: 'a' }));
    const all: Message[] = [{ role: 'user', parts: [{ type: 'tool-result', callId: '', parts }] }];
    expect([...textsInSteps(all)].length).toBeGreaterThan(10);
  });

  it('are masked in many steps where one has very many findings', () => {
    const all: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'a '.repeat(20_000) }] }];
    const findings = Array.from({ length: 20_000 }, (_, at) => {
      return { type: 'X', place: '/0/parts/0/text', start: 2 * at, end: 2 * at + 1, score: 1 };
    });
    const work = maskTextsInSteps(all, findings.reverse());
    let steps = 0;
    let step = work.next();
    for (; !step.done; step = work.next()) steps++;
    expect(step.value[0]!.parts).toEqual([{ type: 'text', text: '<X> '.repeat(20_000) }]);
    expect(steps).toBeGreaterThan(50);
  });
});
