import { describe, expect, it } from 'vitest';
import { lonelyValues } from './points.ts';

describe('a line over time', () => {
  it.each([
    [[null, 3, null, null], [1]],
    [
      [1, null, 2, 3, null, 0],
      [0, 5],
    ],
    [[1, 2, 3], []],
    [[null, undefined], []],
  ])('shows of %j the values %j as points, which no line goes through', (values, lonely) => {
    expect(lonelyValues(values)).toEqual(lonely);
  });
});
