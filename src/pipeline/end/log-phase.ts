import type { LogRecord } from '../../core/log-record.js';
import type { StartedEngine } from '../../core/log-sink.js';
import type { HostContext, LogPhaseOutcome, PreparedPlugin } from '../../plugins/runtime/host.js';
import type { LogPhaseRunner, Services } from '../exchange/ports.js';
import { duePlugins } from '../request/due-plugins.js';

/** Logs whose LOG plugins did not finish, for example because an engine crashed. */
export interface UnfinishedLogs {
  dueForLogPhase(engine?: StartedEngine): AsyncIterable<LogRecord>;
}

export type LogPhaseServices = Pick<
  Services,
  'clock' | 'directory' | 'plugins' | 'pluginsOf' | 'telemetry' | 'logger'
> & { sink: Pick<Services['sink'], 'amend'> };

/** A signal for synchronous calls, during which no client can disconnect. */
const NOT_AWAITED = new AbortController().signal;

/** How often unfinished logs are looked for. */
const LOOK_INTERVAL_MS = 15_000;
/** How long a LOG phase may take in addition to the time of its plugins. */
const OVERHEAD_MS = 60_000;
/** The most logs that are resumed at once. Each of them is in memory. */
const MOST_RESUMED_AT_ONCE = 16;

/**
 * Runs LOG plugins after the answer, without delaying it, and at least once. A log is marked until its plugins have
 * run, so that a restarted engine finds and runs those of a crash.
 */
export class LogPhase implements LogPhaseRunner {
  readonly #running = new Set<Promise<void>>();
  #timer?: NodeJS.Timeout;
  #isLooking = false;
  #stopped = false;

  /** `engine` is an id of this engine that survives restarts; absent in a process that ends no exchanges. */
  constructor(
    private readonly services: LogPhaseServices,
    private readonly engine?: string,
  ) {}

  isDue(plugins: readonly PreparedPlugin[]): boolean {
    return plugins.some(isLogPlugin);
  }

  mark(record: LogRecord, plugins: readonly PreparedPlugin[]): void {
    record._log_phase_due = true;
    if (this.engine === undefined) return;
    const ms = plugins.filter(isLogPlugin).reduce((sum, { entry }) => sum + entry.timeout_ms, 0);
    record._log_phase_claim = {
      engine: this.engine,
      until: this.services.clock.now() + ms + OVERHEAD_MS,
    };
  }

  /** The results that are known already, so that they are written with the log. Undefined where plugins have to run. */
  atOnce(
    record: LogRecord,
    plugins: readonly PreparedPlugin[],
    headers: Record<string, string> = {},
    exchange?: object,
  ): LogPhaseOutcome | undefined {
    // Large bodies take too long to process before the end of the answer.
    if (record._large !== undefined) return undefined;
    const context = contextOf(record, headers, exchange, NOT_AWAITED);
    return this.services.plugins.runLogAtOnce(plugins, context, withoutOurs(record));
  }

  /** Starts the plugins in the next turn of the event loop. Never rejects: errors are only logged. */
  run(
    record: LogRecord,
    plugins: readonly PreparedPlugin[],
    headers: Record<string, string> = {},
    exchange?: object,
  ): Promise<void> {
    const task = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#runOne(record, plugins, contextOf(record, headers, exchange)))
      .catch((err) => this.services.logger.error({ err, log_id: record._id }, 'the LOG phase failed'))
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
    return task;
  }

  /**
   * Regularly looks for unfinished logs: those of this engine's earlier run at once, those of others once they are
   * certainly abandoned.
   */
  watch(logs: UnfinishedLogs): void {
    const { engine, services } = this;
    const startedAt = new Date(services.clock.now());
    const started = engine === undefined ? undefined : { id: engine, startedAt };
    const look = () => void this.#resumeAll(logs, started);
    look();
    this.#timer = setInterval(look, LOOK_INTERVAL_MS).unref();
  }

  /** Resolves when no plugin is running any more. Unfinished logs stay unfinished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  /** Only one walk runs at a time, so that a log whose plugin is still running is not taken twice. */
  async #resumeAll(logs: UnfinishedLogs, engine: StartedEngine | undefined): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const resumed = new Set<Promise<void>>();
    try {
      for await (const record of logs.dueForLogPhase(engine)) {
        if (this.#stopped) return;
        const task = this.#resume(record).finally(() => resumed.delete(task));
        resumed.add(task);
        if (resumed.size === MOST_RESUMED_AT_ONCE) await Promise.race(resumed);
      }
      await Promise.all(resumed);
    } catch (err) {
      this.services.logger.warn({ err }, 'logs with an unfinished LOG phase cannot be looked up');
    } finally {
      this.#isLooking = false;
    }
  }

  #resume(record: LogRecord): Promise<void> {
    const endpoint = this.services.directory
      .project(record.project_uid)
      ?.endpoints.get(record.endpoint ?? '');
    const plugins = endpoint === undefined ? [] : this.services.pluginsOf(endpoint);
    const { enforced, observing } = duePlugins(plugins, record._id);
    return this.run(record, [...enforced, ...observing]);
  }

  async #runOne(record: LogRecord, plugins: readonly PreparedPlugin[], context: HostContext): Promise<void> {
    const { plugins: host, telemetry, sink } = this.services;
    const { _log_phase_due, _log_phase_claim, _span_id, _search, _large, _written, ...shown } = record;
    const { runs, addTags } = await host.runLog(plugins, context, shown);
    await sink.amend({ log_id: record._id, plugin_runs: runs, add_tags: addTags, log_phase: true });
    telemetry.observeLogPhase(record, runs);
  }
}

function withoutOurs(record: LogRecord): LogRecord {
  if (record._search === undefined && record._written === undefined) return record;
  const { _search, _written, ...shown } = record;
  return shown;
}

function isLogPlugin({ phases }: PreparedPlugin): boolean {
  return phases.includes('log');
}

/** The client's headers are not stored with the log, so a run after a crash has none. */
function contextOf(
  record: LogRecord,
  headers: Record<string, string>,
  exchange?: object,
  signal = new AbortController().signal,
): HostContext {
  return {
    requestId: record._id,
    endpoint: record.endpoint ?? '',
    metadata: record.metadata,
    headers,
    signal,
    exchange,
  };
}
