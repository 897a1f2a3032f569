import { describe, expect, it } from 'vitest';
import { changes, measured, table, verdicts } from '../bench/gateway/report.mjs';

/** A target with two rounds of which the second took half as much again. */
function row(name, cpu, tries) {
  const round = (factor) => ({
    cpu: Object.fromEntries(Object.entries(cpu).map(([part, ms]) => [part, ms * factor])),
    memory: { engine: 100 * factor, mongod: 200 * factor },
    rate: 1000 / factor,
    p50: 10 * factor * Object.values(cpu).reduce((sum, ms) => sum + ms, 0),
    p99: 5 * factor,
  });
  return measured({ name, tries }, [round(1), round(1.5), round(1)]);
}

const rows = [
  row('bare Envoy', { envoy: 0.1 }),
  row('no-op ext_proc', { envoy: 0.1, engine: 0.1 }),
  row('Sluice', { envoy: 0.1, engine: 0.2, mongod: 0.1 }, 1),
  row('Sluice, validation', { envoy: 0.1, engine: 0.3, mongod: 0.1 }, 1),
  row('Sluice, validation and a fallback', { envoy: 0.2, engine: 0.5, mongod: 0.1 }, 2),
];
const results = [{ name: 'plain-32', rows }];

describe('the report of the benchmark', () => {
  it('has the median of each figure, and the lowest and highest CPU use', () => {
    const sluice = rows[2];
    expect(sluice.cpu).toEqual({ envoy: 0.1, engine: 0.2, mongod: 0.1 });
    expect(sluice.least).toBeCloseTo(0.4);
    expect(sluice.most).toBeCloseTo(0.6);
    expect(sluice.rate).toBe(1000);
  });

  it('has a row of a table for each target', () => {
    const lines = table(results[0]).trim().split('\n');
    expect(lines).toHaveLength(2 + rows.length);
    expect(lines[4]).toBe(
      '| Sluice | 0.100 | 0.200 | 0.100 | 0.400 | 0.400–0.600 | 1000 | 4.00 | 5.00 | 100–100 / 200–200 |',
    );
  });

  it('compares each target with the no-op engine, and each way to use Sluice with the plain one', () => {
    expect(verdicts(results).trim().split('\n')).toEqual([
      'plain-32: Envoy and engine 1.50 × no-op, with mongod 2.00 ×; p50 3.00 ×, each less bare Envoy; requests/s 1.00 ×',
      'plain-32: Sluice, validation 1.25 × "Sluice"',
      'plain-32: Sluice, validation and a fallback 1.00 × 2 times "Sluice"',
    ]);
  });

  it('compares Sluice and its database with Envoy AI Gateway, where both ran', () => {
    const both = [row('Envoy AI Gateway', { envoy: 0.3, engine: 0.2 }), rows[2]];
    expect(verdicts([{ name: 'plain-1', rows: both }]).trim()).toBe(
      'plain-1: Sluice with mongod 0.80 × Envoy AI Gateway; p50 0.80 ×; requests/s 1.00 ×',
    );
  });

  it('compares with an earlier run the figures that both have', () => {
    const earlier = [
      { name: 'plain-32', rows: [row('Sluice', { envoy: 0.2, engine: 0.5, mongod: 0.1 }, 1)] },
    ];
    expect(changes(results, earlier, 'before.json')).toBe('plain-32 Sluice: CPU -50 % against before.json');
    expect(changes(earlier, results, 'after.json')).toBe('plain-32 Sluice: CPU +100 % against after.json');
    expect(changes([{ name: 'stream-1', rows }], earlier, 'before.json')).toBe('');
  });
});
