import { describe, expect, it } from 'vitest';
import { grant, LEASE_MS, type Share, sliceOf } from './lease.js';

const NOW = 1_000_000;
const share = (used: number, granted: number, at = NOW): Share => ({ used, granted, at });
const ask = (used: number, wanted: number, isLevel = false) => ({ used, wanted, amount: 100, isLevel });

describe('a lease', () => {
  it('grants what others leave', () => {
    expect(grant([], undefined, ask(0, 10), NOW)).toEqual({
      used: 0,
      granted: 10,
      left: 90,
      usedByOthers: 0,
    });
    expect(grant([share(20, 60)], undefined, ask(0, 50), NOW)).toEqual({
      used: 0,
      granted: 40,
      left: 0,
      usedByOthers: 20,
    });
  });

  it('never withdraws what was used', () => {
    expect(grant([share(90, 95)], share(10, 10), ask(12, 20), NOW).granted).toBe(12);
    // An older message, such as one that was sent once more, takes nothing back either.
    expect(grant([], share(30, 40), ask(12, 20), NOW)).toMatchObject({ used: 30, granted: 30 });
  });

  it('of an engine that is gone ends, and what it used still counts', () => {
    const lost = share(20, 60, NOW - LEASE_MS - 1);
    expect(grant([lost], undefined, ask(0, 100), NOW)).toMatchObject({
      granted: 80,
      left: 0,
      usedByOthers: 20,
    });
    // What it had under way is under way no more.
    expect(grant([lost], undefined, ask(0, 100, true), NOW).granted).toBe(100);
  });

  it('takes a tenth in advance, and at least one where only whole numbers count', () => {
    expect([sliceOf(100, true), sliceOf(5, true), sliceOf(0.5, false)]).toEqual([10, 1, 0.05]);
  });
});
