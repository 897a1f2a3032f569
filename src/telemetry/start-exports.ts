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
import type { Clock } from '../core/clock.js';
import type { LogRecord, PluginRun } from '../core/log-record.js';
import type { Logger } from '../core/logger.js';
import { Alarm } from '../core/pacing/alarm.js';
import type { TraceWrite } from '../core/trace-write.js';
import { type Exporters, samplerMistake } from './exporters.js';
import type { Counts } from './metrics/counts.js';
import type { Observed } from './metrics/gauges.js';
import { startOtlpMetrics } from './metrics/otlp-metrics.js';
import type { Lookup } from './metrics/outcomes.js';
import type { ExchangeTrace, TraceParents } from './traces/exchange-trace.js';
import { addLogPhaseSpans } from './traces/plugin-spans.js';
import type { SpanOrigin } from './traces/recorded-span.js';
import { createSpanProcessors, readSpanLimits } from './traces/span-processors.js';
import { startTrace } from './traces/span-trace.js';
import { createTraceWrite } from './traces/write-spans.js';

const SCOPE = 'sluice';

export interface ExportOptions {
  env: NodeJS.ProcessEnv;
  version: string;
  exporters: Exporters;
  counts: Counts;
  observed: readonly Observed[];
  lookup: Lookup;
  /** Counts the spans that the SDK drops. */
  lost: { spans: number };
  logger: Logger;
  clock: Clock;
}

export interface Exports {
  /** Absent where only metrics are exported. */
  spans?: {
    startExchange(parents: TraceParents): ExchangeTrace;
    traceWrite: TraceWrite;
    addLogPhase(record: LogRecord, runs: readonly PluginRun[]): void;
  };
  /** Sends what is pending. */
  shutdown(): Promise<void>[];
}

/** Starts what `exporters` ask for: spans, and metrics to a collector. */
export async function startExports(options: ExportOptions): Promise<Exports> {
  const { env, version, exporters, counts, observed, lookup, lost, logger, clock } = options;
  logFailedExports(env, logger, clock, lost);
  const resource = describeProcess(version);
  const scope = { name: SCOPE, version };
  const metrics = exporters.metrics
    ? await startOtlpMetrics({ env, resource, scope, counts, observed, clock })
    : undefined;
  const tracing =
    exporters.traces.length > 0 ? await startTracing(resource, version, exporters.traces, env) : undefined;
  const { sampling, content, openinference } = exporters;
  const spans = tracing && { origin: tracing.origin, sampling, clock, lookup, content, openinference };
  return {
    spans: spans && {
      startExchange: (parents) => startTrace(parents, spans),
      traceWrite: createTraceWrite(spans),
      addLogPhase: (record, runs) => addLogPhaseSpans(record, runs, clock.now(), spans),
    },
    shutdown: () => [metrics?.shutdown(), tracing?.shutdown()].filter((end) => end !== undefined),
  };
}

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
