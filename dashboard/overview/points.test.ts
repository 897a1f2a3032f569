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
  ])('shows %j with the values %j as single points, without a line to neighbours', (values, lonely) => {
    expect(lonelyValues(values)).toEqual(lonely);
  });
});
