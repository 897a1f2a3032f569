import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { stringify } from 'yaml';
import { findProgram } from '../../dist/local/binaries/binaries.js';
import { ENVOY, MONGOD } from '../../dist/local/binaries/programs.js';
import { enginePart } from '../../dist/local/parts/engine.js';
import { envoyPart } from '../../dist/local/parts/envoy.js';
import { mongodPart, mongodUri } from '../../dist/local/parts/mongod.js';
import { reservePort } from '../../dist/local/ports.js';
import { Child } from '../../dist/local/processes/child.js';
import { startPart } from '../../dist/local/processes/part.js';

const PROJECT = '00000000-0000-4000-8000-000000000001';
const TYPE = 'type.googleapis.com/envoy.extensions';

/** Endpoints of the one Sluice: plain, and what guards and judges cost. A target's name is told in the tables. */
const BENCH = { endpoint: 'bench', name: 'Sluice', streams: true };
const MORE = [
  { endpoint: 'pii', name: 'Sluice, personal data masked', streams: true },
  { endpoint: 'valid', name: 'Sluice, validation', streams: false, schema: true },
  { endpoint: 'fallback', name: 'Sluice, validation and a fallback', streams: false, schema: true },
];
const mask = { reject_on_detection: false, mask: true };
const model = (name) => ({ provider: 'bench', model: name });
const ENDPOINTS = [
  { name: 'bench', models: [model('bench')] },
  { name: 'pii', models: [model('bench')], plugins: [{ plugin: 'pii_detection', config: mask }] },
  { name: 'valid', models: [model('valid')], json_validation: true },
  { name: 'fallback', models: [model('bench'), model('valid')], json_validation: true },
];

/** Those that are compared, how many logs there are, and what ends them all. */
export async function startTargets(directory, providerPort, { all }) {
  const find = { environment: process.env, report: console.log };
  const envoy = await findProgram(ENVOY, find);
  const stops = [];
  const bare = await startEnvoy(envoy, directory, 'bare', bareConfig, providerPort, stops);
  const noop = await startNoop(envoy, directory, providerPort, stops);
  const mongodBinary = await findProgram(MONGOD, find);
  const endpoints = all ? ENDPOINTS : ENDPOINTS.slice(0, 1);
  const sluice = await startSluice({
    binary: envoy,
    directory,
    providerPort,
    mongodBinary,
    endpoints,
    stops,
  });
  const client = new MongoClient(sluice.mongodUri);
  stops.push(() => client.close());
  const kinds = all ? [BENCH, ...MORE] : [BENCH];
  return {
    targets: [bare, noop, ...kinds.map((kind) => ({ ...sluice, ...kind, logs: true }))],
    countLogs: () => client.db().collection('logs').estimatedDocumentCount(),
    stop: () => endAll(stops),
  };
}

/** Sluice alone, with its `engine` and what ends it all. */
export async function startOnlySluice(directory, providerPort, options) {
  const find = { environment: process.env, report: console.log };
  const stops = [];
  const target = await startSluice({
    ...options,
    binary: await findProgram(ENVOY, find),
    mongodBinary: await findProgram(MONGOD, find),
    directory,
    providerPort,
    stops,
  });
  return { target, stop: () => endAll(stops) };
}

async function endAll(stops) {
  for (const stop of stops.reverse()) await stop();
}

async function startEnvoy(binary, directory, name, config, providerPort, stops) {
  const { port } = await reservePort();
  const path = join(directory, `${name}.yaml`);
  writeFileSync(path, stringify(config({ port, providerPort, socket: join(directory, 'noop.sock') })));
  const child = await Child.start({
    name,
    command: binary,
    arguments: ['-c', path, '--use-dynamic-base-id', '--log-level', 'error', '--concurrency', '2'],
    environment: process.env,
    logPath: join(directory, `${name}.log`),
    ownGroup: false,
  });
  stops.push(() => child.stop(5_000));
  await untilOpen(port);
  const url = `http://127.0.0.1:${port}/v1/chat/completions`;
  return { name: `${name} Envoy`, url, endpoint: 'bench', streams: true, parts: { envoy: child.pid } };
}

async function startNoop(binary, directory, providerPort, stops) {
  const engine = fork(new URL('./noop-engine.mjs', import.meta.url), [join(directory, 'noop.sock')]);
  stops.push(() => engine.kill());
  await new Promise((resolve) => engine.once('message', resolve));
  const target = await startEnvoy(binary, directory, 'noop', noopConfig, providerPort, stops);
  return { ...target, name: 'no-op ext_proc', parts: { ...target.parts, engine: engine.pid } };
}

/** `config` is laid over the smallest configuration, `environment` over that of this process. */
async function startSluice(options) {
  const { binary, directory, providerPort, mongodBinary, stops, config = {}, endpoints } = options;
  const [gateway, admin, mongo] = [await reservePort(), await reservePort(), await reservePort()];
  const dataDirectory = join(directory, 'data');
  mkdirSync(dataDirectory);
  const log = (name) => join(directory, `${name}.log`);
  const start = async (part) => {
    const child = await startPart(part);
    stops.push(() => child.stop(part.stopPatienceMs));
    return child;
  };
  const mongod = await start(
    mongodPart({
      binary: mongodBinary,
      port: mongo.port,
      dataPath: join(directory, 'mongod'),
      logPath: log('mongod'),
      ownGroup: false,
      environment: process.env,
    }),
  );
  const configPath = join(directory, 'sluice.yaml');
  writeFileSync(
    configPath,
    stringify({
      ...config,
      providers: { bench: { api: 'openai', base_url: `http://127.0.0.1:${providerPort}/v1` } },
      projects: [
        {
          uid: PROJECT,
          name: 'bench',
          api_keys: [{ name: 'bench', key: 'sk-bench', scopes: ['inference'] }],
          endpoints,
        },
      ],
    }),
  );
  const environment = {
    ...process.env,
    ...options.environment,
    SLUICE_GATEWAY_PORT: String(gateway.port),
    SLUICE_ADMIN_PORT: String(admin.port),
    SLUICE_DATA_DIR: dataDirectory,
    SLUICE_ADMIN_KEY: 'sk-admin-bench',
    MONGODB_URI: mongodUri(mongo.port, 'bench'),
  };
  const common = { configPath, environment, ownGroup: false };
  const gatewayUrl = `http://127.0.0.1:${gateway.port}`;
  const adminUrl = `http://127.0.0.1:${admin.port}`;
  const engine = await start(enginePart({ ...common, adminUrl, logPath: log('engine') }));
  const envoy = await start(
    envoyPart({ ...common, binary, gatewayUrl, dataDirectory, logPath: log('envoy') }),
  );
  const url = `${gatewayUrl}/${PROJECT}/openai/v1/chat/completions`;
  const parts = { envoy: envoy.pid, engine: engine.pid, mongod: mongod.pid };
  return { url, parts, mongodUri: environment.MONGODB_URI };
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

function bareConfig({ port, providerPort }) {
  return bootstrap(
    port,
    [],
    [cluster('provider', { socket_address: { address: '127.0.0.1', port_value: providerPort } })],
  );
}

function noopConfig({ port, providerPort, socket }) {
  const filter = {
    name: 'noop',
    typed_config: {
      '@type': `${TYPE}.filters.http.ext_proc.v3.ExternalProcessor`,
      grpc_service: { envoy_grpc: { cluster_name: 'engine' }, timeout: '0s' },
      processing_mode: {
        request_header_mode: 'SEND',
        response_header_mode: 'SEND',
        request_body_mode: 'FULL_DUPLEX_STREAMED',
        response_body_mode: 'FULL_DUPLEX_STREAMED',
        request_trailer_mode: 'SEND',
        response_trailer_mode: 'SEND',
      },
    },
  };
  const engine = {
    ...cluster('engine', { pipe: { path: socket } }),
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': `${TYPE}.upstreams.http.v3.HttpProtocolOptions`,
        explicit_http_config: { http2_protocol_options: {} },
      },
    },
  };
  return bootstrap(
    port,
    [filter],
    [cluster('provider', { socket_address: { address: '127.0.0.1', port_value: providerPort } }), engine],
  );
}

function cluster(name, address) {
  return {
    name,
    type: 'STATIC',
    load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
  };
}

function bootstrap(port, filters, clusters) {
  const manager = {
    '@type': `${TYPE}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'bench',
    route_config: {
      virtual_hosts: [
        {
          name: 'all',
          domains: ['*'],
          routes: [{ match: { prefix: '/' }, route: { cluster: 'provider', timeout: '0s' } }],
        },
      ],
    },
    http_filters: [
      ...filters,
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': `${TYPE}.filters.http.router.v3.Router` },
      },
    ],
  };
  return {
    layered_runtime: {
      layers: [
        { name: 'static', static_layer: { 'envoy.reloadable_features.ext_proc_graceful_grpc_close': true } },
      ],
    },
    static_resources: {
      listeners: [
        {
          name: 'bench',
          address: { socket_address: { address: '127.0.0.1', port_value: port } },
          filter_chains: [
            { filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }] },
          ],
        },
      ],
      clusters,
    },
  };
}
