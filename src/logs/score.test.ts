import { describe, expect, it } from 'vitest';
import { isGood, labelOf, ratingOf } from './score.js';

describe('the rating of an answer', () => {
  it.each([
    [{ score: null, quality_rating: null }, null, false, undefined],
    [{ score: 0.2, quality_rating: null }, 0.2, true, true],
    [{ score: -0.2, quality_rating: null }, -0.2, false, false],
    [{ score: 0, quality_rating: null }, 0, false, undefined],
    [{ score: null, quality_rating: '👍' }, 1, true, true],
    [{ score: null, quality_rating: '👎' }, -1, false, false],
    [{ score: 0, quality_rating: '👎' }, 0, false, false],
    [{ score: -0.5, quality_rating: '👍' }, -0.5, true, false],
  ] as const)('for %j is %s', (log, rating, good, label) => {
    expect([ratingOf(log), isGood(log), labelOf(log)]).toEqual([rating, good, label]);
  });
});
