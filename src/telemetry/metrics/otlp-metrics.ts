import {
  type MetricProducer,
  type MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';

/** Sends the metrics to a collector, as the standard variables say where, how and how often. */
export async function createOtlpMetricReader(
  environment: NodeJS.ProcessEnv,
  producer: MetricProducer,
): Promise<MetricReader> {
  const protocol =
    environment.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ||
    environment.OTEL_EXPORTER_OTLP_PROTOCOL ||
    'http/protobuf';
  const intervalMs = Number(environment.OTEL_METRIC_EXPORT_INTERVAL) || 60_000;
  const timeoutMs = Number(environment.OTEL_METRIC_EXPORT_TIMEOUT) || 30_000;
  return new PeriodicExportingMetricReader({
    exporter: await createExporter(protocol),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(timeoutMs, intervalMs),
    metricProducers: [producer],
  });
}

/** Each package is loaded only where it is used. */
async function createExporter(protocol: string): Promise<PushMetricExporter> {
  switch (protocol) {
    case 'grpc':
      return new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter();
    case 'http/json':
      return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter();
    default:
      return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter();
  }
}
