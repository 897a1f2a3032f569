import { describe, expect, it } from 'vitest';
import {
  ATTRIBUTES,
  DATABASE_SYSTEM,
  METRICS,
  OPERATIONS,
  OUTPUT_TYPE_JSON,
  PROVIDER_NAMES,
  TOKEN_TYPES,
} from './names.js';

/** Every string that OpenTelemetry's package knows; undefined where the package is not installed. */
async function conventions(): Promise<Set<unknown> | undefined> {
  const name = '@opentelemetry/semantic-conventions/incubating';
  const module: Record<string, unknown> | undefined = await import(name).catch(() => undefined);
  return module && new Set(Object.values(module));
}

describe('the names of the conventions', () => {
  it('are those of OpenTelemetry', async ({ skip }) => {
    const known = await conventions();
    if (known === undefined) return skip('@opentelemetry/semantic-conventions is not installed');
    const ours = [
      ...Object.values(ATTRIBUTES),
      ...Object.values(METRICS)
        .map(({ name }) => name)
        .filter((name) => name.startsWith('gen_ai.')),
      ...Object.values(PROVIDER_NAMES),
      ...Object.values(TOKEN_TYPES),
      OPERATIONS.chat,
      OPERATIONS.completion,
      OPERATIONS.embeddings,
      OUTPUT_TYPE_JSON,
      DATABASE_SYSTEM,
    ];
    expect(ours.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('a metric', () => {
  it.each(Object.values(METRICS))('$name has the name that Prometheus itself would derive', (metric) => {
    const { name, unit, prometheus } = metric;
    const base = name.replace(/\./g, '_');
    expect([base, `${base}_total`, `${base}_seconds`]).toContain(prometheus);
    expect(prometheus.endsWith('_seconds')).toBe(unit === 's');
    if ('buckets' in metric) expect(metric.buckets).toEqual([...metric.buckets].sort((a, b) => a - b));
  });
});
