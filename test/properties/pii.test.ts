/** What holds for the detector whatever the text. fast-check prints the seed of a failure. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDetector, ENTITY_TYPES, STREAM_WINDOW } from '../../src/pii/index.js';

const detector = createDetector();
const fragment = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'0123456789 -./@:'), maxLength: 24 }),
  fc.constantFrom(
    'Ada Lovelace',
    'London',
    'ada@example.org',
    'https://example.org/a',
    '4111 1111 1111 1111',
    '+44 20 7946 0018',
    '12 May 2021',
    'GB82 WEST 1234 5698 7654 32',
    'order #',
    'passport',
    '\u200b',
    '👩‍👩‍👧',
    'cafe\u0301',
    '\n',
  ),
);
const text = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(' '));
/** Half of a pair without the other. */
const LONE_HALF = /\p{Surrogate}/u;
/** Texts as they are with what is hidden in them: full-width digits, zero-width characters, other dashes. */
const DISGUISES: readonly ((number: string) => string)[] = [
  (number) => number.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (number) => [...number].join('\u200b'),
  (number) => number.replaceAll('-', '\u2011').replaceAll(' ', '\u00a0'),
];

describe('whatever the text', () => {
  it('findings are in order, do not overlap, and are inside the text', () => {
    fc.assert(
      fc.property(text, (given) => {
        let end = 0;
        for (const finding of detector.detectSync(given)) {
          expect(finding.start).toBeGreaterThanOrEqual(end);
          expect(finding.end).toBeGreaterThan(finding.start);
          expect(finding.end).toBeLessThanOrEqual(given.length);
          expect(finding.score).toBeGreaterThanOrEqual(0.5);
          expect(finding.score).toBeLessThanOrEqual(1);
          expect(ENTITY_TYPES).toContain(finding.entityType);
          end = finding.end;
        }
      }),
      { verbose: true },
    );
  });

  it('no finding begins or ends inside a pair of surrogates', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const { start, end } of detector.detectSync(given)) {
          expect(LONE_HALF.test(given.slice(start, end)) && !LONE_HALF.test(given)).toBe(false);
        }
      }),
      { verbose: true },
    );
  });

  it('the same text has the same findings when asked again, later, or asynchronously', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const first = detector.detectSync(given);
        expect(detector.detectSync(given)).toEqual(first);
        expect(await detector.detect(given)).toEqual(first);
      }),
      { verbose: true },
    );
  });

  it('a denied term is always found', () => {
    const denying = createDetector({ denyList: ['zeus'], allowList: ['zeus'] });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const given = `${before} zeus ${after}`;
        const found = denying.detectSync(given).filter(({ entityType }) => entityType === 'DENY_LIST');
        expect(found.map(({ start, end }) => given.slice(start, end))).toContain('zeus');
      }),
      { verbose: true },
    );
  });

  it('a number is found however it is disguised', () => {
    const numbers = fc.constantFrom('4111-1111-1111-1111', '5555 5555 5555 4444', '378282246310005');
    fc.assert(
      fc.property(
        numbers,
        fc.constantFrom(...DISGUISES),
        fc.constantFrom('', 'a ', '😀 '),
        (number, disguise, before) => {
          const given = `${before}${disguise(number)} end`;
          const [finding] = createDetector({ entities: ['CREDIT_CARD'] }).detectSync(given);
          expect(given.slice(finding!.start, finding!.end)).toBe(disguise(number));
        },
      ),
      { verbose: true },
    );
  });

  it('a finding of a pattern spans no more than the stream window', () => {
    const patterns = createDetector({
      entities: ENTITY_TYPES.filter((t) => !['PERSON', 'LOCATION', 'NRP'].includes(t)),
    });
    const filler = 'lorem ipsum dolor '.repeat(60);
    fc.assert(
      fc.property(text, (given) => {
        for (const found of patterns.detectSync(`${filler}${given}${filler}`)) {
          expect(found.end - found.start).toBeLessThanOrEqual(STREAM_WINDOW);
        }
      }),
      { verbose: true },
    );
  });
});
