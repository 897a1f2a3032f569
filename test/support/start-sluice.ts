import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { inject } from 'vitest';
import { renderEnvoyConfig } from '../../src/commands/envoy-config.js';
import type { EnvoyAdmin } from '../../src/envoy/envoy-admin.js';
import { enginePart, waitUntilReady } from '../../src/local/parts/engine.js';
import { envoyAdminOf, envoyPart } from '../../src/local/parts/envoy.js';
import { mongodUri } from '../../src/local/parts/mongod.js';
import { reservePort } from '../../src/local/ports.js';
import { type Child, describeExit, type Exit } from '../../src/local/processes/child.js';
import { lastOutput, type Part, startPart } from '../../src/local/processes/part.js';
import type { Role } from '../../src/process/role.js';
import { type EngineWords, remoteEngine } from './remote-engine.js';
import type { Way } from './ways.js';

export interface SluiceOptions {
  /** The complete text of sluice.yaml. */
  config: string;
  /** Further environment variables of the engine: providers' credentials, `OTEL_*`. */
  environment?: NodeJS.ProcessEnv;
  /** A database to use instead of a new one on the shared mongod. */
  mongodbUri?: string;
  /** An existing data directory to use instead of a new one. It is not removed by `stop`. */
  dataFolder?: string;
  /** The file for the engine's standard output, in place of `engine.log` in the data directory. */
  engineLogPath?: string;
  /** The `main.js` of another version. */
  program?: string;
  /** The role of the process; by default engine and admin. */
  role?: Role;
  /** Whether there is an Envoy. False for tests that need only engine and admin service. */
  envoy?: boolean;
  /** The control plane that configures the Envoy with our manifests, where one does. */
  way?: Way;
}

/** Tests end their requests themselves, so this is only for a test that fails. */
const DRAIN_MS = 60_000;

/** Why tests with real programs cannot run here, for `describe.skipIf`; null where they can. */
export const missingPrograms: string | null = inject('missing');

/** A running system of one test file: a real Envoy, the engine from `dist/`, and its own database. */
export class Sluice {
  readonly gatewayUrl: string;
  readonly adminUrl: string;
  readonly adminKey: string;
  readonly dataFolder: string;
  readonly configPath: string;
  readonly mongodbUri: string;
  /** The database of this system, for looking at what has landed. */
  readonly database: Db;
  readonly envoyAdmin: EnvoyAdmin;
  readonly engine: RestartablePart;
  /** The Envoy. Absent with `envoy: false`. */
  readonly envoy: RestartablePart;
  readonly #client: MongoClient;
  readonly #cleanups: (() => Promise<unknown>)[];

  constructor(setting: SluiceSetting) {
    this.gatewayUrl = setting.gatewayUrl;
    this.adminUrl = setting.adminUrl;
    this.adminKey = setting.adminKey;
    this.dataFolder = setting.dataFolder;
    this.configPath = setting.configPath;
    this.mongodbUri = setting.mongodbUri;
    this.envoyAdmin = envoyAdminOf(setting.dataFolder);
    this.engine = setting.engine;
    this.envoy = setting.envoy;
    this.#client = setting.client;
    this.database = setting.client.db();
    this.#cleanups = setting.cleanups;
  }

  /** Resolves once `/healthz/ready` is 200. */
  waitUntilReady(): Promise<void> {
    return waitUntilReady(this.adminUrl, AbortSignal.timeout(60_000));
  }

  /** What the engine has printed so far: one JSON object on each line. */
  engineLog(): Promise<string> {
    return readFile(join(this.dataFolder, 'engine.log'), 'utf8');
  }

  /** Replaces sluice.yaml; the engine notices by itself. */
  writeConfig(text: string): Promise<void> {
    return writeFile(this.configPath, text);
  }

  /** Drains Envoy, then ends Envoy and the engine, in the order of a production shutdown. */
  async drain(): Promise<Exit> {
    if (this.envoy.running) await this.envoyAdmin.drain(() => {}, DRAIN_MS);
    await this.envoy.stop();
    return this.engine.stop();
  }

  /** Ends everything that was started for this system, and removes its folder and database. A second call does nothing. */
  async stop(): Promise<void> {
    await this.envoy.stop();
    await this.engine.stop();
    for (const cleanup of this.#cleanups.splice(0)) await cleanup();
  }
}

/** Signals that no part ends by. At SIGHUP the engine reads its configuration. */
const LIVES_ON: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGHUP'];

/**
 * A part of the system that a test may end and start again. It reports when it dies by itself, because all later failures
 * follow from that.
 */
class RestartablePart {
  readonly #part: Part;
  #child: Child | undefined;
  #mayEnd = false;

  constructor(part: Part) {
    this.#part = part;
  }

  get running(): boolean {
    return this.#child?.running ?? false;
  }

  get pid(): number {
    if (this.#child === undefined) throw new Error(`${this.#part.name} was not started`);
    return this.#child.pid;
  }

  async start(): Promise<void> {
    const child = await startPart(this.#part);
    this.#child = child;
    this.#mayEnd = false;
    child.exited.then((exit) => {
      if (!this.#mayEnd) console.error(`${child.name} ${describeExit(exit)}. ${lastOutput(child, 100)}`);
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#mayEnd ||= !LIVES_ON.includes(name);
    this.#child?.signal(name);
  }

  async stop(): Promise<Exit> {
    this.#mayEnd = true;
    return (await this.#child?.stop(this.#part.stopPatienceMs)) ?? { code: null, signal: null };
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#child?.exited;
  }
}

type Environment = NodeJS.ProcessEnv & { SLUICE_DATA_DIR: string; SLUICE_GATEWAY_PORT: string };

interface SluiceSetting {
  gatewayUrl: string;
  adminUrl: string;
  adminKey: string;
  dataFolder: string;
  configPath: string;
  mongodbUri: string;
  engine: RestartablePart;
  envoy: RestartablePart;
  client: MongoClient;
  cleanups: (() => Promise<unknown>)[];
}

/** Starts a system and resolves once it can serve. It has its own ports, folder and database. */
export async function startSluice(options: SluiceOptions): Promise<Sluice> {
  const sluice = new Sluice(await prepare(options));
  try {
    await sluice.engine.start();
    if (options.envoy !== false) {
      await sluice.envoy.start();
      await sluice.waitUntilReady();
    }
    return sluice;
  } catch (error) {
    await sluice.stop();
    throw error;
  }
}

async function prepare(options: SluiceOptions): Promise<SluiceSetting> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-'));
  const [gateway, admin] = [await reservePort(), await reservePort()];
  const adminKey = `test-${randomUUID()}`;
  const mongodbUri = options.mongodbUri ?? mongodUri(sharedMongodPort(), `test-${randomUUID()}`);
  const configPath = join(folder, 'sluice.yaml');
  const dataFolder = options.dataFolder ?? join(folder, 'data');
  await mkdir(dataFolder, { recursive: true });
  const remote = options.way?.isRemote ? await remoteEngine(folder) : undefined;
  await writeFile(configPath, remote === undefined ? options.config : remote.listening(options.config));
  const environment: Environment = {
    ...process.env,
    ...options.environment,
    SLUICE_GATEWAY_PORT: String(gateway.port),
    SLUICE_ADMIN_PORT: String(admin.port),
    SLUICE_DATA_DIR: dataFolder,
    SLUICE_ADMIN_KEY: adminKey,
    MONGODB_URI: mongodbUri,
    ...(options.envoy === false ? {} : { SLUICE_WITH_ENVOY: '1' }),
  };
  const gatewayUrl = `http://127.0.0.1:${gateway.port}`;
  const adminUrl = `http://127.0.0.1:${admin.port}`;
  const shared = { configPath, environment, ownGroup: false, program: options.program };
  const client = new MongoClient(mongodbUri, { serverSelectionTimeoutMS: 5_000 });
  return {
    gatewayUrl,
    adminUrl,
    adminKey,
    dataFolder,
    configPath,
    mongodbUri,
    client,
    engine: new RestartablePart(
      enginePart({
        ...shared,
        adminUrl,
        role: options.role,
        logPath: options.engineLogPath ?? join(dataFolder, 'engine.log'),
      }),
    ),
    envoy: new RestartablePart(
      envoyPart({
        ...shared,
        binary: options.way?.binary ?? inject('envoyBinary') ?? 'envoy',
        // Renders Envoy's configuration in this process: a process for each Envoy would cost more than Envoy itself.
        // `npm start` uses a process, and so do its tests.
        render:
          options.program === undefined
            ? () => renderBootstrapOf(configPath, environment, options.way, remote?.words)
            : undefined,
        gatewayUrl,
        dataFolder,
        logPath: join(dataFolder, 'envoy.log'),
      }),
    ),
    cleanups: [
      () => (options.mongodbUri === undefined ? client.db().dropDatabase() : Promise.resolve()),
      () => client.close(),
      () => gateway.release(),
      () => admin.release(),
      async () => remote?.port.release(),
      () => rm(folder, { recursive: true, force: true }),
    ],
  };
}

async function renderBootstrapOf(
  config: string,
  environment: Environment,
  way?: Way,
  words: EngineWords = {},
): Promise<string> {
  // A control plane uses this as the name of its Gateway, or of a workload.
  const of = way === undefined ? {} : { for: way.mesh, name: 'edge' };
  const text = await renderEnvoyConfig({ config, ...of, ...words }, environment);
  if (text === undefined) throw new Error(`no bootstrap could be made of ${config}`);
  if (way === undefined) return text;
  const adminSocket = envoyAdminOf(environment.SLUICE_DATA_DIR).socketPath;
  return way.translate(text, { port: Number(environment.SLUICE_GATEWAY_PORT), adminSocket });
}

function sharedMongodPort(): number {
  const port = inject('mongodPort');
  if (port === null) throw new Error(`no mongod: ${missingPrograms}`);
  return port;
}
