import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { gatewayUrlOf, mongodbUriOf } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import type { Environment } from '../config/environment.js';
import type { ConfigTexts } from '../config/read.js';
import { systemClock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import { createDirectory, type LiveDirectory } from '../directory/directory.js';
import { DirectoryFeed } from '../directory/feed/feed.js';
import { equalHashes, generateApiKey, hashKey } from '../directory/keys.js';
import { type SnapshotFile, snapshotFile } from '../directory/snapshot.js';
import { tlsFailures } from '../envoy/envoy-state.js';
import { ENVOY_ADMIN_SOCKET } from '../envoy/names.js';
import { LogPhase } from '../pipeline/end/log-phase.js';
import { EndpointPlugins } from '../plugins/host/endpoint-plugins.js';
import type { PluginHost } from '../plugins/host/host.js';
import type { Store } from '../store/store.js';
import { toOpenMetrics } from '../telemetry/metrics/open-metrics.js';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.js';
import { VERSION } from '../version.js';
import { endpointChecks } from './endpoint-checks.js';
import { Engine } from './engine.js';
import { EngineLogIntake, sinkOf } from './engine-logs.js';
import { checkGuards } from './guard-check.js';
import { Health } from './health.js';
import type { Role } from './role.js';
import { openStorage, type Storage } from './storage.js';
import { Upkeep } from './upkeep.js';
import { workerCount } from './workers/count.js';
import { shareOf, type WorkerPlace } from './workers/place.js';
import { WorkerPool } from './workers/worker-pool.js';

export interface AppOptions {
  role: Role;
  config: Config;
  /** What the configuration was read from. */
  source: { file: string; texts: ConfigTexts };
  environment: Environment;
  /** For the telemetry's own variables. */
  env: NodeJS.ProcessEnv;
  plugins: PluginHost;
  logger: Logger;
  /** Which worker of an engine this process is, where it is one. Its port is the main process's. */
  worker?: WorkerPlace;
}

/** The parts of one process, as its role asks for. This is the only place that builds them and joins them. */
export class App {
  static async start(options: AppOptions): Promise<App> {
    const app = new App(options);
    await app.#start();
    return app;
  }

  #plugins: PluginHost;
  #endpointPlugins: EndpointPlugins;
  #config: Config;
  readonly #storage: Storage;
  readonly #directory: LiveDirectory;
  /** What engines elsewhere follow. */
  readonly #feed = new DirectoryFeed();
  #telemetry!: Telemetry;
  #health!: Health;
  /** Of the admin port: the admin API, or health and metrics alone. Absent in a worker. */
  #http?: FastifyInstance;
  /** Absent in an admin service, and where workers serve. */
  #engine?: Engine;
  /** The engine's workers, where there are several. */
  #workers?: WorkerPool;
  /** Absent in an engine. */
  #upkeep?: Upkeep;
  /** Absent in an engine. */
  #engineLogs?: EngineLogIntake;

  private constructor(private readonly options: AppOptions) {
    const { environment, plugins, logger, role, worker } = options;
    const config = this.#shareOf(options.config);
    this.#config = config;
    this.#plugins = plugins;
    this.#endpointPlugins = new EndpointPlugins(plugins);
    mkdirSync(this.#dataDirectory, { recursive: true, mode: 0o700 });
    this.#storage = openStorage({
      role: worker?.role ?? role,
      config,
      key: () => this.#config.directory.key,
      uri: mongodbUriOf(environment),
      logger,
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

  /** The main process keeps it for its workers, too. */
  #snapshot(): SnapshotFile {
    const file = snapshotFile(join(this.#dataDirectory, 'directory.json'), this.options.logger);
    return this.options.worker === undefined ? file : { ...file, write: async () => undefined };
  }

  get #dataDirectory(): string {
    return resolve(this.options.environment.dataDirectory);
  }

  async #start(): Promise<void> {
    const { role, logger, worker } = this.options;
    if (role !== 'admin') await this.#openEngine();
    this.#telemetry = await this.#createTelemetry();
    this.#health = new Health({
      pings: this.#storage.pings,
      directory: this.#directory,
      engine: this.#workers ?? this.#engine,
      dataDirectory: this.#dataDirectory,
      env: this.options.env,
    });
    if (worker === undefined) await this.#listen();
    await this.#directory.start();
    if (role !== 'engine') this.#upkeep = Upkeep.start(this.#store, this.#directory, logger);
    await this.#engine?.start(this.#telemetry);
    await this.#workers?.start();
    this.#health.started = true;
  }

  async #listen(): Promise<void> {
    const { role, environment } = this.options;
    this.#http = role === 'engine' ? await this.#createHealth() : await this.#createAdmin();
    await this.#http.listen({ host: environment.adminHost, port: environment.adminPort });
  }

  async #openEngine(): Promise<void> {
    const { logger, role, source, worker } = this.options;
    const common = { config: this.#config, dataDirectory: this.#dataDirectory, logger };
    const count = workerCount(this.#config.engine);
    if (worker === undefined && count > 1) {
      const { file: configFile, texts } = source;
      this.#workers = await WorkerPool.open({ ...common, count, role, configFile, texts });
      return;
    }
    this.#engine = await Engine.open({
      ...common,
      plugins: this.#plugins,
      pluginsOf: (endpoint) => this.#endpointPlugins.of(endpoint),
      directory: this.#directory,
      storage: this.#storage,
      worker: worker?.number,
    });
  }

  /** Every process has it but an engine that has an admin service instead. */
  get #store(): Store {
    return this.#storage.store!;
  }

  #createTelemetry(): Promise<Telemetry> {
    const { role, worker } = this.options;
    const { store } = this.#storage;
    const engine = this.#engine;
    const engineSources = engine && {
      spoolStats: () => engine.spoolStats(),
      requestsInFlight: () => engine.requestsInFlight(),
    };
    const directoryAgeMs = () => {
      const { staleSince } = this.#directory.state();
      return staleSince === undefined ? 0 : Math.max(0, systemClock.now() - staleSince);
    };
    // What there is one of, whatever the number of workers.
    const machineSources = {
      ...(store === undefined ? {} : { clockOffsetMs: () => store.clockOffsetMs() }),
      ...(role === 'admin'
        ? {}
        : { tlsFailures: () => tlsFailures(join(this.#dataDirectory, ENVOY_ADMIN_SOCKET)) }),
    };
    const adminSources = { orphanCount: () => this.#store.feedback.orphanCount() };
    return createTelemetry({
      env: this.options.env,
      version: VERSION,
      directory: this.#directory,
      directoryAgeMs,
      logger: this.options.logger,
      ...engineSources,
      ...(worker === undefined ? machineSources : {}),
      ...(role === 'engine' ? {} : adminSources),
    });
  }

  /** What every role has on its port. */
  #operation() {
    return {
      health: () => this.#health.report(),
      metricsText: async (openMetrics: boolean) => {
        const text = await this.metricsText(openMetrics);
        return openMetrics ? toOpenMetrics(text) : text;
      },
      logger: this.options.logger,
      clock: systemClock,
    };
  }

  /** An engine, and each worker of one, does without the code of the admin API. */
  async #createHealth(): Promise<FastifyInstance> {
    const { createHealthServer } = await import('../admin/health-server.js');
    return createHealthServer(this.#operation());
  }

  async #createAdmin(): Promise<FastifyInstance> {
    const { createAdminServer } = await import('../admin/server.js');
    const store = this.#store;
    this.#engineLogs = this.#createEngineLogs(store);
    return createAdminServer({
      ...this.#operation(),
      store,
      directory: this.#directory,
      limits: () => this.#config.limits,
      plugins: () => this.#plugins.list(),
      generateKey: generateApiKey,
      fileEndpoints: (uid) => this.#config.projects.find((project) => project.uid === uid)?.endpoints ?? [],
      checkGuards: (endpoint, question) =>
        checkGuards(this.#plugins, this.#endpointPlugins.of(endpoint), endpoint.name, question),
      checkEndpoint: (endpoint) => endpointChecks(endpoint, this.#config, this.#plugins),
      dashboard: () => this.#config.dashboard,
      gatewayUrl: () => gatewayUrlOf(this.options.environment),
      engineFeed: {
        isKey: (text) => this.#isEngineKey(text),
        follow: (known, send) => this.#feed.follow(known, send),
      },
      engineLogs: this.#engineLogs,
    });
  }

  #createEngineLogs(store: Store): EngineLogIntake {
    if (this.options.role !== 'admin') return new EngineLogIntake(store);
    const plugins = () => this.#plugins;
    const logPhase = new LogPhase({
      clock: systemClock,
      directory: this.#directory,
      sink: sinkOf(store.logs),
      get plugins() {
        return plugins();
      },
      pluginsOf: (endpoint) => this.#endpointPlugins.of(endpoint),
      telemetry: this.#telemetry,
      logger: this.options.logger,
    });
    return new EngineLogIntake(store, logPhase);
  }

  #isEngineKey(text: string): boolean {
    const { key } = this.#config.directory;
    return key !== undefined && equalHashes(hashKey(key.reveal()), hashKey(text));
  }

  /** Of this process and its workers, in Prometheus' text format 0.0.4, and with exemplars where they are wanted. */
  async metricsText(exemplars: boolean): Promise<string> {
    const own = await this.#telemetry.metricsText(exemplars);
    return this.#workers?.metricsText(own, exemplars) ?? own;
  }

  /** Takes a changed file whole. `texts` are what it was read from. */
  async replaceConfig(changed: Config, plugins: PluginHost, texts: ConfigTexts): Promise<void> {
    const config = this.#shareOf(changed);
    if (workerCount(config.engine) !== workerCount(this.#config.engine)) {
      this.options.logger.warn({}, 'a changed engine.workers takes a new start of the engine and of Envoy');
    }
    if (this.options.role === 'engine') this.#tellWhatTakesANewStart(config);
    const take = () => {
      this.#config = config;
      this.#plugins = plugins;
      this.#endpointPlugins = new EndpointPlugins(plugins);
      this.#directory.replaceFile(config);
    };
    if (this.#workers !== undefined) await this.#workers.replaceConfig(config, texts, take);
    else if (this.#engine !== undefined) await this.#engine.replaceConfig(config, plugins, take);
    else take();
    this.options.logger.info({}, 'the changed configuration is in force');
  }

  #tellWhatTakesANewStart({ directory, logs }: Config): void {
    const { logger } = this.options;
    if (directory.from !== this.#config.directory.from) {
      logger.warn({}, 'a changed directory.from takes a new start of the engine');
    }
    if (logs.to !== this.#config.logs.to) {
      logger.warn({}, 'a changed logs.to takes a new start of the engine');
    }
  }

  /** Ends once no request is in flight and every log is on disk. */
  async stop(): Promise<void> {
    this.#health.started = false;
    await (this.#workers ?? this.#engine)?.stop();
    await this.#plugins.close();
    await this.#http?.close();
    await this.#engineLogs?.stop();
    await this.#upkeep?.stop();
    await this.#directory.stop();
    await this.#storage.close();
    await this.#telemetry.shutdown();
  }
}
