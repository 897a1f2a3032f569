import type { FastifyInstance } from 'fastify';
import type { AdminDependencies } from '../admin/dependencies.js';
import { gatewayUrlOf } from '../config/addresses.js';
import type { Environment } from '../config/environment.js';
import { systemClock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { LiveDirectory } from '../directory/directory.js';
import type { DirectoryFeed } from '../directory/feed/feed.js';
import { equalHashes, generateApiKey, hashKey } from '../directory/keys.js';
import type { CheckImprovement } from '../logs/improvement.js';
import { LogPhase } from '../pipeline/end/log-phase.js';
import type { Role } from '../process/role.js';
import type { Store } from '../store/store.js';
import { toOpenMetrics } from '../telemetry/metrics/open-metrics.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { ActiveConfiguration } from './active-configuration.js';
import { endpointChecks, limitChecks } from './endpoint-checks.js';
import { EngineLogIntake, sinkOf } from './engine-logs.js';
import { checkGuards } from './guard-check.js';
import { createPiiDetector } from './pii-detector.js';

export interface AdminPortOptions {
  role: Role;
  environment: Environment;
  logger: Logger;
  /** The active configuration. It is asked for with each request, because the file may change. */
  active(): ActiveConfiguration;
  /** MongoDB; absent in an engine that uses an admin service. */
  store?: Store;
  directory: LiveDirectory;
  /** The feed that engines on other machines follow. */
  feed: DirectoryFeed;
  checkImprovement: CheckImprovement;
  telemetry: Telemetry;
  health: AdminDependencies['health'];
  /** The metrics in Prometheus's text format 0.0.4, or with exemplars as OpenMetrics. */
  metricsText(exemplars: boolean): Promise<string>;
  /** Asks the engine of this process to write the logs that wait in its spool. */
  shipLogsNow(): void;
}

/** What a process serves on its admin port: the admin API, or health and metrics in an engine. */
export class AdminPort {
  readonly #server: FastifyInstance;
  /** Absent in an engine. */
  readonly #engineLogs?: EngineLogIntake;

  /** Resolves when the port is open. */
  static async open(options: AdminPortOptions): Promise<AdminPort> {
    const { role, environment, store } = options;
    const engineLogs = role === 'engine' ? undefined : createEngineLogs(options, store!);
    const server = await (engineLogs === undefined
      ? createHealth(options)
      : createAdmin(options, store!, engineLogs));
    await server.listen({ host: environment.adminHost, port: environment.adminPort });
    return new AdminPort(server, engineLogs);
  }

  private constructor(server: FastifyInstance, engineLogs: EngineLogIntake | undefined) {
    this.#server = server;
    this.#engineLogs = engineLogs;
  }

  /** Resolves once no call is in progress. */
  async close(): Promise<void> {
    await this.#server.close();
    await this.#engineLogs?.stop();
  }
}

/** The code of the admin API is not loaded in an engine. */
async function createHealth(options: AdminPortOptions): Promise<FastifyInstance> {
  const { createHealthServer } = await import('../admin/health-server.js');
  return createHealthServer(operationOf(options));
}

async function createAdmin(
  options: AdminPortOptions,
  store: Store,
  engineLogs: EngineLogIntake,
): Promise<FastifyInstance> {
  const { createAdminServer } = await import('../admin/server.js');
  const { environment, directory, feed, active } = options;
  return createAdminServer({
    ...operationOf(options),
    store,
    directory,
    limits: () => active().config.limits,
    plugins: () => active().plugins.list(),
    providers: () =>
      [...active().config.providers.values()].map(({ name, api, base_url, prices }) => ({
        name,
        api,
        base_url,
        models: Object.keys(prices),
      })),
    generateKey: generateApiKey,
    fileEndpoints: (uid) => active().config.projects.find((project) => project.uid === uid)?.endpoints ?? [],
    checkGuards: (endpoint, question) => {
      const { plugins, pluginsOf } = active();
      return checkGuards(plugins, pluginsOf(endpoint), endpoint.name, question);
    },
    checkImprovement: options.checkImprovement,
    piiDetector: createPiiDetector(),
    checkEndpoint(endpoint, projectUid) {
      const { config, plugins } = active();
      return endpointChecks(endpoint, config, plugins, directory.project(projectUid));
    },
    checkLimits: (limits, project) => limitChecks(limits, project, active().config),
    dashboard: () => active().config.dashboard,
    gatewayUrl: () => gatewayUrlOf(environment),
    trustedProxies: environment.trustedProxies,
    engineFeed: {
      isKey: (text) => isEngineKey(text, active()),
      follow: (known, send) => feed.follow(known, send),
    },
    engineLogs,
    shipLogsNow: options.shipLogsNow,
  });
}

/** The routes that every role serves on this port. */
function operationOf({ health, metricsText, logger }: AdminPortOptions) {
  return {
    health,
    metricsText: async (openMetrics: boolean) => {
      const text = await metricsText(openMetrics);
      return openMetrics ? toOpenMetrics(text) : text;
    },
    logger,
    clock: systemClock,
  };
}

/** An engine in this process resumes unfinished LOG phases itself. */
function createEngineLogs(options: AdminPortOptions, store: Store): EngineLogIntake {
  const { role, directory, active, telemetry, logger } = options;
  if (role !== 'admin') return new EngineLogIntake(store);
  const logPhase = new LogPhase({
    clock: systemClock,
    directory,
    sink: sinkOf(store.logs),
    get plugins() {
      return active().plugins;
    },
    pluginsOf: (endpoint) => active().pluginsOf(endpoint),
    telemetry,
    logger,
  });
  return new EngineLogIntake(store, logPhase);
}

function isEngineKey(text: string, { config }: ActiveConfiguration): boolean {
  const { key } = config.directory;
  return key !== undefined && equalHashes(hashKey(key.reveal()), hashKey(text));
}
