import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mongodbUriOf } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import type { Environment } from '../config/environment.js';
import type { ConfigTexts } from '../config/read.js';
import { systemClock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import { createDirectory, type LiveDirectory } from '../directory/directory.js';
import { DirectoryFeed } from '../directory/feed/feed.js';
import { type SnapshotFile, snapshotFile } from '../directory/snapshot.js';
import { tlsFailures } from '../envoy/envoy-state.js';
import { ENVOY_ADMIN_SOCKET } from '../envoy/names.js';
import { EndpointPlugins } from '../plugins/runtime/endpoint-plugins.js';
import type { PluginHost } from '../plugins/runtime/host.js';
import { scanPool } from '../plugins/text-guard/scan-pool.js';
import type { Role } from '../process/role.js';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.js';
import { VERSION } from '../version.js';
import type { ActiveConfiguration } from './active-configuration.js';
import { AdminPort } from './admin-port.js';
import { Engine } from './engine.js';
import { Health, type RefusedConfig } from './health.js';
import { ImprovementCheck } from './improvement-check.js';
import { openStorage, type Storage } from './storage.js';
import { Upkeep } from './upkeep.js';
import { workerCount } from './workers/count.js';
import { shareOf, type WorkerPlace } from './workers/place.js';
import { WorkerPool } from './workers/worker-pool.js';

export interface AppOptions {
  role: Role;
  config: Config;
  /** The files that the configuration was read from, with their texts. */
  source: { file: string; texts: ConfigTexts };
  environment: Environment;
  /** The environment variables, for telemetry (OTEL_*). */
  env: NodeJS.ProcessEnv;
  plugins: PluginHost;
  logger: Logger;
  /** Which worker this process is, where it is one. The main process serves the admin port. */
  worker?: WorkerPlace;
}

/** The parts of one process that its role needs. This is the only place that creates them and connects them. */
export class App {
  static async start(options: AppOptions): Promise<App> {
    const app = new App(options);
    await app.#start();
    return app;
  }

  #active: ActiveConfiguration;
  readonly #storage: Storage;
  readonly #directory: LiveDirectory;
  /** The feed that engines on other machines follow. */
  readonly #feed = new DirectoryFeed();
  readonly #improvements = new ImprovementCheck(() => this.#active.config.limits.schema_bytes);
  #telemetry!: Telemetry;
  #health!: Health;
  /** Absent in a worker. */
  #adminPort?: AdminPort;
  /** Absent in an admin service, and in the main process of an engine with workers. */
  #engine?: Engine;
  /** The engine's workers, where there are several. */
  #workers?: WorkerPool;
  /** Absent in an engine. */
  #upkeep?: Upkeep;
  /** The changed file on disk, while it has mistakes and is therefore not used. */
  #refused?: RefusedConfig;

  private constructor(private readonly options: AppOptions) {
    const { environment, plugins, logger, role, worker } = options;
    const config = this.#shareOf(options.config);
    if (worker !== undefined) scanPool.shareWith(worker.count);
    this.#active = activeConfiguration(config, plugins);
    mkdirSync(this.#dataFolder, { recursive: true, mode: 0o700 });
    this.#storage = openStorage({
      role: worker?.role ?? role,
      config,
      key: () => this.#active.config.directory.key,
      uri: mongodbUriOf(environment),
      logger,
      checkImprovement: this.#improvements.check,
      searchesWords: (uid) => this.#directory.project(uid)?.search === 'words',
      traceWrite: (write, work) => this.#telemetry.traceWrite(write, work),
    });
    this.#directory = createDirectory({
      file: config,
      source: this.#storage.directory,
      snapshot: this.#snapshot(),
      onStored: (stored) => this.#feed.replace(stored),
      onStale: (since) => this.#feed.stale(since),
      logger,
    });
  }

  #shareOf(config: Config): Config {
    const { worker } = this.options;
    return worker === undefined ? config : shareOf(config, worker);
  }

  /** The snapshot of the directory on disk. The main process writes it for its workers too. */
  #snapshot(): SnapshotFile {
    const file = snapshotFile(join(this.#dataFolder, 'directory.json'), this.options.logger);
    return this.options.worker === undefined ? file : { ...file, write: async () => undefined };
  }

  get #dataFolder(): string {
    return resolve(this.options.environment.dataFolder);
  }

  async #start(): Promise<void> {
    const { role, logger, worker } = this.options;
    if (role !== 'admin') await this.#openEngine();
    this.#telemetry = await this.#createTelemetry();
    this.#health = new Health({
      pings: this.#storage.pings,
      directory: this.#directory,
      engine: this.#workers ?? this.#engine,
      dataFolder: this.#dataFolder,
      env: this.options.env,
      refused: () => this.#refused,
    });
    if (worker === undefined) this.#adminPort = await this.#openAdminPort();
    await this.#directory.start();
    if (role !== 'engine') this.#upkeep = Upkeep.start(this.#storage.store!, this.#directory, logger);
    await this.#engine?.start(this.#telemetry);
    await this.#workers?.start();
    this.#health.started = true;
  }

  async #openEngine(): Promise<void> {
    const { logger, role, source, worker } = this.options;
    const common = { config: this.#active.config, dataFolder: this.#dataFolder, logger };
    const count = workerCount(this.#active.config.engine);
    if (worker === undefined && count > 1) {
      const { file: configFile, texts } = source;
      this.#workers = await WorkerPool.open({ ...common, count, role, configFile, texts });
      return;
    }
    this.#engine = await Engine.open({
      ...common,
      plugins: this.#active.plugins,
      pluginsOf: (endpoint) => this.#active.pluginsOf(endpoint),
      directory: this.#directory,
      storage: this.#storage,
      worker: worker?.number,
    });
  }

  #createTelemetry(): Promise<Telemetry> {
    const { role, worker } = this.options;
    const { store } = this.#storage;
    const engine = this.#engine;
    const engineSources = engine && {
      spoolStats: () => engine.spoolStats(),
      requestsInFlight: () => engine.requestsInFlight(),
      requestsDropped: () => engine.requestsDropped(),
      limitFullness: () => engine.limitFullness(),
    };
    const directoryAgeMs = () => {
      const { staleSince } = this.#directory.state();
      return staleSince === undefined ? 0 : Math.max(0, systemClock.now() - staleSince);
    };
    // The sources of metrics that exist once, however many workers there are.
    const machineSources = {
      ...(store === undefined ? {} : { clockOffsetMs: () => store.clockOffsetMs() }),
      ...(role === 'admin'
        ? {}
        : { tlsFailures: () => tlsFailures(join(this.#dataFolder, ENVOY_ADMIN_SOCKET)) }),
    };
    // A process with an admin API connects to MongoDB itself.
    const adminSources = { orphanCount: () => store!.feedback.orphanCount() };
    return createTelemetry({
      env: this.options.env,
      version: VERSION,
      directory: this.#directory,
      directoryAgeMs,
      logger: this.options.logger,
      ...engineSources,
      ...(worker === undefined
        ? { ...machineSources, configurationRefused: () => this.#refused !== undefined }
        : {}),
      ...(role === 'engine' ? {} : adminSources),
    });
  }

  #openAdminPort(): Promise<AdminPort> {
    const { role, environment, logger } = this.options;
    return AdminPort.open({
      role,
      environment,
      logger,
      active: () => this.#active,
      store: this.#storage.store,
      directory: this.#directory,
      feed: this.#feed,
      checkImprovement: this.#improvements.check,
      telemetry: this.#telemetry,
      health: () => this.#health.report(),
      metricsText: (exemplars) => this.metricsText(exemplars),
      shipLogsNow: () => this.shipLogsNow(),
    });
  }

  /** Called when somebody reads a log that may still wait in the spool. */
  shipLogsNow(): void {
    (this.#workers ?? this.#engine)?.shipLogsNow();
  }

  /** Metrics of this process and its workers, in Prometheus' text format 0.0.4 or as OpenMetrics with exemplars. */
  async metricsText(exemplars: boolean): Promise<string> {
    const own = await this.#telemetry.metricsText(exemplars);
    return this.#workers?.metricsText(own, exemplars) ?? own;
  }

  /** Called when a changed file has mistakes. The earlier configuration stays active. */
  refuseConfig(mistakes: number): void {
    this.#refused = { mistakes, at: new Date(systemClock.now()) };
  }

  /** Applies all of a changed file. `texts` are the texts that it was read from. */
  async replaceConfig(changed: Config, plugins: PluginHost, texts: ConfigTexts): Promise<void> {
    this.#refused = undefined;
    const config = this.#shareOf(changed);
    if (workerCount(config.engine) !== workerCount(this.#active.config.engine)) {
      this.options.logger.warn({}, 'a changed engine.workers needs a restart of the engine and of Envoy');
    }
    if (this.options.role === 'engine') this.#warnAboutRestart(config);
    const take = () => {
      this.#active = activeConfiguration(config, plugins);
      this.#directory.replaceFile(config);
    };
    if (this.#workers !== undefined) await this.#workers.replaceConfig(config, texts, take);
    else if (this.#engine !== undefined) await this.#engine.replaceConfig(config, plugins, take);
    else take();
    this.options.logger.info({}, 'the changed configuration is active');
  }

  #warnAboutRestart({ directory, logs }: Config): void {
    const { logger } = this.options;
    const { config } = this.#active;
    if (directory.from !== config.directory.from) {
      logger.warn({}, 'a changed directory.from needs a restart of the engine');
    }
    if (logs.to !== config.logs.to) {
      logger.warn({}, 'a changed logs.to needs a restart of the engine');
    }
  }

  /** Resolves once no request is in flight and every log is on disk. */
  async stop(): Promise<void> {
    this.#health.started = false;
    await (this.#workers ?? this.#engine)?.stop();
    await this.#adminPort?.close();
    // The plugins are closed after the admin port, which checks guards with them.
    await this.#active.plugins.close();
    await this.#upkeep?.stop();
    await this.#improvements.close();
    await this.#directory.stop();
    await this.#storage.close();
    await this.#telemetry.shutdown();
  }
}

function activeConfiguration(config: Config, plugins: PluginHost): ActiveConfiguration {
  const endpointPlugins = new EndpointPlugins(plugins);
  return { config, plugins, pluginsOf: (endpoint) => endpointPlugins.of(endpoint) };
}
