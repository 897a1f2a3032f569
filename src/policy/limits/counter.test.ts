import { describe, expect, it } from 'vitest';
import { Counter } from './counter.js';
import { LEASE_MS } from './lease.js';
import { prepareLimits } from './limit.js';

const [limit] = prepareLimits('p', [
  { per: 'project', requests: 100, window: 'day', action: 'reject', shared: true },
]);
const at = (now: number) => ({ state: 'together' as const, now });

describe('the counter of a shared limit', () => {
  it('allows what was granted and a slice, and the slice alone once the lease has ended', () => {
    const counter = new Counter('k', limit!, 0);
    expect(counter.allowed(at(0))).toBe(10);
    counter.ask(true);
    counter.take({ used: 0, granted: 50, left: 50, usedByOthers: 0 }, 1_000);
    expect(counter.allowed(at(1_000 + LEASE_MS))).toBe(60);
    // The process was stopped meanwhile, and others have what it was granted.
    expect(counter.allowed(at(1_001 + LEASE_MS))).toBe(10);
    counter.ask(true);
    counter.take({ used: 0, granted: 0, left: 0, usedByOthers: 100 }, 20_000);
    expect(counter.allowed(at(20_000))).toBe(0);
  });

  it('does not use what it returns', () => {
    const counter = new Counter('k', limit!, 0);
    counter.ask(true);
    counter.take({ used: 0, granted: 50, left: 50, usedByOthers: 0 }, 0);
    counter.reserve(3);
    expect(counter.ask(false)).toMatchObject({ used: 0, wanted: 3 });
    expect(counter.allowed(at(0))).toBe(3 + 10);
    counter.failed();
    expect(counter.allowed(at(0))).toBe(3 + 10);
  });
});
