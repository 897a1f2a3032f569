import { describe, expect, it } from 'vitest';
import { windowAt } from './windows.js';

const at = (text: string) => Date.parse(text);

describe('a window', () => {
  it.each([
    ['second', '2026-02-28T23:59:59.999Z', '2026-02-28T23:59:59.000Z', '2026-03-01T00:00:00.000Z'],
    ['minute', '2026-02-28T23:59:59.999Z', '2026-02-28T23:59:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['hour', '2026-02-28T23:00:00.000Z', '2026-02-28T23:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['day', '2026-02-28T12:00:00.000Z', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['month', '2026-02-28T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ] as const)('of a %s around %s follows UTC', (window, moment, start, end) => {
    expect(windowAt(window, at(moment))).toEqual({ start: at(start), end: at(end) });
  });
});
