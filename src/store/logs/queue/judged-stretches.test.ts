import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapsBetween } from './judged-stretches.js';

describe('a named queue looks', () => {
  it('everywhere where nothing is done', () => {
    expect(gapsBetween(undefined, [], 1)).toEqual([]);
    expect(gapsBetween(undefined, [{ from: 1, to: 5 }], 2)).toEqual([]);
  });

  it('before and behind what one has judged, newest first', () => {
    expect(gapsBetween({ from: 3, to: 7 }, [], 2)).toEqual([{ from: 7 }, { to: 3 }]);
  });

  it('outside of what enough others have judged', () => {
    const others = [
      { from: 10, to: 20 },
      { from: 15, to: 30 },
    ];
    expect(gapsBetween(undefined, others, 2)).toEqual([{ from: 20 }, { to: 15 }]);
    expect(gapsBetween({ from: 1, to: 2 }, others, 2)).toEqual([
      { from: 20 },
      { from: 2, to: 15 },
      { to: 1 },
    ]);
  });

  it('at every moment that is not done', () => {
    const moment = fc.integer({ min: 0, max: 12 });
    const stretch = fc.tuple(moment, moment).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
    fc.assert(
      fc.property(
        fc.option(stretch, { nil: undefined }),
        fc.array(stretch, { maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (own, all, judges) => {
          const gaps = gapsBetween(own, all, judges);
          const isIn = (at: number, { from = -1, to = 99 }: { from?: number; to?: number }) =>
            from <= at && at <= to;
          for (let at = -1; at < 14; at++) {
            const isDone =
              (own !== undefined && isIn(at, own)) || all.filter((one) => isIn(at, one)).length >= judges;
            if (!isDone && gaps.length > 0) expect(gaps.some((gap) => isIn(at, gap))).toBe(true);
          }
          const froms = gaps.map(({ from = -1 }) => from);
          expect(froms).toEqual([...froms].sort((a, b) => b - a));
        },
      ),
    );
  });
});
