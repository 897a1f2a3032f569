import type { Attributes } from '@opentelemetry/api';
import { METRICS, type MetricName } from '../names.js';
import type { Counts, Distribution } from './counts.js';
import type { Observed } from './gauges.js';

/*
 * The text that Prometheus reads. It is written here, and not by OpenTelemetry's SDK, because with the SDK each process
 * would load 200 modules that only a process with a collector needs.
 */

const PROMETHEUS_NAMES = new Map<string, string>(
  Object.values(METRICS).map(({ name, prometheus }) => [name, prometheus]),
);

/** The name of one of our metrics in Prometheus. */
export function prometheusName(name: string): string {
  return PROMETHEUS_NAMES.get(name) ?? name;
}

/** All metrics in Prometheus's text format 0.0.4. A metric without values has its name and description. */
export async function prometheusText(counts: Counts, observed: readonly Observed[]): Promise<string> {
  const read = await Promise.all(observed.map(async ({ read }) => read()));
  const families = [
    ...observed.map(({ metric, kind }, index) =>
      family(
        metric,
        kind,
        read[index]!.map(({ value, attributes }) => sample(metric.prometheus, attributes, value)),
      ),
    ),
    ...counts.counters.map(({ metric, points }) =>
      family(
        metric,
        'counter',
        points.map(({ attributes, point }) => sample(metric.prometheus, attributes, point.value)),
      ),
    ),
    ...counts.histograms.map(({ metric, points }) =>
      family(
        metric,
        'histogram',
        points.flatMap(({ attributes, point }) => samplesOf(metric, attributes, point)),
      ),
    ),
  ].filter((text) => text !== '');
  const text = families.join('');
  return text + headsOfAbsent(text);
}

function family(
  { prometheus, description }: MetricName,
  type: 'counter' | 'gauge' | 'histogram',
  samples: readonly string[],
): string {
  if (samples.length === 0) return '';
  return `# HELP ${prometheus} ${escaped(description)}\n# TYPE ${prometheus} ${type}\n${samples.join('')}`;
}

function samplesOf(
  { prometheus, buckets = [] }: MetricName,
  attributes: Attributes,
  point: Distribution,
): string[] {
  let below = 0;
  return [
    sample(`${prometheus}_count`, attributes, point.count),
    sample(`${prometheus}_sum`, attributes, point.sum),
    ...point.counts.map((count, bucket) => {
      below += count;
      const le = buckets[bucket] === undefined ? '+Inf' : String(buckets[bucket]);
      return sample(`${prometheus}_bucket`, { ...attributes, le }, below);
    }),
  ];
}

function sample(name: string, attributes: Attributes, value: number): string {
  const labels = Object.entries(attributes).map(
    ([label, text]) =>
      `${label.replace(/[^a-z0-9_]/gi, '_')}="${escaped(String(text)).replaceAll('"', '\\"')}"`,
  );
  return `${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`} ${numberText(value)}\n`;
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** The names and descriptions of metrics without values. */
function headsOfAbsent(text: string): string {
  const present = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const absent = Object.values(METRICS).filter(({ prometheus }) => !present.has(prometheus));
  return absent
    .map(({ prometheus, description }) => {
      const head = `# HELP ${prometheus} ${description}\n`;
      return prometheus.endsWith('_total') ? `${head}# TYPE ${prometheus} counter\n` : head;
    })
    .join('');
}
