import { describe, expect, it } from 'vitest';
import { agreementOf } from './agreement.js';

/** The data of Krippendorff's own example (2011): four observers, twelve units, 0 where one did not judge. */
const EXAMPLE = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
  [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
];
const units = EXAMPLE[0]!.map((_, unit) =>
  EXAMPLE.map((observer) => observer[unit]!).filter((value) => value !== 0),
);

describe("Krippendorff's alpha", () => {
  it.each([
    ['nominal', 0.743],
    ['interval', 0.849],
  ] as const)('for the published example with the %s metric is %d', (metric, alpha) => {
    const agreement = agreementOf(units, metric);
    expect(agreement.alpha).toBeCloseTo(alpha, 3);
    expect(agreement).toMatchObject({ units: 11, values: 40 });
  });

  it('is 1 where all agree, on words too', () => {
    expect(
      agreementOf(
        [
          ['a', 'a'],
          ['b', 'b', 'b'],
        ],
        'nominal',
      ).alpha,
    ).toBe(1);
  });

  it('is below 0 where people contradict each other', () => {
    expect(
      agreementOf(
        [
          [1, 5],
          [5, 1],
          [1, 5],
        ],
        'interval',
      ).alpha,
    ).toBeLessThan(0);
  });

  it('does not depend on the order of people or units', () => {
    const turned = [...units].reverse().map((values) => [...values].reverse());
    expect(agreementOf(turned, 'interval').alpha).toBeCloseTo(agreementOf(units, 'interval').alpha!, 12);
  });

  it.each([
    ['nobody judged', []],
    ['nothing was judged twice', [[1], [2]]],
    [
      'all values are the same',
      [
        [3, 3],
        [3, 3],
      ],
    ],
  ])('is undefined where %s', (_why, none) => {
    expect(agreementOf(none, 'interval').alpha).toBeNull();
  });
});
