import { type Clock, systemClock } from '../core/clock.js';
import type { LogRecord, PluginRun } from '../core/log-record.js';
import type { Logger } from '../core/logger.js';
import { type TraceWrite, untraced } from '../core/trace-write.js';
import type { ExchangeDetails } from './exchange-details.js';
import { chooseExporters } from './exporters.js';
import { Counts } from './metrics/counts.js';
import { createGauges, type GaugeSources } from './metrics/gauges.js';
import { Instruments } from './metrics/instruments.js';
import { addExemplars } from './metrics/open-metrics.js';
import type { Lookup } from './metrics/outcomes.js';
import { prometheusName, prometheusText } from './metrics/prometheus.js';
import type { ExportOptions, Exports } from './start-exports.js';
import { type ExchangeTrace, passOnTrace, type TraceParents } from './traces/exchange-trace.js';

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
  const lost = { spans: 0 };
  const tracesOn = exporters.traces.length > 0;
  const counts = new Counts();
  const instruments = new Instruments(counts, lookup);
  const gauges = createGauges({ ...options, ...(tracesOn ? { lostSpans: () => lost.spans } : {}) });
  const { observed } = gauges;
  const exports =
    tracesOn || exporters.metrics
      ? await startExports({ env, version, exporters, counts, observed, lookup, lost, logger, clock })
      : undefined;
  const spans = exports?.spans;
  return {
    startExchange: (parents) => spans?.startExchange(parents) ?? passOnTrace(parents),
    traceWrite: spans?.traceWrite ?? untraced,
    observe: (record, details = {}) => instruments.observe(record, details),
    observeLogPhase: (record, runs) => {
      instruments.observePluginRuns(runs);
      spans?.addLogPhase(record, runs);
    },
    observeCooling: (model) => instruments.observeCooling(model),
    metricsText: async (exemplars = false) => {
      const text = await prometheusText(counts, observed);
      return exemplars ? addExemplars(text, counts, prometheusName) : text;
    },
    shutdown: async () => {
      gauges.stop();
      await endWithin(SHUTDOWN_MS, exports?.shutdown() ?? [], logger);
    },
  };
}

/** OpenTelemetry's SDK is loaded only where something is exported. */
async function startExports(options: ExportOptions): Promise<Exports> {
  return (await import('./start-exports.js')).startExports(options);
}

async function endWithin(ms: number, ends: Promise<void>[], logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  const results = await Promise.race([Promise.allSettled(ends), late]);
  clearTimeout(timer);
  const failed = results === 'late' || results.some(({ status }) => status === 'rejected');
  if (failed) logger.warn({}, 'the last spans and metrics could not be exported');
}
