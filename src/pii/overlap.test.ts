import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ranked, resolveSteps } from './overlap.js';

function resolve(found: Ranked[]): Ranked[] {
  const steps = resolveSteps([...found]);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const at = (entityType: Ranked['entityType'], start: number, end: number, score: number): Ranked => ({
  entityType,
  start,
  end,
  score,
});

describe('of overlapping findings', () => {
  it('the one with the higher score is kept', () => {
    expect(resolve([at('US_SSN', 0, 9, 0.5), at('PHONE_NUMBER', 2, 12, 0.7)])).toEqual([
      at('PHONE_NUMBER', 2, 12, 0.7),
    ]);
  });

  it('the longer one is kept when the scores are equal', () => {
    expect(resolve([at('US_SSN', 0, 9, 0.5), at('US_ITIN', 0, 11, 0.5)])).toEqual([
      at('US_ITIN', 0, 11, 0.5),
    ]);
  });

  it('a denied term is kept before all others', () => {
    expect(resolve([at('EMAIL_ADDRESS', 0, 20, 1), at('DENY_LIST', 3, 5, 1)])).toEqual([
      at('DENY_LIST', 3, 5, 1),
    ]);
  });

  it('one inside an address becomes part of it, even with a higher score', () => {
    expect(resolve([at('URL', 0, 30, 0.6), at('IT_VAT_CODE', 10, 21, 1)])).toEqual([at('URL', 0, 30, 0.6)]);
  });

  it('no two are left, and the order of the input does not matter', () => {
    const one = fc
      .tuple(
        fc.constantFrom('URL', 'PERSON', 'US_SSN', 'DENY_LIST'),
        fc.nat(60),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(10),
      )
      .map(([type, start, length, score]) =>
        at(type as Ranked['entityType'], start, start + length, score / 10),
      );
    fc.assert(
      fc.property(
        fc.uniqueArray(one, { selector: (x) => JSON.stringify(x), maxLength: 30, size: 'max' }),
        (found) => {
          const kept = resolve(found);
          for (let i = 1; i < kept.length; i++)
            expect(kept[i]!.start).toBeGreaterThanOrEqual(kept[i - 1]!.end);
          expect(resolve([...found].reverse())).toEqual(kept);
        },
      ),
      { verbose: true },
    );
  });
});
