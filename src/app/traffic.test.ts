import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../test/support/silent-logger.js';
import type { TrafficLimit } from '../core/settings.js';
import type { LeaseAsk } from '../policy/limits/lease-keeper.js';
import { counterKey, prepareLimits } from '../policy/limits/limit.js';
import { Traffic } from './traffic.js';

const LIMITS: TrafficLimit[] = [
  { per: 'project', requests: 20, window: 'month', action: 'reject', shared: false },
  { per: 'project', requests: 30, window: 'month', action: 'reject', shared: true },
];

describe('the counts of an engine that has another number of workers than before', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-traffic-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are reported by the first worker at once, except for shared limits, whose shares are still in the store', async () => {
    const told = new Map<string, number>();
    const [local, shared] = prepareLimits('p', LIMITS, true).map((limit) => counterKey(limit, ''));
    const used = (key: string) => ({ key, requests: 10, tokens: 0, cost_usd: 0 });
    const traffic = new Traffic({
      spool: { id: 'worker-1', path: folder },
      former: [{ id: 'single', path: folder }],
      group: 'group',
      projects: () => [{ uid: 'p', limits: LIMITS }],
      store: {
        usedByEngines: async (ids) => (ids.includes('single') ? [used(local!), used(shared!)] : []),
        leases: {
          exchange: async (_engine, asks: readonly LeaseAsk[]) =>
            asks.map(({ key, used: total, wanted }) => {
              told.set(key, total);
              return { used: total, granted: wanted, left: 0, usedByOthers: 0 };
            }),
        },
      },
      logger: silentLogger,
    });
    await traffic.restore();
    await expect.poll(() => told.get(`group/${local}`)).toBe(10);
    expect(told.get(shared!) ?? 0).toBe(0);
    await traffic.stop();
  });
});
