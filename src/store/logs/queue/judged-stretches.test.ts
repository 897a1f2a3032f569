import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Gap, gapsBetween } from './judged-stretches.js';

describe('a named queue looks', () => {
  it('everywhere where nothing is judged yet', () => {
    expect(gapsBetween(undefined, [], 1)).toEqual([]);
    expect(gapsBetween(undefined, [{ from: 'a', to: 'e' }], 2)).toEqual([]);
  });

  it('before and after what the person has judged, newest first', () => {
    expect(gapsBetween({ from: 'c', to: 'g' }, [], 2)).toEqual([{ from: 'g' }, { to: 'c' }]);
  });

  it('outside of what enough others have judged', () => {
    const others = [
      { from: 'j', to: 'p' },
      { from: 'm', to: 't' },
    ];
    expect(gapsBetween(undefined, others, 2)).toEqual([{ from: 'p' }, { to: 'm' }]);
    expect(gapsBetween({ from: 'a', to: 'b' }, others, 2)).toEqual([
      { from: 'p' },
      { from: 'b', to: 'm' },
      { to: 'a' },
    ]);
  });

  it('at every place that is not done, and at each once', () => {
    const places = [...'abcdefghijklm'];
    const place = fc.constantFrom(...places);
    const stretch = fc.tuple(place, place).map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a }));
    const isWithin = (at: string, { from = '', to = '~' }: Gap) => from < at && at < to;
    fc.assert(
      fc.property(
        fc.option(stretch, { nil: undefined }),
        fc.array(stretch, { maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (own, all, judges) => {
          const gaps = gapsBetween(own, all, judges);
          const covers = (at: string) => (one: { from: string; to: string }) =>
            one.from <= at && at <= one.to;
          for (const at of places) {
            const isDone = (own !== undefined && covers(at)(own)) || all.filter(covers(at)).length >= judges;
            const within = gaps.filter((gap) => isWithin(at, gap)).length;
            if (gaps.length > 0) expect(within).toBe(isDone ? 0 : 1);
          }
          const starts = gaps.map(({ from = '' }) => from);
          expect(starts).toEqual([...starts].sort().reverse());
        },
      ),
    );
  });
});
