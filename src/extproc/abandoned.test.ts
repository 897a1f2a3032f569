import { expect, it } from 'vitest';
import { Abandoned } from './abandoned.js';

it('allows logs for a hundred abandoned requests a second', () => {
  const abandoned = new Abandoned();
  const allowed = (now: number) =>
    Array.from({ length: 250 }, () => abandoned.allows(now)).filter(Boolean).length;
  expect([allowed(0), allowed(999), allowed(1_000), allowed(1_500), allowed(9_000)]).toEqual([
    100, 0, 100, 0, 100,
  ]);
  expect(abandoned.dropped).toBe(950);
});
