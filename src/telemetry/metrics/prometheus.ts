import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MetricReader } from '@opentelemetry/sdk-metrics';
import { METRICS } from '../names.js';

const PROMETHEUS_NAMES = new Map<string, string>(
  Object.values(METRICS).map(({ name, prometheus }) => [name, prometheus]),
);

/** What a metric of ours is called there. */
export function prometheusName(name: string): string {
  return PROMETHEUS_NAMES.get(name) ?? name;
}

/** Reads the metrics for `/metrics`, under the names that our table gives them; the serializer knows no unit suffixes. */
export class PrometheusReader extends MetricReader {
  readonly #serializer = new PrometheusSerializer('', false, undefined, true, true);

  /** In Prometheus' text format 0.0.4. */
  async text(): Promise<string> {
    const { resourceMetrics } = await this.collect();
    const scopeMetrics = resourceMetrics.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map((metric) => {
        const name = prometheusName(metric.descriptor.name);
        return { ...metric, descriptor: { ...metric.descriptor, name, unit: '' } };
      }),
    }));
    return this.#serializer.serialize({ ...resourceMetrics, scopeMetrics });
  }

  protected async onForceFlush(): Promise<void> {
    // Nothing waits here: what is asked for is read then.
  }

  protected async onShutdown(): Promise<void> {
    // There is no server to stop.
  }
}
