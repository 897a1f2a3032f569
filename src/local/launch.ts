import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { urlOf } from '../config/addresses.js';
import { findProgram } from './binaries/binaries.js';
import { ENVOY, MONGOD } from './binaries/programs.js';
import { keepAdminKey, keepMongodKey, writeMongodbUri } from './kept-secrets.js';
import { startMockModel } from './mock-model/start-mock-model.js';
import { ownProjects } from './own-projects.js';
import { enginePart, waitUntilReady } from './parts/engine.js';
import { envoyPart } from './parts/envoy.js';
import { mongodPart, mongodUri } from './parts/mongod.js';
import { portProblem, reservePort } from './ports.js';
import { followWarnings } from './processes/follow-warnings.js';
import { SERVED_FILE, writeInstance } from './processes/instance.js';
import { StartError } from './processes/start-error.js';
import { StartedParts } from './processes/started-parts.js';
import type { Supervisor } from './processes/supervisor.js';
import { demoPath, keepServed, namesProvider, readConfig } from './served-config.js';
import type { LocalSettings } from './settings.js';
import { shortenPath } from './short-path.js';
import type { Summary } from './summary.js';
import { DEMO_KEY, DEMO_PROJECT, tourStops } from './tour.js';

/**
 * Ports that are tried first, so that a second start finds the same replica set and the same served file. Other
 * well-known programs, such as MongoDB's 27017, do not use their partner ports.
 */
const PREFERRED_MONGOD_PORT = 21_217;
const PREFERRED_MOCK_PORT = 21_218;

export interface LaunchTools {
  supervisor: Supervisor;
  report: (line: string) => void;
  /** Registers what must be undone after all parts have ended. The last one registered is undone first. */
  onEnd: (cleanup: () => unknown) => void;
}

interface LaunchContext extends LaunchTools {
  settings: LocalSettings;
  logPath: (name: string) => string;
}

/**
 * Starts everything in order: mongod, mock model, engine with admin, Envoy. Rejects with a message that can be shown
 * to the user.
 */
export async function launch(settings: LocalSettings, tools: LaunchTools): Promise<Summary> {
  const { supervisor, report } = tools;
  const source = settings.configPath ?? demoPath;
  const needsMockModel = !namesProvider(readConfig(source));
  await claimDataDirectory(settings.dataFolder, tools);
  await checkPorts(settings);
  const logPath = await prepareLogs(settings.dataFolder);
  for (const name of ['mongod', 'engine', 'Envoy']) tools.onEnd(followWarnings(name, logPath(name), report));
  const context = { ...tools, settings, logPath };

  const find = { environment: process.env, report, signal: supervisor.stopping };
  const envoyBinary = await findProgram(ENVOY, find);
  const mongodbUri = settings.mongodbUri ?? (await startMongod(context, await findProgram(MONGOD, find)));
  const configPath = needsMockModel ? await serveMockModel(context, source) : source;
  const adminKey = settings.adminKey ?? (await keepAdminKey(settings.dataFolder));
  await startEngineAndEnvoy(context, { envoyBinary, source, configPath, mongodbUri, adminKey });
  return summarize(settings, adminKey);
}

async function claimDataDirectory(folder: string, { supervisor, report, onEnd }: LaunchTools): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const record = new StartedParts(folder);
  await record.claim(report);
  onEnd(() => record.release());
  supervisor.onSpawn = (name, pid) => record.add(name, pid);
}

/** Starts mongod and returns its URI. */
async function startMongod(
  { settings, supervisor, onEnd, logPath }: LaunchContext,
  binary: string,
): Promise<string> {
  const { port, release } = await reservePort(PREFERRED_MONGOD_PORT);
  onEnd(release);
  const dataPath = join(settings.dataFolder, 'mongod');
  const environment = process.env;
  const key = await keepMongodKey(settings.dataFolder);
  await supervisor.start(
    mongodPart({
      ...{ binary, port, dataPath, key, littleMemory: true },
      ...{ logPath: logPath('mongod'), ownGroup: true, environment },
    }),
  );
  const uri = mongodUri(port, 'sluice', key.password);
  await writeMongodbUri(settings.dataFolder, uri);
  return uri;
}

/** Starts the mock model and returns the path of a configuration that uses it. */
async function serveMockModel({ settings, report, onEnd }: LaunchContext, source: string): Promise<string> {
  const { port, release } = await reservePort(PREFERRED_MOCK_PORT);
  onEnd(release);
  const served = join(settings.dataFolder, SERVED_FILE);
  onEnd(keepServed(source, served, port));
  onEnd(await startMockModel(port));
  report(`model   ready   mock model at http://127.0.0.1:${port}/v1`);
  return served;
}

interface EngineChoices {
  envoyBinary: string;
  /** The configuration that was given, or that of the demo. `configPath` is the one that is served. */
  source: string;
  configPath: string;
  mongodbUri: string;
  adminKey: string;
}

async function startEngineAndEnvoy(context: LaunchContext, choices: EngineChoices): Promise<void> {
  const { supervisor, onEnd, logPath } = context;
  const { host, adminHost, adminPort, gatewayPort } = context.settings;
  const adminUrl = urlOf(adminHost, adminPort);
  const data = await shortenPath(context.settings.dataFolder);
  onEnd(data.remove);
  const chosen = {
    SLUICE_GATEWAY_PORT: String(gatewayPort),
    SLUICE_ADMIN_PORT: String(adminPort),
    SLUICE_ADMIN_KEY: choices.adminKey,
    MONGODB_URI: choices.mongodbUri,
  };
  const hosts = { SLUICE_HOST: host, SLUICE_ADMIN_HOST: adminHost };
  const changes = { ...chosen, ...hosts, SLUICE_CONFIG: choices.configPath };
  onEnd(await writeInstance(context.settings.dataFolder, choices.source, changes));
  // With SLUICE_WITH_ENVOY, readiness waits for Envoy too.
  const environment = { ...process.env, ...chosen, SLUICE_DATA_DIR: data.path, SLUICE_WITH_ENVOY: '1' };
  const common = { configPath: choices.configPath, environment, ownGroup: true };
  await supervisor.start(enginePart({ ...common, adminUrl, logPath: logPath('engine') }));
  await supervisor.start(
    envoyPart({
      ...common,
      binary: choices.envoyBinary,
      gatewayUrl: urlOf(host, gatewayPort),
      dataFolder: data.path,
      logPath: logPath('envoy'),
    }),
  );
  await waitUntilReady(adminUrl, supervisor.stopping);
}

function summarize(settings: LocalSettings, adminKey: string): Summary {
  const { host, adminHost, gatewayPort, adminPort } = settings;
  const addresses = { gatewayUrl: urlOf(host, gatewayPort), adminUrl: urlOf(adminHost, adminPort) };
  const demo = { project: DEMO_PROJECT, key: DEMO_KEY, stops: tourStops(addresses) };
  return {
    ...addresses,
    logDirectory: join(settings.dataFolder, 'logs'),
    adminKey: settings.adminKey === undefined ? adminKey : undefined,
    demo: settings.configPath === undefined ? demo : undefined,
    projects: settings.configPath === undefined ? [] : ownProjects(readConfig(settings.configPath)),
  };
}

async function checkPorts({ host, adminHost, gatewayPort, adminPort }: LocalSettings): Promise<void> {
  for (const [name, port, address] of [
    ['SLUICE_GATEWAY_PORT', gatewayPort, host],
    ['SLUICE_ADMIN_PORT', adminPort, adminHost],
  ] as const) {
    const problem = await portProblem(port, address);
    if (problem === undefined) continue;
    throw new StartError(
      `Port ${port} of ${address} cannot be opened: ${problem}.\n` +
        `What you can do:\n  - set ${name} to another port\n  - end the program that uses it`,
    );
  }
}

/** Each start has new log files for the parts; those of the previous start are kept. */
async function prepareLogs(dataFolder: string): Promise<(name: string) => string> {
  const folder = join(dataFolder, 'logs');
  await rm(`${folder}.before`, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await rename(folder, `${folder}.before`);
  await mkdir(folder);
  return (name) => join(folder, `${name.toLowerCase()}.log`);
}
