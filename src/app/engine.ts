import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { systemClock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import { BodiesInFlight } from '../core/pacing/bodies-in-flight.js';
import { jsonValidationOf } from '../core/settings.js';
import type { LiveDirectory } from '../directory/directory.js';
import { waitingForEngines } from '../envoy/envoy-state.js';
import {
  CLUSTERS_FILE,
  CLUSTERS_FOLDER,
  chainRoute,
  ENVOY_ADMIN_SOCKET,
  engineSocket,
} from '../envoy/names.js';
import { ProviderClusters } from '../envoy/provider-clusters.js';
import { type EngineServer, type EngineServerOptions, startEngineServer } from '../extproc/server.js';
import { LogPhase } from '../pipeline/end/log-phase.js';
import type { Services } from '../pipeline/exchange/ports.js';
import type { PluginHost } from '../plugins/runtime/host.js';
import { AnswerCache } from '../policy/cache/answer-cache.js';
import { ProviderGates } from '../policy/concurrency/provider-gates.js';
import { fullness, type LimitFullness } from '../policy/limits/traffic-limits.js';
import { HttpProviderClient } from '../provider-client/provider-client.js';
import { Cooling } from '../routing/cooling.js';
import { commonFolderId, type OtherFolder, otherFolders } from '../spool/folder-id.js';
import { type Shipper, startShipper } from '../spool/shipper.js';
import { type FileSpool, openSpool } from '../spool/spool.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { createOutputValidation } from '../validation/create-output-validation.js';
import { LimitWebhooks } from './limit-webhook.js';
import { newLogId } from './log-ids.js';
import type { Storage } from './storage.js';
import { Traffic } from './traffic.js';

/** How long shipping continues after the last answer. The rest is shipped after the next start. */
const SHIP_DEADLINE_MS = 10_000;

/** Where the engine listens for Envoys of other machines. */
function listenOf({ listen }: Config['engine']): EngineServerOptions['listen'] {
  if (listen === undefined) return undefined;
  const { address, tls } = listen;
  const at = address.lastIndexOf(':');
  const files =
    tls === undefined || tls === 'none'
      ? undefined
      : { cert: tls.cert_file, key: tls.key_file, clientCa: tls.client_ca_file };
  return {
    host: address.slice(0, at).replace(/^\[|\]$/g, ''),
    port: Number(address.slice(at + 1)),
    tls: files,
  };
}

/** Whether an endpoint of the file validates outputs. */
function validatesOutputs({ projects }: Config): boolean {
  return projects.some(({ endpoints }) =>
    endpoints.some((endpoint) => jsonValidationOf(endpoint) !== undefined),
  );
}

/** The name of the spool folder of an engine without workers. */
const SINGLE = 'engine';

function isWorkerFolder(name: string): boolean {
  return name.startsWith(`${SINGLE}-`);
}

export interface EngineOptions {
  config: Config;
  plugins: PluginHost;
  /** Returns the plugins of an endpoint in the active configuration. */
  pluginsOf: Services['pluginsOf'];
  dataFolder: string;
  directory: LiveDirectory;
  storage: Pick<Storage, 'deliver' | 'unfinished' | 'store'>;
  logger: Logger;
  /** The number of this worker, where there are several. The main process writes the clusters file. */
  worker?: number;
}

/** Serves Envoy: ext_proc with the pipeline behind it, the file with the providers' clusters, and the spool of logs. */
export class Engine {
  #ready = false;
  #config: Config;
  #plugins: PluginHost;
  /** Absent in a worker. */
  readonly #clusters?: ProviderClusters;
  #spool!: FileSpool;
  /** Absent until the engine has started. */
  #shipper?: Shipper;
  #server?: EngineServer;
  #services!: Services;
  readonly #providers = new HttpProviderClient();
  #logPhase!: LogPhase;
  #traffic?: Traffic;

  /** Opens the spool and writes the providers' clusters for Envoy. Nothing is served yet. */
  static async open(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    const { worker } = options;
    await engine.#clusters?.replace(options.config.providers.values());
    engine.#spool = await openSpool({
      folder: join(options.dataFolder, 'spool'),
      worker: worker === undefined ? SINGLE : `${SINGLE}-${worker}`,
      settings: options.config.spool,
      logger: options.logger,
    });
    return engine;
  }

  private constructor(private readonly options: EngineOptions) {
    this.#config = options.config;
    this.#plugins = options.plugins;
    const { dataFolder: data, worker } = options;
    if (worker !== undefined) return;
    this.#clusters = new ProviderClusters(join(data, CLUSTERS_FOLDER, CLUSTERS_FILE), data);
  }

  get ready(): boolean {
    return this.#ready;
  }

  spoolStats() {
    return this.#spool.stats();
  }

  /** How full each limit is, for the caller who has used most of it. */
  limitFullness(): LimitFullness[] {
    return this.#traffic === undefined ? [] : fullness(this.#traffic.limits.ledger, systemClock.now());
  }

  /** Writes the logs that wait in the spool to MongoDB without waiting for a fuller batch. */
  shipLogsNow(): void {
    this.#shipper?.shipNow();
  }

  requestsInFlight(): number {
    return this.#server?.requestsInFlight() ?? 0;
  }

  requestsDropped(): number {
    return this.#server?.requestsDropped() ?? 0;
  }

  async start(telemetry: Telemetry): Promise<void> {
    const { storage, dataFolder, worker, logger, directory } = this.options;
    const { deliver, unfinished, store } = storage;
    const traffic = new Traffic({
      spool: this.#spool.own,
      former: await this.#formerParts(),
      ...(worker === undefined ? {} : { group: await commonFolderId(this.#spool.root) }),
      store,
      projects: () => directory.projects(),
      observer: new LimitWebhooks({
        webhookOf: (uid) => this.#config.projects.find((project) => project.uid === uid)?.limit_webhook,
        env: process.env,
        clock: systemClock,
        logger,
      }),
      logger,
    });
    this.#traffic = traffic;
    if (directory.projects().some(({ limits = [] }) => limits.length > 0)) await traffic.restore();
    this.#shipper = await startShipper({ spool: this.#spool, deliver });
    this.#services = this.#createServices(telemetry);
    this.#server = await startEngineServer({
      socketPath: join(dataFolder, engineSocket(worker)),
      services: this.#services,
      listen: listenOf(this.#config.engine),
      chainRoute: chainRoute(worker),
      waitingInEnvoy: () => waitingForEngines(join(dataFolder, ENVOY_ADMIN_SOCKET)),
    });
    // Only one of the workers looks for unfinished LOG phases.
    if (unfinished !== undefined && (worker === undefined || worker === 1)) this.#logPhase.watch(unfinished);
    this.#ready = true;
  }

  /**
   * The spool folders that this engine left when it had another number of workers. Folders of workers are for the
   * single process; the folder of a single process is for the first worker. Where one worker is gone and others
   * remain, they already share its counts by leases.
   */
  async #formerParts(): Promise<OtherFolder[]> {
    const { worker } = this.options;
    if (worker !== undefined && worker !== 1) return [];
    const others = await otherFolders(this.#spool.root, this.#spool.own.path);
    return worker === undefined ? others : others.filter(({ name }) => !isWorkerFolder(name));
  }

  #createServices(telemetry: Telemetry): Services {
    const { directory, pluginsOf, logger } = this.options;
    const plugins = () => this.#plugins;
    const services: Omit<Services, 'logPhase'> = {
      clock: systemClock,
      directory,
      sink: this.#spool,
      validation: createOutputValidation({
        schemaBytes: () => this.#config.limits.schema_bytes,
        warm: validatesOutputs(this.#config),
      }),
      get plugins() {
        return plugins();
      },
      pluginsOf,
      cooling: new Cooling(systemClock, ({ provider, model }, coolingMs) => {
        telemetry.observeCooling({ provider, model });
        logger.warn(
          { provider, model, cooling_ms: coolingMs },
          'a model keeps failing and is skipped for a while',
        );
      }),
      telemetry,
      traffic: this.#traffic!.limits,
      gates: new ProviderGates(),
      cache: new AnswerCache(systemClock),
      limits: () => this.#config.limits,
      bodies: new BodiesInFlight(() => this.#config.limits.bodies_in_flight_bytes),
      providers: this.#providers,
      newLogId,
      logger,
    };
    this.#logPhase = new LogPhase(services, this.#spool.own.id);
    return Object.assign(services, { logPhase: this.#logPhase });
  }

  /**
   * Applies a changed file. `take` makes it active in shared state. The clusters are written first, before requests
   * need them.
   */
  async replaceConfig(config: Config, plugins: PluginHost, take: () => void): Promise<void> {
    await this.#clusters?.add(config.providers.values());
    this.#config = config;
    this.#spool.configure(config.spool);
    this.#plugins = plugins;
    take();
    await this.#clusters?.replace(config.providers.values());
  }

  /** Resolves once no request is in flight and every log is on disk. */
  async stop(): Promise<void> {
    this.#ready = false;
    await this.#server?.drain();
    await this.#traffic?.stop();
    await this.#providers.close();
    await this.#logPhase.stop();
    await this.#services.validation.close();
    await this.#shipper?.drain(SHIP_DEADLINE_MS);
    await this.#shipper?.close();
    await this.#spool.close();
  }
}
