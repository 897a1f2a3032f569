import { expect } from 'vitest';
import type { LogLimit, LogUsage } from '../../src/core/log-record.js';
import { waitFor } from '../../src/local/processes/wait.js';
import type { Gateway } from './gateway.js';

interface StoredLog {
  _id: string;
  cost: number | null;
  usage: LogUsage | null;
  limits?: LogLimit[];
}

interface Shares {
  _id: string;
  engines: Record<string, { used: number; granted: number }>;
}

/** What MongoDB has stored for the counters with these keys, summed over all engines. */
async function sharesOf({ sluice }: Gateway, key: string): Promise<{ used: number; granted: number }> {
  const shares = sluice.database.collection<Shares>('limit_shares');
  const [found] = await shares.find({ _id: new RegExp(`^${key}`) }).toArray();
  const engines = Object.values(found?.engines ?? {});
  const sum = (of: 'used' | 'granted') => engines.reduce((total, share) => total + share[of], 0);
  return { used: sum('used'), granted: sum('granted') };
}

/**
 * Checks that shared limits per this metadata key have counted exactly what the logs contain, that the logs contain
 * the costs computed by hand, and that nothing is reserved any more.
 */
export async function expectSettled(
  gateway: Gateway,
  per: string,
  sent: readonly { kind: string; id?: string }[],
  costs: ReadonlyMap<string, number>,
): Promise<void> {
  const logs = gateway.sluice.database.collection<StoredLog>('logs');
  const ids = sent.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(new Set(ids).size).toBe(ids.length);
  await waitFor(
    'all logs land',
    async () => (await logs.countDocuments({ _id: { $in: ids } })) === ids.length,
    {
      timeoutMs: 60_000,
    },
  );
  const first = await logs.findOne({ _id: ids[0]! });
  const met = first!.limits!.filter((limit) => limit.per === per);
  expect(met.length).toBeGreaterThan(0);
  // Requests without an answer have logs too, if their engine lived long enough. Those may land later.
  const ofLimits = { 'limits.id': { $in: met.map(({ id }) => id) } };
  const counted = () => logs.find(ofLimits, { projection: { cost: 1, usage: 1 } }).toArray();
  for (const { _id, cost } of await counted()) {
    const byHand = costs.get(_id);
    if (byHand !== undefined)
      expect(cost ?? 0, sent.find(({ id }) => id === _id)?.kind).toBeCloseTo(byHand, 9);
  }
  for (const { id, kind } of met) {
    await waitFor(
      `${kind} settle to what the logs say`,
      async () => {
        const expected = usedBy(await counted())[kind]!;
        if (kind !== 'concurrent' && expected === 0) throw new Error('the logs say nothing');
        const { used, granted } = await sharesOf(gateway, id);
        const isExact = Math.abs(used - expected) < 1e-6;
        // Amounts that engines were granted in advance have been returned, so nothing is reserved any more.
        if (isExact && Math.abs(granted - used) < 1e-6) return true;
        throw new Error(`${expected} in the logs, ${used} used, ${granted} granted`);
      },
      { timeoutMs: 30_000, intervalMs: 250 },
    );
  }
}

function usedBy(logs: readonly StoredLog[]): Record<string, number> {
  const sum = (of: (log: StoredLog) => number) => logs.reduce((total, log) => total + of(log), 0);
  return {
    cost_usd: sum(({ cost }) => cost ?? 0),
    tokens: sum(({ usage }) => (usage === null ? 0 : usage.input_tokens + usage.output_tokens)),
    requests: logs.length,
    concurrent: 0,
  };
}
