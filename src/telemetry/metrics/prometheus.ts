import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MetricReader } from '@opentelemetry/sdk-metrics';
import { METRICS } from '../names.js';

const PROMETHEUS_NAMES = new Map<string, string>(
  Object.values(METRICS).map(({ name, prometheus }) => [name, prometheus]),
);

/** The name of one of our metrics in Prometheus. */
export function prometheusName(name: string): string {
  return PROMETHEUS_NAMES.get(name) ?? name;
}

/** Reads the metrics for `/metrics`, under the names in our table, because the serializer does not add suffixes for units. */
export class PrometheusReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer('', false, undefined, true, true);

  /** The metrics in Prometheus's text format 0.0.4. */
  async text(): Promise<string> {
    const { resourceMetrics } = await this.collect();
    const scopeMetrics = resourceMetrics.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map((metric) => {
        const name = prometheusName(metric.descriptor.name);
        return { ...metric, descriptor: { ...metric.descriptor, name, unit: '' } };
      }),
    }));
    const text = this.#serializer.serialize({ ...resourceMetrics, scopeMetrics });
    return text + headsOfAbsent(text);
  }

  protected async onForceFlush(): Promise<void> {
    // Nothing is buffered: values are read on request.
  }

  protected async onShutdown(): Promise<void> {
    // There is no server to stop.
  }
}

/** Adds the names of metrics without values, which the serializer leaves out. */
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
