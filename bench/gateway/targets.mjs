import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { parseDocument, stringify } from 'yaml';
import { renderEnvoyConfig } from '../../dist/commands/envoy-config.js';
import { withEngineChains } from '../../dist/envoy/engine-chains.js';
import { addTracing, readTraceCollector } from '../../dist/envoy/tracing.js';
import { findProgram } from '../../dist/local/binaries/binaries.js';
import { ENVOY, MONGOD } from '../../dist/local/binaries/programs.js';
import { enginePart } from '../../dist/local/parts/engine.js';
import { envoyPart } from '../../dist/local/parts/envoy.js';
import { mongodPart, mongodUri } from '../../dist/local/parts/mongod.js';
import { reservePort } from '../../dist/local/ports.js';
import { Child } from '../../dist/local/processes/child.js';
import { startPart } from '../../dist/local/processes/part.js';
import { aiGatewayConfig, findAiGateway, startProcessor } from './ai-gateway.mjs';
import { bareConfig, noopConfig } from './bootstraps.mjs';

const PROJECT = '00000000-0000-4000-8000-000000000001';

/**
 * What can be compared, by its name on the command line. `name` is the title in the tables. A target with an
 * `endpoint` is served by the Sluice that `served` names: `own` has our own Envoy; `traced` sends spans of a tenth of
 * all requests; `mesh` has an Envoy without chains of models, as Istio and Envoy Gateway bring it; `tcp` is the same
 * over TCP with certificates on both sides. Its cost is given relative to the target in `beside`.
 */
export const TARGETS = {
  bare: { name: 'bare Envoy' },
  noop: { name: 'no-op ext_proc' },
  'ai-gateway': { name: 'Envoy AI Gateway' },
  sluice: { name: 'Sluice', endpoint: 'bench', streams: true, tries: 1 },
  pii: { name: 'Sluice, personal data masked', endpoint: 'pii', streams: true, tries: 1 },
  cached: { name: 'Sluice, from the cache of answers', endpoint: 'cached', streams: true, tries: 0 },
  valid: { name: 'Sluice, validation', endpoint: 'valid', streams: false, schema: true, tries: 1 },
  fallback: {
    name: 'Sluice, validation and a fallback',
    endpoint: 'fallback',
    streams: false,
    schema: true,
    tries: 2,
  },
  traced: { name: 'Sluice, tracing at 10 %', served: 'traced', endpoint: 'bench', streams: true, tries: 1 },
  chain: { name: 'Sluice, a chain whose first model answers', endpoint: 'chain', streams: true, tries: 1 },
  mesh: { name: 'in a mesh', served: 'mesh', endpoint: 'bench', streams: true, tries: 1 },
  'mesh-chain': {
    name: 'in a mesh, a chain whose first model answers',
    served: 'mesh',
    beside: 'in a mesh',
    endpoint: 'chain',
    streams: true,
    tries: 1,
  },
  'mesh-fallback': {
    name: 'in a mesh, validation and a fallback',
    served: 'mesh',
    beside: 'in a mesh',
    endpoint: 'fallback',
    streams: false,
    schema: true,
    tries: 2,
  },
  tcp: {
    name: 'in a mesh, engine over TCP with mTLS',
    served: 'tcp',
    beside: 'in a mesh',
    endpoint: 'bench',
    streams: true,
    tries: 1,
  },
};
const MESH = ['sluice', 'chain', 'mesh', 'mesh-chain', 'mesh-fallback', 'tcp'];
/** Names that stand for several targets. */
const GROUPS = {
  base: ['bare', 'noop', 'sluice'],
  meshes: MESH,
  all: Object.keys(TARGETS).filter(
    (name) => name === 'sluice' || (name !== 'ai-gateway' && !MESH.includes(name)),
  ),
};

const mask = { reject_on_detection: false, mask: true };
const model = (name) => ({ provider: 'bench', model: name });
export const ENDPOINTS = [
  { name: 'bench', models: [model('bench')] },
  { name: 'pii', models: [model('bench')], plugins: [{ plugin: 'pii_detection', config: mask }] },
  { name: 'cached', models: [model('bench')], cache: { ttl_s: 86_400 } },
  { name: 'valid', models: [model('valid')], json_validation: true },
  { name: 'fallback', models: [model('bench'), model('valid')], json_validation: true },
  { name: 'chain', models: [model('bench'), model('valid')] },
];

/** The targets of `--targets`, whose names are separated by commas. Throws for an unknown name. */
export function namesOf(list) {
  const names = list.split(',').flatMap((name) => GROUPS[name] ?? [name]);
  const unknown = names.filter((name) => !(name in TARGETS));
  if (unknown.length > 0) {
    const known = [...Object.keys(GROUPS), ...Object.keys(TARGETS)].join(', ');
    throw new Error(`there is no target ${unknown.join(', ')}; there are ${known}`);
  }
  return [...new Set(names)];
}

/**
 * Starts the targets with these names. Returns them, and a function that ends them all. `nodeFlags` are more options of
 * Node.js for Sluice's engine.
 */
export async function startTargets(folder, providerPort, names, { nodeFlags } = {}) {
  const find = { environment: process.env, report: console.log };
  const envoy = await findProgram(ENVOY, find);
  const stops = [];
  const targets = [];
  const sluices = new Map();
  const sluiceOf = async (served) => {
    if (!sluices.has(served)) {
      const own = join(folder, served);
      mkdirSync(own);
      const sluice = await startSluice({
        binary: envoy,
        folder: own,
        providerPort,
        mongodBinary: await findProgram(MONGOD, find),
        endpoints: ENDPOINTS,
        stops,
        nodeFlags,
        environment: served === 'traced' ? tracingTo(providerPort) : {},
        ...(await meshOptions(served, own, providerPort)),
      });
      sluices.set(served, { ...sluice, logs: await countLogs(sluice.mongodUri, stops) });
    }
    return sluices.get(served);
  };
  for (const name of names) {
    if (name === 'bare')
      targets.push(await startEnvoy(envoy, folder, 'bare', bareConfig, providerPort, stops));
    else if (name === 'noop') targets.push(await startNoop(envoy, folder, providerPort, stops));
    else if (name === 'ai-gateway')
      targets.push(...(await startAiGateway(envoy, folder, providerPort, stops)));
    else targets.push({ ...(await sluiceOf(TARGETS[name].served ?? 'own')), ...TARGETS[name] });
  }
  return { targets, stop: () => endAll(stops) };
}

/** What an Envoy without a chain needs: its bootstrap, and the engine's address where that listens over TCP. */
async function meshOptions(served, folder, providerPort) {
  if (served === 'mesh') {
    const providers = [{ name: 'bench', base_url: `http://127.0.0.1:${providerPort}/v1` }];
    const render = async (config, environment) =>
      stringify(withEngineChains(await renderEnvoyConfig({ config }, environment), providers), {
        aliasDuplicateObjects: false,
      });
    return { render };
  }
  if (served !== 'tcp') return {};
  const { port } = await reservePort();
  const files = certificatesIn(folder);
  const tls = { cert_file: files.cert, key_file: files.key, client_ca_file: files.ca };
  const words = {
    engine: `127.0.0.1:${port}`,
    engineCa: files.ca,
    engineCert: files.cert,
    engineKey: files.key,
  };
  return {
    config: { engine: { listen: { address: `127.0.0.1:${port}`, tls } } },
    render: (config, environment) => renderEnvoyConfig({ config, ...words }, environment),
  };
}

/** Makes one certificate, which both sides use. */
function certificatesIn(folder) {
  const [cert, key] = [join(folder, 'tls.pem'), join(folder, 'tls.key')];
  const elliptic = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  const named = ['-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '30'];
  execFileSync('openssl', ['req', '-x509', ...elliptic, ...named, '-out', cert], { stdio: 'pipe' });
  return { ca: cert, cert, key };
}

/** The benchmark's model receives the spans too. */
function tracingTo(port) {
  return {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  };
}

/** Counts the logs that are expected and those that exist, and says whether the tag counts are complete. */
async function countLogs(uri, stops) {
  const client = new MongoClient(uri);
  stops.push(() => client.close());
  const logs = client.db().collection('logs');
  const sumUsage = async (api) => {
    const sum = { _id: null, tokens: { $sum: '$usage.input_tokens' }, cost: { $sum: '$cost' } };
    const [found] = await logs.aggregate([{ $match: { api } }, { $group: sum }]).toArray();
    return found ?? { tokens: 0, cost: 0 };
  };
  const changes = client.db().collection('pending_counts');
  const uncounted = async () => (await changes.findOne({}, { projection: { _id: 1 } })) !== null;
  return { sent: 0, embedded: 0, count: () => logs.estimatedDocumentCount(), uncounted, sumUsage };
}

/** Starts Sluice alone. Returns its `engine` and a function that ends everything. */
export async function startOnlySluice(folder, providerPort, options) {
  const find = { environment: process.env, report: console.log };
  const stops = [];
  mkdirSync(folder, { recursive: true });
  const target = await startSluice({
    ...options,
    binary: await findProgram(ENVOY, find),
    mongodBinary: await findProgram(MONGOD, find),
    folder,
    providerPort,
    stops,
  });
  return { target, stop: () => endAll(stops) };
}

/**
 * Starts an Envoy without Sluice. It traces where `environment` names a collector, as that of `startOnlySluice` can.
 */
export async function startBareEnvoy(folder, providerPort, environment) {
  const envoy = await findProgram(ENVOY, { environment: process.env, report: console.log });
  const stops = [];
  const config = (places) => {
    const document = parseDocument(stringify(bareConfig(places)));
    if (environment !== undefined) addTracing(document, readTraceCollector(environment));
    return document.toJS();
  };
  mkdirSync(folder, { recursive: true });
  const target = await startEnvoy(envoy, folder, 'bare', config, providerPort, stops);
  return { target, stop: () => endAll(stops) };
}

async function endAll(stops) {
  for (const stop of stops.reverse()) await stop();
}

async function startEnvoy(binary, folder, name, config, providerPort, stops) {
  const { port } = await reservePort();
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, stringify(config({ port, providerPort })));
  const child = await Child.start({
    name,
    command: binary,
    arguments: ['-c', path, '--use-dynamic-base-id', '--log-level', 'error', '--concurrency', '2'],
    environment: process.env,
    logPath: join(folder, `${name}.log`),
    ownGroup: false,
  });
  stops.push(() => child.stop(5_000));
  await untilOpen(port);
  const url = `http://127.0.0.1:${port}/v1/chat/completions`;
  return { name: `${name} Envoy`, url, endpoint: 'bench', streams: true, parts: { envoy: child.pid } };
}

async function startNoop(binary, folder, providerPort, stops) {
  const socket = join(folder, 'noop.sock');
  const engine = fork(new URL('./noop-engine.mjs', import.meta.url), [socket]);
  stops.push(() => engine.kill());
  await new Promise((resolve) => engine.once('message', resolve));
  const config = (places) => noopConfig({ ...places, socket });
  const target = await startEnvoy(binary, folder, 'noop', config, providerPort, stops);
  return { ...target, name: TARGETS.noop.name, parts: { ...target.parts, engine: engine.pid } };
}

/** Resolves with a list of one target, which is empty where the program is not installed. */
async function startAiGateway(binary, folder, providerPort, stops) {
  const program = findAiGateway(console.log);
  if (program === undefined) return [];
  const { socket, pid } = await startProcessor(program, folder, stops);
  const config = (places) => aiGatewayConfig({ ...places, socket });
  const target = await startEnvoy(binary, folder, 'ai-gateway', config, providerPort, stops);
  return [{ ...target, name: TARGETS['ai-gateway'].name, parts: { ...target.parts, engine: pid } }];
}

/** Members of `config` replace those of the smallest configuration. */
async function startSluice({
  binary,
  folder,
  providerPort,
  mongodBinary,
  stops,
  config = {},
  endpoints,
  keys = [],
  projects = [],
  /** More members of the benchmark's project. */
  project = {},
  environment: more = {},
  envoyEnvironment = {},
  nodeFlags,
  /**
   * Makes Envoy's bootstrap from the path of the configuration and the environment. The default is `sluice
   * envoy-config`.
   */
  render,
}) {
  const [gateway, admin, mongo] = [await reservePort(), await reservePort(), await reservePort()];
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder);
  const log = (name) => join(folder, `${name}.log`);
  const start = async (part) => {
    const child = await startPart(part);
    stops.push(() => child.stop(part.stopPatienceMs));
    return child;
  };
  const mongod = await start(
    mongodPart({
      binary: mongodBinary,
      port: mongo.port,
      dataPath: join(folder, 'mongod'),
      logPath: log('mongod'),
      ownGroup: false,
      environment: process.env,
    }),
  );
  const configPath = join(folder, 'sluice.yaml');
  writeFileSync(
    configPath,
    stringify({
      ...config,
      providers: {
        bench: {
          api: 'openai',
          base_url: `http://127.0.0.1:${providerPort}/v1`,
          prices: { bench: { input_per_mtok: 2, output_per_mtok: 8 } },
        },
        ...config.providers,
      },
      projects: [
        {
          uid: PROJECT,
          name: 'bench',
          api_keys: [{ name: 'bench', key: 'sk-bench', scopes: ['inference'] }, ...keys],
          endpoints,
          ...project,
        },
        ...projects,
      ],
    }),
  );
  const environment = {
    ...process.env,
    SLUICE_GATEWAY_PORT: String(gateway.port),
    SLUICE_ADMIN_PORT: String(admin.port),
    SLUICE_DATA_DIR: dataFolder,
    SLUICE_ADMIN_KEY: 'sk-admin-bench',
    MONGODB_URI: mongodUri(mongo.port, 'bench'),
    ...more,
  };
  const common = { configPath, ownGroup: false };
  const gatewayUrl = `http://127.0.0.1:${gateway.port}`;
  const adminUrl = `http://127.0.0.1:${admin.port}`;
  const engine = await start(
    enginePart({ ...common, environment, adminUrl, logPath: log('engine'), nodeFlags }),
  );
  const ofEnvoy = { ...environment, ...envoyEnvironment };
  const envoy = await start(
    envoyPart({
      ...common,
      environment: ofEnvoy,
      binary,
      gatewayUrl,
      dataFolder,
      logPath: log('envoy'),
      render: render && (() => render(configPath, ofEnvoy)),
    }),
  );
  const url = `${gatewayUrl}/${PROJECT}/openai/v1/chat/completions`;
  const parts = { envoy: envoy.pid, engine: engine.pid, mongod: mongod.pid };
  return { url, parts, adminUrl, mongodUri: environment.MONGODB_URI };
}

async function untilOpen(port) {
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
    if (answered !== undefined) return;
    await new Promise((resume) => setTimeout(resume, 20));
  }
}
