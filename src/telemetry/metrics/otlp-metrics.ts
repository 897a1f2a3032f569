import {
  type MetricProducer,
  type MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';

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
