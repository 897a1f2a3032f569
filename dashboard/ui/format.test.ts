import { describe, expect, it } from 'vitest';
import { formatDuration } from './format.ts';

describe('a duration', () => {
  it.each([
    [0, '0'],
    [0.4, '<1 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [9_994, '9.99 s'],
    [9_996, '10.0 s'],
    [59_960, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('of %d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
