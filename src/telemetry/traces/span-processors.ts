import { diag } from '@opentelemetry/api';
import type { SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { RecordedSpan, SpanLimits } from './recorded-span.js';

/*
 * The processors and exporters of spans, as the standard variables say. They belong to the SDK, which reads the rest
 * of the environment. Loaded only where they are used.
 */

type Environment = NodeJS.ProcessEnv;

/** A processor for each exporter in OTEL_TRACES_EXPORTER. An unknown exporter is reported and left out. */
export async function createSpanProcessors(
  names: readonly string[],
  environment: Environment,
): Promise<SpanProcessor[]> {
  const { BatchSpanProcessor, ConsoleSpanExporter, SimpleSpanProcessor } = await import(
    '@opentelemetry/sdk-trace'
  );
  const batches = readBatchSettings(environment);
  const processors: SpanProcessor[] = [];
  for (const name of new Set(names)) {
    if (name === 'console') {
      processors.push(new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() }));
      continue;
    }
    const exporter = await createExporter(name, environment);
    if (exporter === undefined) diag.error(`OTEL_TRACES_EXPORTER: there is no exporter "${name}"`);
    else processors.push(new BatchSpanProcessor({ ...batches, exporter }));
  }
  return processors;
}

/** The settings of batches. A setting that is absent or invalid is left to the SDK's default. */
export function readBatchSettings(environment: Environment) {
  return {
    maxQueueSize: sizeOf(environment.OTEL_BSP_MAX_QUEUE_SIZE),
    scheduledDelayMillis: numberOf(environment.OTEL_BSP_SCHEDULE_DELAY),
    exportTimeoutMillis: numberOf(environment.OTEL_BSP_EXPORT_TIMEOUT),
    maxExportBatchSize: sizeOf(environment.OTEL_BSP_MAX_EXPORT_BATCH_SIZE),
  };
}

/** The limits of spans, with the SDK's defaults. A length of 0 or less means no limit. */
export function readSpanLimits(environment: Environment): SpanLimits {
  const {
    OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: ofSpan,
    OTEL_ATTRIBUTE_COUNT_LIMIT: ofAll,
    OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: lengthOfSpan,
    OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: lengthOfAll,
    OTEL_SPAN_LINK_COUNT_LIMIT: links,
  } = environment;
  return {
    attributes: numberOf(ofSpan) ?? numberOf(ofAll) ?? 128,
    valueLength: numberOf(lengthOfSpan) || numberOf(lengthOfAll) || Number.POSITIVE_INFINITY,
    links: numberOf(links) ?? 128,
  };
}

/** A number of at least 0. Other values are ignored. */
function numberOf(text: string | undefined): number | undefined {
  if (!text?.trim()) return undefined;
  const value = Number(text);
  return value >= 0 ? value : undefined;
}

/**
 * A number of at least 1. Other values are ignored, because with batches of no spans the SDK's last export would never end.
 */
function sizeOf(text: string | undefined): number | undefined {
  const size = numberOf(text);
  return size !== undefined && size >= 1 ? Math.floor(size) : undefined;
}

async function createExporter(name: string, environment: Environment): Promise<SpanExporter | undefined> {
  if (name === 'zipkin') return new (await import('@opentelemetry/exporter-zipkin')).ZipkinExporter();
  if (name !== 'otlp') return undefined;
  const protocol = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || environment.OTEL_EXPORTER_OTLP_PROTOCOL;
  switch (protocol?.trim()) {
    case 'http/json':
      return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter();
    case 'grpc':
      return createGrpcExporter();
    default:
      return createHttpExporter();
  }
}

/** The SDK's own exporter with our serializer. */
async function createHttpExporter(): Promise<SpanExporter> {
  const { OTLPExporterBase } = await import('@opentelemetry/otlp-exporter-base');
  const { convertLegacyHttpOptions, createOtlpHttpExportDelegate } = await import(
    '@opentelemetry/otlp-exporter-base/node-http'
  );
  const { TraceExporterMetricsHelper } = await import('@opentelemetry/otlp-transformer');
  const options = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', {
    'Content-Type': 'application/x-protobuf',
  });
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      options,
      await createSerializer(),
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  );
}

async function createGrpcExporter(): Promise<SpanExporter> {
  const { OTLPExporterBase } = await import('@opentelemetry/otlp-exporter-base');
  const { convertLegacyOtlpGrpcOptions, createOtlpGrpcExportDelegate } = await import(
    '@opentelemetry/otlp-grpc-exporter-base'
  );
  const { TraceExporterMetricsHelper } = await import('@opentelemetry/otlp-transformer');
  return new OTLPExporterBase(
    createOtlpGrpcExportDelegate(
      convertLegacyOtlpGrpcOptions({}, 'TRACES'),
      await createSerializer(),
      'otlp_grpc_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
      'TraceExportService',
      '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    ),
  );
}

async function createSerializer() {
  const { ProtobufTraceSerializer } = await import('@opentelemetry/otlp-transformer');
  const { writeSpans } = await import('./otlp-spans.js');
  return {
    // All spans that arrive here are ours.
    serializeRequest: (spans: unknown) => writeSpans(spans as RecordedSpan[]),
    deserializeResponse: (data: Uint8Array) => ProtobufTraceSerializer.deserializeResponse(data),
  };
}
