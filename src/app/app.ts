import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createHealthServer } from '../admin/health-server.js';
import { createAdminServer } from '../admin/server.js';
import type { Config } from '../config/config.js';
import type { Environment } from '../config/environment.js';
import { systemClock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import { createDirectory, type LiveDirectory } from '../directory/directory.js';
import { generateApiKey } from '../directory/keys.js';
import { snapshotFile } from '../directory/snapshot.js';
import { tlsFailures } from '../envoy/envoy-state.js';
import { ENVOY_ADMIN_SOCKET } from '../envoy/names.js';
import { EndpointPlugins } from '../plugins/host/endpoint-plugins.js';
import type { PluginHost } from '../plugins/host/host.js';
import { connectStore, type Store } from '../store/store.js';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.js';
import { VERSION } from '../version.js';
import { endpointChecks } from './endpoint-checks.js';
import { Engine } from './engine.js';
import { checkGuards } from './guard-check.js';
import { Health } from './health.js';
import type { Role } from './role.js';
import { Upkeep } from './upkeep.js';

export interface AppOptions {
  role: Role;
  config: Config;
  environment: Environment;
  /** For the telemetry's own variables. */
  env: NodeJS.ProcessEnv;
  plugins: PluginHost;
  logger: Logger;
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
  readonly #store: Store;
  readonly #directory: LiveDirectory;
  #telemetry!: Telemetry;
  #health!: Health;
  /** Of the admin port: the admin API, or health and metrics alone. */
  #http!: FastifyInstance;
  /** Absent in an admin service. */
  #engine?: Engine;
  /** Absent in an engine. */
  #upkeep?: Upkeep;

  private constructor(private readonly options: AppOptions) {
    const { config, environment, plugins, logger } = options;
    this.#config = config;
    this.#plugins = plugins;
    this.#endpointPlugins = new EndpointPlugins(plugins);
    mkdirSync(this.#dataDirectory, { recursive: true, mode: 0o700 });
    const uri = environment.mongodbUri?.reveal() ?? 'mongodb://127.0.0.1:27017/sluice';
    this.#store = connectStore({
      uri,
      logger,
      searchesWords: (uid) => this.#directory.project(uid)?.search === 'words',
      traceWrite: (write, work) => this.#telemetry.traceWrite(write, work),
    });
    this.#directory = createDirectory({
      file: config,
      source: this.#store.directory,
      snapshot: snapshotFile(join(this.#dataDirectory, 'directory.json'), logger),
      logger,
    });
  }

  get #dataDirectory(): string {
    return resolve(this.options.environment.dataDirectory);
  }

  async #start(): Promise<void> {
    const { role, environment, logger } = this.options;
    if (role !== 'admin') this.#engine = await this.#openEngine();
    this.#telemetry = await this.#createTelemetry();
    this.#health = new Health({
      store: this.#store,
      directory: this.#directory,
      engine: this.#engine,
      dataDirectory: this.#dataDirectory,
      env: this.options.env,
    });
    this.#http = role === 'engine' ? createHealthServer(this.#operation()) : await this.#createAdmin();
    await this.#http.listen({ host: environment.adminHost, port: environment.adminPort });
    await this.#directory.start();
    if (role !== 'engine') this.#upkeep = Upkeep.start(this.#store, this.#directory, logger);
    await this.#engine?.start(this.#telemetry);
    this.#health.started = true;
  }

  #openEngine(): Promise<Engine> {
    return Engine.open({
      config: this.#config,
      plugins: this.#plugins,
      pluginsOf: (endpoint) => this.#endpointPlugins.of(endpoint),
      dataDirectory: this.#dataDirectory,
      directory: this.#directory,
      store: this.#store,
      logger: this.options.logger,
    });
  }

  #createTelemetry(): Promise<Telemetry> {
    const engine = this.#engine;
    const engineSources = engine && {
      spoolStats: () => engine.spoolStats(),
      requestsInFlight: () => engine.requestsInFlight(),
      tlsFailures: () => tlsFailures(join(this.#dataDirectory, ENVOY_ADMIN_SOCKET)),
    };
    const adminSources = { orphanCount: () => this.#store.feedback.orphanCount() };
    return createTelemetry({
      env: this.options.env,
      version: VERSION,
      directory: this.#directory,
      logger: this.options.logger,
      clockOffsetMs: () => this.#store.clockOffsetMs(),
      ...engineSources,
      ...(this.options.role === 'engine' ? {} : adminSources),
    });
  }

  /** What every role has on its port. */
  #operation() {
    return {
      health: () => this.#health.report(),
      metricsText: () => this.#telemetry.metricsText(),
      logger: this.options.logger,
      clock: systemClock,
    };
  }

  #createAdmin(): Promise<FastifyInstance> {
    return createAdminServer({
      ...this.#operation(),
      store: this.#store,
      directory: this.#directory,
      limits: () => this.#config.limits,
      plugins: () => this.#plugins.list(),
      generateKey: generateApiKey,
      fileEndpoints: (uid) => this.#config.projects.find((project) => project.uid === uid)?.endpoints ?? [],
      checkGuards: (endpoint, question) =>
        checkGuards(this.#plugins, this.#endpointPlugins.of(endpoint), endpoint.name, question),
      checkEndpoint: (endpoint) => endpointChecks(endpoint, this.#config, this.#plugins),
      dashboard: () => this.#config.dashboard,
      gatewayUrl: () => gatewayUrl(this.options.environment),
    });
  }

  /** Takes a changed file whole. */
  async replaceConfig(config: Config, plugins: PluginHost): Promise<void> {
    const take = () => {
      this.#config = config;
      this.#plugins = plugins;
      this.#endpointPlugins = new EndpointPlugins(plugins);
      this.#directory.replaceFile(config);
    };
    if (this.#engine === undefined) take();
    else await this.#engine.replaceConfig(config, plugins, take);
    this.options.logger.info({}, 'the changed configuration is in force');
  }

  /** Ends once no request is in flight and every log is on disk. */
  async stop(): Promise<void> {
    this.#health.started = false;
    await this.#engine?.stop();
    await this.#plugins.close();
    await this.#http.close();
    await this.#upkeep?.stop();
    await this.#directory.stop();
    await this.#store.close();
    await this.#telemetry.shutdown();
  }
}

/** A wildcard address is no place to call: the loopback one of its kind is. */
function gatewayUrl({ host, gatewayPort }: Environment): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${gatewayPort}`;
}
