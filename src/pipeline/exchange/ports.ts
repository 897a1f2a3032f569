import type { Clock } from '../../core/clock.js';
import type { Directory } from '../../core/directory.js';
import type { LogRecord } from '../../core/log-record.js';
import type { LogSink } from '../../core/log-sink.js';
import type { Logger } from '../../core/logger.js';
import type { BodiesInFlight } from '../../core/pacing/bodies-in-flight.js';
import type { Endpoint, Limits } from '../../core/settings.js';
import type { LogPhaseOutcome, PluginHost, PreparedPlugin } from '../../plugins/runtime/host.js';
import type { ProviderGates } from '../../policy/concurrency/provider-gates.js';
import type { TrafficLimits } from '../../policy/limits/traffic-limits.js';
import type { Cooling } from '../../routing/cooling.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { OutputValidation } from '../../validation/validation.js';

/** Runs LOG plugins, after the answer and never in its way. */
export interface LogPhaseRunner {
  isDue(plugins: readonly PreparedPlugin[]): boolean;
  /** Says in the log that they are about to run here. */
  mark(record: LogRecord, plugins: readonly PreparedPlugin[]): void;
  /** What they know already, for the log to be written with; undefined where they have to be run. */
  atOnce(
    record: LogRecord,
    plugins: readonly PreparedPlugin[],
    headers: Record<string, string>,
    exchange: object,
  ): LogPhaseOutcome | undefined;
  run(
    record: LogRecord,
    plugins: readonly PreparedPlugin[],
    headers: Record<string, string>,
    exchange: object,
  ): void;
}

/** What the pipeline needs of the rest; `app.ts` joins them. */
export interface Services {
  clock: Clock;
  directory: Directory;
  sink: LogSink;
  validation: OutputValidation;
  plugins: PluginHost;
  /** An endpoint's plugins, prepared when its configuration was taken in. */
  pluginsOf(endpoint: Endpoint): readonly PreparedPlugin[];
  cooling: Cooling;
  traffic: TrafficLimits;
  gates: ProviderGates;
  logPhase: LogPhaseRunner;
  telemetry: Pick<Telemetry, 'startExchange' | 'observe' | 'observeLogPhase'>;
  limits(): Limits;
  bodies: BodiesInFlight;
  newLogId(): string;
  logger: Logger;
}
