/*
 * What hostile schemas and outputs cost, through Envoy: how long each takes, and how long honest requests wait
 * meanwhile. Prints a table. Run it with `npm run bench -- hostile-schemas`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../src/local/binaries/binaries.js';
import { ENVOY, MONGOD } from '../src/local/binaries/programs.js';
import { enginePart, waitUntilReady } from '../src/local/parts/engine.js';
import { envoyPart } from '../src/local/parts/envoy.js';
import { mongodPart, mongodUri } from '../src/local/parts/mongod.js';
import { reservePort } from '../src/local/ports.js';
import { type Part, startPart } from '../src/local/processes/part.js';
import { startFakeProvider } from '../test/support/fake-provider.js';
import { type HostileCase, hostileCases } from '../test/support/hostile.js';
import { jsonReply } from '../test/support/replies.js';

const PROJECT = '00000000-0000-4000-8000-000000000001';
const HONEST_REQUESTS = 200;
const TARGET_MS = 250;
const HONEST_SCHEMA = '{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}';

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  await compare(await startSystem());
} finally {
  for (const stop of stops.reverse()) await stop();
}

type Ask = (endpoint: string, schema: string) => Promise<{ status: number; ms: number }>;

async function compare(system: { ask: Ask; answerWith(output: string): void }): Promise<void> {
  await honest(system.ask);
  const alone = await honest(system.ask);
  const rows: Record<string, string | number>[] = [{ what: 'nothing beside them', ...summary(alone) }];
  // A second client takes its share of the machine whatever it sends, so hostile clients are compared with this
  // ordinary one.
  const ordinary = await honestBeside(system.ask, () => system.ask('honest', HONEST_SCHEMA));
  rows.push({ what: 'an ordinary request', ...summary(ordinary) });
  for (const [index, { what, output }] of hostileCases('').entries()) {
    system.answerWith(output);
    const fresh = (at: number): HostileCase => hostileCases(`${index}/${at}`)[index]!;
    const one = await system.ask('hostile', fresh(0).schema);
    let at = 0;
    const beside = await honestBeside(system.ask, () => system.ask('hostile', fresh(++at).schema));
    rows.push({
      what,
      'hostile: status': one.status,
      'hostile: ms': one.ms.toFixed(0),
      [`≤ ${TARGET_MS} ms`]: one.ms <= TARGET_MS ? 'yes' : 'no',
      ...summary(beside),
    });
  }
  console.table(rows);
}

/** The times of honest requests while another client sends its own requests one after the other. */
async function honestBeside(ask: Ask, other: () => Promise<unknown>): Promise<number[]> {
  let running = true;
  const others = (async () => {
    while (running) await other();
  })();
  const times = await honest(ask);
  running = false;
  await others;
  return times;
}

async function honest(ask: Ask): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < HONEST_REQUESTS; at++) times.push((await ask('honest', HONEST_SCHEMA)).ms);
  return times.sort((a, b) => a - b);
}

function summary(times: number[]): Record<string, string> {
  const quantile = (share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(1);
  return { 'honest: median ms': quantile(0.5), 'honest: 95 % ms': quantile(0.95) };
}

async function startSystem() {
  const [hostile, kind] = [await startFakeProvider(), await startFakeProvider()];
  stops.push(
    () => hostile.stop(),
    () => kind.stop(),
  );
  kind.always(completion('{"a":1}'));
  const [gateway, admin, mongo] = [await reservePort(), await reservePort(), await reservePort()];
  stops.push(
    () => gateway.release(),
    () => admin.release(),
    () => mongo.release(),
  );
  const configPath = join(folder, 'sluice.yaml');
  const endpoint = (name: string) => ({
    name,
    json_validation: true,
    models: [{ provider: name, model: name }],
  });
  const config = {
    providers: {
      hostile: { api: 'openai', base_url: hostile.baseUrl },
      honest: { api: 'openai', base_url: kind.baseUrl },
    },
    projects: [
      {
        uid: PROJECT,
        name: 'bench',
        api_keys: [{ name: 'bench', key: 'sk-bench', scopes: ['inference'] }],
        endpoints: [endpoint('hostile'), endpoint('honest')],
      },
    ],
  };
  await writeFile(configPath, JSON.stringify(config));
  const dataFolder = join(folder, 'data');
  await mkdir(dataFolder);
  const [gatewayUrl, adminUrl] = [gateway, admin].map(({ port }) => `http://127.0.0.1:${port}`) as [
    string,
    string,
  ];
  const environment = {
    ...process.env,
    SLUICE_GATEWAY_PORT: String(gateway.port),
    SLUICE_ADMIN_PORT: String(admin.port),
    SLUICE_DATA_DIR: dataFolder,
    SLUICE_ADMIN_KEY: 'sk-admin',
    SLUICE_WITH_ENVOY: '1',
    MONGODB_URI: mongodUri(mongo.port, 'bench'),
  };
  const find = { environment: process.env, report: (line: string) => console.log(line) };
  const shared = { environment, ownGroup: false };
  const log = (name: string) => join(folder, `${name}.log`);
  await run(
    mongodPart({
      ...shared,
      binary: await findProgram(MONGOD, find),
      port: mongo.port,
      dataPath: join(folder, 'mongod'),
      logPath: log('mongod'),
    }),
  );
  await run(enginePart({ ...shared, configPath, adminUrl, logPath: log('engine') }));
  const binary = await findProgram(ENVOY, find);
  await run(envoyPart({ ...shared, configPath, binary, gatewayUrl, dataFolder, logPath: log('envoy') }));
  await waitUntilReady(adminUrl, AbortSignal.timeout(60_000));
  return { ask: askOf(gatewayUrl), answerWith: (output: string) => hostile.always(completion(output)) };
}

async function run(part: Part): Promise<void> {
  const child = await startPart(part);
  stops.push(() => child.stop(part.stopPatienceMs));
}

function askOf(gatewayUrl: string): Ask {
  return async (endpoint, schema) => {
    const start = performance.now();
    const response = await fetch(`${gatewayUrl}/${PROJECT}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-bench', 'content-type': 'application/json' },
      body: `{"model":"${endpoint}","messages":[{"role":"user","content":"Hello"}],"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${schema}}}}`,
    });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - start };
  };
}

function completion(content: string) {
  return jsonReply({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'bench',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  });
}
