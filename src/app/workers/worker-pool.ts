import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartState } from '../../admin/dependencies.js';
import type { Config } from '../../config/config.js';
import type { ConfigTexts } from '../../config/read.js';
import { Backoff } from '../../core/backoff.js';
import type { Logger } from '../../core/logger.js';
import { CLUSTERS_FILE, CLUSTERS_FOLDER } from '../../envoy/names.js';
import { ProviderClusters } from '../../envoy/provider-clusters.js';
import type { Role } from '../../process/role.js';
import { joinMetrics } from '../../telemetry/metrics/join-metrics.js';
import { WorkerProcess } from './worker-process.js';

const FIRST_RESTART_MS = 100;
const LONGEST_RESTART_MS = 30_000;
/** A worker that lived this long counts as healthy: its next restart has the shortest delay. */
const SOUND_MS = 60_000;
/** The metrics of a worker that takes longer to answer are left out. */
const PATIENCE_MS = 2_000;

export interface WorkerPoolOptions {
  count: number;
  role: Role;
  config: Config;
  /** The texts that the configuration was read from. */
  texts: ConfigTexts;
  configFile: string;
  dataFolder: string;
  logger: Logger;
}

/** An engine of several processes. Each serves on a socket of its own and is restarted when it dies. */
export class WorkerPool {
  readonly #clusters: ProviderClusters;
  readonly #workers = new Map<number, WorkerProcess>();
  readonly #ready = new Set<number>();
  readonly #keeping: Promise<void>[] = [];
  readonly #stopping = new AbortController();
  #texts: ConfigTexts;

  /** Writes the providers' clusters for Envoy before any worker runs. */
  static async open(options: WorkerPoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(options);
    await pool.#clusters.replace(options.config.providers.values());
    return pool;
  }

  private constructor(private readonly options: WorkerPoolOptions) {
    const { dataFolder: data, texts } = options;
    this.#texts = texts;
    this.#clusters = new ProviderClusters(join(data, CLUSTERS_FOLDER, CLUSTERS_FILE), data);
  }

  /** Whether at least one worker serves. */
  get ready(): boolean {
    return this.#ready.size > 0;
  }

  /** The state of each worker, by its name. */
  parts(): Record<string, PartState> {
    const numbers = Array.from({ length: this.options.count }, (_none, index) => index + 1);
    return Object.fromEntries(
      numbers.map((number) => [`worker-${number}`, this.#ready.has(number) ? 'ready' : 'starting']),
    );
  }

  /** Resolves once all workers serve; rejects where one cannot. */
  async start(): Promise<void> {
    const starts: Promise<void>[] = [];
    for (let number = 1; number <= this.options.count; number++) {
      const { worker, started } = this.#spawn(number);
      starts.push(started);
      this.#keeping.push(this.#keep(number, worker));
    }
    try {
      await Promise.all(starts);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** The metrics of all workers together. `own` are those of this process. */
  async metricsText(own: string, exemplars: boolean): Promise<string> {
    const texts = [...this.#workers].map(async ([number, worker]): Promise<[string, string]> => {
      const late = sleep(PATIENCE_MS, '', { ref: false });
      return [
        String(number),
        await Promise.race([worker.call('metricsText', exemplars).catch(() => ''), late]),
      ];
    });
    return joinMetrics(own, new Map(await Promise.all(texts)));
  }

  /** A worker that misses this message writes its logs a moment later anyway. */
  shipLogsNow(): void {
    for (const worker of this.#workers.values()) worker.call('shipLogsNow').catch(() => undefined);
  }

  /** Applies a changed file; `take` activates it in this process. */
  async replaceConfig(config: Config, texts: ConfigTexts, take: () => void): Promise<void> {
    await this.#clusters.add(config.providers.values());
    this.#texts = texts;
    take();
    const all = [...this.#workers].map(([number, worker]) =>
      worker
        .call('replaceConfig', texts)
        .catch((err) =>
          this.options.logger.error(
            { err, worker: number },
            'a worker rejected the new configuration and keeps the old one',
          ),
        ),
    );
    await Promise.all(all);
    await this.#clusters.replace(config.providers.values());
  }

  /** Resolves once no worker has a request in flight and every log is on disk. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#ready.clear();
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
    await Promise.all(this.#keeping);
  }

  #spawn(number: number): { worker: WorkerProcess; started: Promise<void> } {
    const { configFile, count, role, logger } = this.options;
    const hangs = () => {
      this.#ready.delete(number);
      logger.error({ worker: number, pid: worker.pid }, 'a worker stopped responding and is terminated');
    };
    const worker = new WorkerProcess(configFile, { number, count, role }, hangs);
    this.#workers.set(number, worker);
    const started = worker.call('start', this.#texts).then(() => {
      if (!this.#stopping.signal.aborted) this.#ready.add(number);
    });
    // A failure at the start is reported to the caller; later failures by the worker's exit.
    started.catch(() => undefined);
    return { worker, started };
  }

  /** Restarts a worker whenever it exits. */
  async #keep(number: number, first: WorkerProcess): Promise<void> {
    const { logger } = this.options;
    const { signal } = this.#stopping;
    const backoff = new Backoff(FIRST_RESTART_MS, LONGEST_RESTART_MS, Math.random);
    for (let worker = first; ; worker = this.#spawn(number).worker) {
      const began = performance.now();
      const how = await worker.exited;
      this.#ready.delete(number);
      this.#workers.delete(number);
      if (signal.aborted) return;
      if (performance.now() - began > SOUND_MS) backoff.reset();
      logger.error({ worker: number, pid: worker.pid, how }, 'a worker exited and is restarted');
      await sleep(backoff.next(), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}
