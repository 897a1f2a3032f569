import type { Clock } from '../../core/clock.js';
import type { Directory } from '../../core/directory.js';
import type { LogRecord } from '../../core/log-record.js';
import type { LogSink } from '../../core/log-sink.js';
import type { Logger } from '../../core/logger.js';
import type { BodiesInFlight } from '../../core/pacing/bodies-in-flight.js';
import type { Endpoint, Limits } from '../../core/settings.js';
import type { Dialect } from '../../dialects/dialect.js';
import type { LogPhaseOutcome, PluginHost, PreparedPlugin } from '../../plugins/runtime/host.js';
import type { AnswerCache } from '../../policy/cache/answer-cache.js';
import type { ProviderGates } from '../../policy/concurrency/provider-gates.js';
import type { TrafficLimits } from '../../policy/limits/traffic-limits.js';
import type { Cooling } from '../../routing/cooling.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { OutputValidation } from '../../validation/validation.js';
import type { AnswerHead } from './http.js';

/** Runs LOG plugins after the answer, without delaying it. */
export interface LogPhaseRunner {
  isDue(plugins: readonly PreparedPlugin[]): boolean;
  /** Marks in the log that the plugins are about to run here. */
  mark(record: LogRecord, plugins: readonly PreparedPlugin[]): void;
  /** The results that are known already, so that they are written with the log. Undefined where plugins have to run. */
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

/** An attempt that the engine itself sends. */
export interface ProviderRequest {
  /** The scheme, host and port of the provider. */
  origin: string;
  /** The path with the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The events of such an attempt, in this order. Nothing follows `end` and `failed`. */
export type ProviderEvent =
  | { kind: 'head'; head: AnswerHead }
  | { kind: 'chunk'; chunk: Buffer }
  | { kind: 'end' }
  /** No complete answer comes. `connected` says whether the provider was reached at all. */
  | { kind: 'failed'; connected: boolean };

export interface ProviderCall {
  /** Must be called when so many bytes of chunks were handled. The provider is read no faster than that. */
  taken(bytes: number): void;
  /** Closes the connection, because nobody waits for the rest. No event follows. */
  cancel(): void;
}

/** Sends attempts to providers without Envoy. The caller enforces the timeouts. */
export interface ProviderClient {
  ask(request: ProviderRequest, on: (event: ProviderEvent) => void): ProviderCall;
}

/** What the pipeline needs from the rest of the program; `app.ts` provides it. */
export interface Services {
  clock: Clock;
  directory: Directory;
  sink: LogSink;
  validation: OutputValidation;
  plugins: PluginHost;
  /** An endpoint's plugins, prepared when its configuration was loaded. */
  pluginsOf(endpoint: Endpoint): readonly PreparedPlugin[];
  cooling: Cooling;
  traffic: TrafficLimits;
  gates: ProviderGates;
  cache: AnswerCache<Dialect>;
  logPhase: LogPhaseRunner;
  telemetry: Pick<Telemetry, 'startExchange' | 'observe' | 'observeLogPhase'>;
  limits(): Limits;
  bodies: BodiesInFlight;
  providers: ProviderClient;
  newLogId(): string;
  logger: Logger;
}
