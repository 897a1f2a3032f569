import type { Resource } from '@opentelemetry/resources';
import {
  MeterProvider,
  type MetricProducer,
  type MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { Clock } from '../../core/clock.js';
import type { Counts } from './counts.js';
import { CountsProducer } from './counts-producer.js';
import type { Observed } from './gauges.js';

export interface OtlpMetricsOptions {
  env: NodeJS.ProcessEnv;
  resource: Resource;
  scope: { name: string; version: string };
  counts: Counts;
  observed: readonly Observed[];
  clock: Clock;
}

/** Sends all metrics to a collector until `shutdown` is called. */
export async function startOtlpMetrics(options: OtlpMetricsOptions): Promise<{ shutdown(): Promise<void> }> {
  const { env, resource, scope, counts, observed, clock } = options;
  const producer = new CountsProducer(counts, scope, clock);
  const reader = producer.serve(await createOtlpMetricReader(env, producer));
  const provider = new MeterProvider({ resource, readers: [reader] });
  const meter = provider.getMeter(scope.name, scope.version);
  for (const { metric, kind, read } of observed) {
    const { name, unit, description } = metric;
    const instrument =
      kind === 'gauge'
        ? meter.createObservableGauge(name, { unit, description })
        : meter.createObservableCounter(name, { unit, description });
    instrument.addCallback(async (result) => {
      for (const { value, attributes } of await read()) result.observe(value, attributes);
    });
  }
  return provider;
}

/** Sends the metrics to a collector. The standard variables say where, how and how often. */
export async function createOtlpMetricReader(
  environment: NodeJS.ProcessEnv,
  producer: MetricProducer,
): Promise<MetricReader> {
  const protocol = environment.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL || environment.OTEL_EXPORTER_OTLP_PROTOCOL;
  const intervalMs = millisecondsOf(environment.OTEL_METRIC_EXPORT_INTERVAL) ?? 60_000;
  const timeoutMs = millisecondsOf(environment.OTEL_METRIC_EXPORT_TIMEOUT) ?? 30_000;
  return new PeriodicExportingMetricReader({
    exporter: await createExporter(protocol?.trim()),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(timeoutMs, intervalMs),
    metricProducers: [producer],
  });
}

/** A number of milliseconds above 0. Other values are ignored, because the SDK's reader would throw. */
function millisecondsOf(text: string | undefined): number | undefined {
  const ms = Number(text);
  return ms > 0 ? ms : undefined;
}

/** Each package is loaded only where it is used. `http/protobuf` is the default. */
async function createExporter(protocol: string | undefined): Promise<PushMetricExporter> {
  switch (protocol) {
    case 'grpc':
      return new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter();
    case 'http/json':
      return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter();
    default:
      return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter();
  }
}
