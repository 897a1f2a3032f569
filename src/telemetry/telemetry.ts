import { DiagConsoleLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  processDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, type MetricReader } from '@opentelemetry/sdk-metrics';
import { type Clock, systemClock } from '../core/clock.js';
import type { LogRecord, PluginRun } from '../core/log-record.js';
import type { Logger } from '../core/logger.js';
import { Alarm } from '../core/pacing/alarm.js';
import { type TraceWrite, untraced } from '../core/trace-write.js';
import type { ExchangeDetails } from './exchange-details.js';
import { chooseExporters, samplerMistake } from './exporters.js';
import { Counts } from './metrics/counts.js';
import { CountsProducer } from './metrics/counts-producer.js';
import { createGauges, type GaugeSources } from './metrics/gauges.js';
import { Instruments } from './metrics/instruments.js';
import { addExemplars } from './metrics/open-metrics.js';
import { createOtlpMetricReader } from './metrics/otlp-metrics.js';
import type { Lookup } from './metrics/outcomes.js';
import { PrometheusReader, prometheusName } from './metrics/prometheus.js';
import { type ExchangeTrace, passOnTrace, type TraceParents } from './traces/exchange-trace.js';
import { addLogPhaseSpans } from './traces/plugin-spans.js';
import type { SpanOrigin } from './traces/recorded-span.js';
import { createSpanProcessors, readSpanLimits } from './traces/span-processors.js';
import { startTrace } from './traces/span-trace.js';
import { createTraceWrite } from './traces/write-spans.js';

const SCOPE = 'sluice';
/** How long the last spans and metrics may take, because an unreachable collector must not delay the exit. */
const SHUTDOWN_MS = 3_000;

export interface TelemetryOptions extends GaugeSources {
  /** The SDK's own exporters also read the process's environment. */
  env: NodeJS.ProcessEnv;
  version: string;
  directory: Lookup;
  logger: Logger;
  clock?: Clock;
}

export interface Telemetry {
  startExchange(parents: TraceParents): ExchangeTrace;
  /** Runs a write to MongoDB, with a span where its exchanges were recorded. */
  traceWrite: TraceWrite;
  /** Counts a finished exchange; call it once for each. */
  observe(record: LogRecord, details?: ExchangeDetails): void;
  /** Counts the runs of the LOG phase, which end after the record was counted, and adds their spans. */
  observeLogPhase(record: LogRecord, runs: readonly PluginRun[]): void;
  /** Counts that a model is left out of new chains for a while. */
  observeCooling(model: { provider: string; model: string }): void;
  /** The metrics in Prometheus's text format 0.0.4 or, with exemplars, in OpenMetrics. */
  metricsText(exemplars?: boolean): Promise<string>;
  /** Sends what is pending, within a few seconds. Never rejects. */
  shutdown(): Promise<void>;
}

export async function createTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { env, version, directory: lookup, logger, clock = systemClock } = options;
  const exporters = chooseExporters(env);
  const resource = describeProcess(version);
  const lost = { spans: 0 };
  const tracesOn = exporters.traces.length > 0;
  if (tracesOn || exporters.metrics) logFailedExports(env, logger, clock, lost);
  const counts = new Counts();
  const instruments = new Instruments(counts, lookup);
  const ownCounts = () => new CountsProducer(counts, { name: SCOPE, version }, clock);
  const prometheus = new PrometheusReader({ metricProducers: [ownCounts()] });
  const readers: MetricReader[] = [prometheus];
  if (exporters.metrics) {
    const producer = ownCounts();
    readers.push(producer.serve(await createOtlpMetricReader(env, producer)));
  }
  const provider = new MeterProvider({ resource, readers });
  const meter = provider.getMeter(SCOPE, version);
  const stopGauges = createGauges(meter, {
    ...options,
    ...(tracesOn ? { lostSpans: () => lost.spans } : {}),
  });
  const tracing = tracesOn ? await startTracing(resource, version, exporters.traces, env) : undefined;
  const { sampling, content, openinference } = exporters;
  const spans = tracing && { origin: tracing.origin, sampling, clock, lookup, content, openinference };
  return {
    startExchange: (parents) => (spans === undefined ? passOnTrace(parents) : startTrace(parents, spans)),
    traceWrite: spans === undefined ? untraced : createTraceWrite(spans),
    observe: (record, details = {}) => instruments.observe(record, details),
    observeLogPhase: (record, runs) => {
      instruments.observePluginRuns(runs);
      if (spans !== undefined) addLogPhaseSpans(record, runs, clock.now(), spans);
    },
    observeCooling: (model) => instruments.observeCooling(model),
    metricsText: async (exemplars = false) => {
      const text = await prometheus.text();
      return exemplars ? addExemplars(text, counts, prometheusName) : text;
    },
    shutdown: async () => {
      stopGauges();
      const ends = [provider.shutdown(), tracing?.shutdown()];
      await endWithin(SHUTDOWN_MS, ends, logger);
    },
  };
}

/** The span processors are loaded only here. */
async function startTracing(
  resource: Resource,
  version: string,
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ origin: SpanOrigin; shutdown(): Promise<void> }> {
  const mistake = samplerMistake(env);
  if (mistake !== undefined) diag.error(mistake);
  const processors = await createSpanProcessors(names, env);
  return {
    origin: {
      resource,
      instrumentationScope: { name: SCOPE, version },
      limits: readSpanLimits(env),
      processors,
    },
    shutdown: async () => {
      await Promise.all(processors.map((processor) => processor.shutdown()));
    },
  };
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override everything. */
function describeProcess(version: string): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'sluice', 'service.version': version }))
    .merge(detectResources({ detectors: [hostDetector, processDetector, envDetector] }));
}

/** The SDK's message about spans that did not fit into its queue, once there is room again. */
const LOST_SPANS = /^Dropped (\d+) spans because maxQueueSize reached/;

/**
 * Logs the SDK's errors and warnings, for example about an unreachable collector. With OTEL_LOG_LEVEL the SDK prints them
 * itself. The spans that it drops are counted in any case.
 */
function logFailedExports(
  env: NodeJS.ProcessEnv,
  logger: Logger,
  clock: Clock,
  lost: { spans: number },
): void {
  const ignore = () => {};
  const countLost = (text: string): boolean => {
    const count = Number(LOST_SPANS.exec(text)?.[1] ?? 0);
    lost.spans += count;
    return count > 0;
  };
  if (env.OTEL_LOG_LEVEL) {
    const named = DiagLogLevel[env.OTEL_LOG_LEVEL.trim().toUpperCase() as keyof typeof DiagLogLevel];
    const level = named ?? DiagLogLevel.INFO;
    const print = new DiagConsoleLogger();
    const warn = (text: string, ...more: unknown[]) => {
      countLost(text);
      if (level >= DiagLogLevel.WARN) print.warn(text, ...more);
    };
    const error = level >= DiagLogLevel.ERROR ? print.error : ignore;
    diag.setLogger({ ...print, error, warn }, Math.max(level, DiagLogLevel.WARN));
    return;
  }
  const failed = new Alarm(logger, clock);
  const full = new Alarm(logger, clock);
  const error = (reason: string) => failed.raise({ reason }, 'telemetry could not be exported');
  const warn = (text: string) => {
    if (countLost(text)) {
      full.raise({ lost: lost.spans }, 'spans are lost: the collector takes fewer than there are');
    }
  };
  diag.setLogger({ error, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}

async function endWithin(ms: number, ends: (Promise<void> | undefined)[], logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  const results = await Promise.race([Promise.allSettled(ends), late]);
  clearTimeout(timer);
  const failed = results === 'late' || results.some(({ status }) => status === 'rejected');
  if (failed) logger.warn({}, 'the last spans and metrics could not be exported');
}
