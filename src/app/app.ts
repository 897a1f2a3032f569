import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { v7 as newLogId } from 'uuid';
import { createAdminServer } from '../admin/server.js';
import type { Config } from '../config/config.js';
import type { Environment } from '../config/environment.js';
import { BodiesInFlight } from '../core/bodies-in-flight.js';
import { systemClock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import { createDirectory, type LiveDirectory } from '../directory/directory.js';
import { generateApiKey } from '../directory/keys.js';
import { snapshotFile } from '../directory/snapshot.js';
import { CLUSTERS_DIRECTORY, CLUSTERS_FILE, ENGINE_SOCKET } from '../envoy/names.js';
import { ProviderClusters } from '../envoy/provider-clusters.js';
import { type EngineServer, startEngineServer } from '../extproc/server.js';
import { LogPhase } from '../pipeline/end/log-phase.js';
import type { Services } from '../pipeline/ports.js';
import { EndpointPlugins } from '../plugins/host/endpoint-plugins.js';
import type { PluginHost } from '../plugins/host/host.js';
import { Cooling } from '../routing/cooling.js';
import { type Shipper, startShipper } from '../spool/shipper.js';
import { type FileSpool, openSpool } from '../spool/spool.js';
import { connectStore, type Store } from '../store/store.js';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.js';
import { createOutputValidation } from '../validation/create-output-validation.js';
import { VERSION } from '../version.js';
import { endpointChecks } from './endpoint-checks.js';
import { checkGuards } from './guard-check.js';
import { Health } from './health.js';

export interface AppOptions {
  config: Config;
  environment: Environment;
  /** For the telemetry's own variables. */
  env: NodeJS.ProcessEnv;
  plugins: PluginHost;
  logger: Logger;
}

/** How long shipping goes on after the last answer; what is left is shipped after the next start. */
const SHIP_DEADLINE_MS = 10_000;

/** The engine and the admin service of one process. This is the only place that builds the parts and joins them. */
export class App {
  static async start(options: AppOptions): Promise<App> {
    const app = new App(options);
    await app.#start();
    return app;
  }

  readonly #logger: Logger;
  readonly #environment: Environment;
  #plugins: PluginHost;
  #config: Config;
  #endpointPlugins: EndpointPlugins;
  readonly #store: Store;
  readonly #directory: LiveDirectory;
  readonly #clusters: ProviderClusters;
  readonly #health: Health;
  #telemetry!: Telemetry;
  #spool!: FileSpool;
  #shipper!: Shipper;
  #engine!: EngineServer;
  #admin!: FastifyInstance;
  #services!: Services;
  #logPhase!: LogPhase;
  #maintenance!: ReturnType<Store['maintain']>;

  private constructor(private readonly options: AppOptions) {
    const { config, environment, plugins, logger } = options;
    this.#config = config;
    this.#environment = environment;
    this.#plugins = plugins;
    this.#endpointPlugins = new EndpointPlugins(plugins);
    this.#logger = logger;
    const data = this.#dataDirectory;
    mkdirSync(data, { recursive: true, mode: 0o700 });
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
      snapshot: snapshotFile(join(data, 'directory.json'), logger),
      logger,
    });
    this.#clusters = new ProviderClusters(join(data, CLUSTERS_DIRECTORY, CLUSTERS_FILE), data);
    this.#health = new Health(this.#store, this.#directory, data, options.env);
  }

  get #dataDirectory(): string {
    return resolve(this.#environment.dataDirectory);
  }

  async #start(): Promise<void> {
    const { config, env } = this.options;
    await this.#clusters.replace(config.providers.values());
    this.#spool = await openSpool({
      directory: join(this.#dataDirectory, 'spool'),
      worker: 'engine',
      settings: config.spool,
      logger: this.#logger,
    });
    this.#telemetry = await createTelemetry({
      env,
      version: VERSION,
      directory: this.#directory,
      logger: this.#logger,
      spoolStats: () => this.#spool.stats(),
      orphanCount: () => this.#store.feedback.orphanCount(),
    });
    this.#admin = await this.#createAdmin();
    await this.#admin.listen({ host: this.#environment.host, port: this.#environment.adminPort });
    await this.#directory.start();
    this.#shipper = await startShipper({ spool: this.#spool, store: this.#store.logs });
    void this.#ensureIndexes();
    this.#maintenance = this.#store.maintain(() => this.#retentionRules());
    this.#services = this.#createServices();
    this.#engine = await startEngineServer({
      socketPath: join(this.#dataDirectory, ENGINE_SOCKET),
      services: this.#services,
    });
    this.#logPhase.watch(this.#store.logs);
    this.#health.engineReady = true;
  }

  #createServices(): Services {
    const plugins = () => this.#plugins;
    const services: Omit<Services, 'logPhase'> = {
      clock: systemClock,
      directory: this.#directory,
      sink: this.#spool,
      validation: createOutputValidation({ schemaBytes: () => this.#config.limits.schema_bytes }),
      get plugins() {
        return plugins();
      },
      pluginsOf: (endpoint) => this.#endpointPlugins.of(endpoint),
      cooling: new Cooling(systemClock, ({ provider, model }, coolingMs) => {
        this.#telemetry.observeCooling({ provider, model });
        this.#logger.warn(
          { provider, model, cooling_ms: coolingMs },
          'a model keeps failing and is left out for a while',
        );
      }),
      telemetry: this.#telemetry,
      limits: () => this.#config.limits,
      bodies: new BodiesInFlight(() => this.#config.limits.bodies_in_flight_bytes),
      newLogId,
      logger: this.#logger,
    };
    this.#logPhase = new LogPhase(services);
    return Object.assign(services, { logPhase: this.#logPhase });
  }

  #createAdmin(): Promise<FastifyInstance> {
    return createAdminServer({
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
      gatewayUrl: () => gatewayUrl(this.#environment),
      health: () => this.#health.report(),
      metricsText: () => this.#telemetry.metricsText(),
      logger: this.#logger,
      clock: systemClock,
    });
  }

  /** Takes a changed file whole. Clusters come before the requests that need them. */
  async replaceConfig(config: Config, plugins: PluginHost): Promise<void> {
    await this.#clusters.add(config.providers.values());
    this.#config = config;
    this.#spool.configure(config.spool);
    this.#plugins = plugins;
    this.#endpointPlugins = new EndpointPlugins(plugins);
    this.#directory.replaceFile(config);
    await this.#clusters.replace(config.providers.values());
    this.#logger.info({}, 'the changed configuration is in force');
  }

  /** Ends once no request is in flight and every log is on disk. */
  async stop(): Promise<void> {
    this.#health.engineReady = false;
    await this.#engine.drain();
    await this.#logPhase.stop();
    await this.#services.validation.close();
    await this.#plugins.close();
    await this.#shipper.drain(SHIP_DEADLINE_MS);
    await this.#shipper.close();
    await this.#spool.close();
    await this.#admin.close();
    await this.#maintenance.stop();
    await this.#directory.stop();
    await this.#store.close();
    await this.#telemetry.shutdown();
  }

  #retentionRules() {
    return this.#directory
      .projects()
      .flatMap(({ uid, retention_days: days }) => (days === undefined ? [] : [{ project_uid: uid, days }]));
  }

  /** MongoDB may come later than we do. */
  async #ensureIndexes(): Promise<void> {
    for (;;) {
      try {
        await this.#store.ensureIndexes();
        return;
      } catch (err) {
        this.#logger.warn({ err }, 'indexes cannot be made yet');
        await new Promise((resume) => setTimeout(resume, 5_000).unref());
      }
    }
  }
}

/** A wildcard address is no place to call: the loopback one of its kind is. */
function gatewayUrl({ host, gatewayPort }: Environment): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${gatewayPort}`;
}
