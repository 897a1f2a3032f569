import { expect, it } from 'vitest';
import { Abandoned } from './abandoned.js';

it('lets a hundred requests a second leave a log that nobody waited for', () => {
  const abandoned = new Abandoned();
  const allowed = (now: number) =>
    Array.from({ length: 250 }, () => abandoned.allows(now)).filter(Boolean).length;
  expect([allowed(0), allowed(999), allowed(1_000), allowed(1_500), allowed(9_000)]).toEqual([
    100, 0, 100, 0, 100,
  ]);
  expect(abandoned.dropped).toBe(950);
});
