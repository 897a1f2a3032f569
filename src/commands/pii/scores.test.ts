import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestThresholds, f1Of, type Place, precisionOf, recallOf, Scores } from './scores.js';

const at = (start: number, end: number, entity_type = 'PERSON'): Place => ({ start, end, entity_type });

function scored(marks: Place[], found: Place[]): Scores {
  const scores = new Scores();
  scores.add(marks, found);
  return scores;
}

describe('a finding', () => {
  it.each([
    ['that covers its mark exactly', [at(0, 8)], [at(0, 8)], [1, 0, 0]],
    ['that shares half of what the two cover', [at(0, 4)], [at(0, 8)], [1, 0, 0]],
    ['that shares less than half', [at(0, 3)], [at(0, 8)], [0, 1, 1]],
    ['of another type', [at(0, 8)], [at(0, 8, 'LOCATION')], [0, 1, 1]],
    ['where nothing is marked', [], [at(0, 8)], [0, 1, 0]],
    ['that another finding took the mark from', [at(0, 8)], [at(0, 8), at(0, 8)], [1, 1, 0]],
    ['that lies half in text of which nobody is sure', [at(0, 4, '_IGNORE')], [at(0, 8)], [0, 0, 0]],
    ['that lies less than half in such text', [at(0, 3, '_IGNORE')], [at(0, 8)], [0, 1, 0]],
  ])('%s counts once', (_case, marks, found, [right, wrong, missed]) => {
    expect(scored(marks, found).all).toEqual({ right, wrong, missed });
  });
});

describe('the scores', () => {
  it('are precision, recall and their harmonic mean', () => {
    const score = { right: 6, wrong: 2, missed: 4 };
    expect(precisionOf(score)).toBe(0.75);
    expect(recallOf(score)).toBe(0.6);
    expect(f1Of(score)).toBeCloseTo((2 * 0.75 * 0.6) / (0.75 + 0.6), 12);
  });

  it('are null where there is nothing to divide by', () => {
    const none = { right: 0, wrong: 0, missed: 0 };
    expect([precisionOf(none), recallOf(none), f1Of(none)]).toEqual([null, null, null]);
  });

  it('count each finding and each mark exactly once', () => {
    const type = fc.constantFrom('PERSON', 'LOCATION');
    const place = fc
      .tuple(fc.nat(30), fc.integer({ min: 1, max: 10 }), type)
      .map(([start, length, of]) => at(start, start + length, of));
    fc.assert(
      fc.property(fc.array(place), fc.array(place), (marks, found) => {
        const { right, wrong, missed } = scored(marks, found).all;
        expect([right + wrong, right + missed]).toEqual([found.length, marks.length]);
      }),
    );
  });
});

describe('the best thresholds', () => {
  /** Scores with so many right, wrong and missed persons. */
  const persons = (right: number, wrong: number, missed: number) => {
    const scores = new Scores();
    for (let index = 0; index < right; index++) scores.add([at(0, 4)], [at(0, 4)]);
    for (let index = 0; index < wrong; index++) scores.add([], [at(0, 4)]);
    for (let index = 0; index < missed; index++) scores.add([at(0, 4)], []);
    return scores;
  };

  it('have the best F1, and of equal ones the nearest to the usual one', () => {
    const byThreshold = new Map([
      [0.5, persons(50, 50, 0)],
      [0.6, persons(50, 25, 0)],
      [0.7, persons(50, 10, 0)],
      [0.8, persons(50, 10, 0)],
      [0.9, persons(12, 0, 38)],
    ]);
    expect(bestThresholds(byThreshold, 0.5)).toEqual(new Map([['PERSON', 0.7]]));
  });

  it.each([
    ['the gain is less than .01', persons(100, 2, 0), persons(100, 1, 0)],
    ['there are few marks', persons(49, 49, 0), persons(49, 0, 0)],
    ['nothing is better', persons(50, 0, 0), persons(50, 9, 0)],
  ])('name no other one where %s', (_case, usual, other) => {
    const byThreshold = new Map([
      [0.5, usual],
      [0.6, other],
    ]);
    expect(bestThresholds(byThreshold, 0.5)).toEqual(new Map());
  });
});
