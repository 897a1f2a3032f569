import { describe, expect, it } from 'vitest';
import { readMoment } from './moments.js';

describe('a moment', () => {
  it.each([
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02t03:04:05.678901z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05-0230', '2026-01-02T05:34:05.000Z'],
  ])('is understood in the form of RFC 3339: %s', (text, moment) => {
    expect(readMoment(text)?.toISOString()).toBe(moment);
  });

  it.each([
    ['without an offset, which is UTC', '2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['with a space', '2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    ['without seconds', '2026-01-02T03:04Z', '2026-01-02T03:04:00.000Z'],
    ['with a plus that became a space', '2026-01-02T03:04:05 02:00', '2026-01-02T01:04:05.000Z'],
  ])('is understood as people write it: %s', (_name, text, moment) => {
    expect(readMoment(text)?.toISOString()).toBe(moment);
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00+02',
    '1767225600',
    '2026-01-01Z',
  ])('is not recognized in %j', (text) => expect(readMoment(text)).toBeUndefined());
});
