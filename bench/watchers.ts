// What it costs MongoDB, or an admin service, when many engines follow the directory: CPU and memory while nothing
// changes and, for each change, the time until all engines know it. With `--from mongodb` each engine watches
// MongoDB. With `--from admin` an admin service in another process watches it and informs the engines. All engines
// are real directories in this one process, so the time includes their work, which would run on other machines in a
// deployment; `work here` is its CPU. Options: --from mongodb|admin, --engines 1,50,200, --changes N, --idle SECONDS,
// --endpoints N, --keys N.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import { Secret } from '../src/core/secret.js';
import { createDirectory, type LiveDirectory } from '../src/directory/directory.js';
import { createAdminSource } from '../src/directory/feed/admin-source.js';
import { hashKey } from '../src/directory/keys.js';
import { connectStore, type Store } from '../src/store/store.js';
import { cpuMsOf, ENGINE_KEY, residentMibOf, type Started, startAdmin, startMongod } from './processes.js';

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: 'mongodb' },
    engines: { type: 'string', default: '1,50,200' },
    changes: { type: 'string', default: '20' },
    idle: { type: 'string', default: '10' },
    endpoints: { type: 'string', default: '20' },
    keys: { type: 'string', default: '100' },
  },
});
const PROJECT = '00000000-0000-4000-8000-000000000001';
/** The numbers of endpoints and keys in the directory: a medium-sized one by default. */
const [ENDPOINTS, KEYS] = [Number(options.endpoints), Number(options.keys)];
const logger = pino({ level: 'silent' });

interface Engine {
  store: Store;
  directory: LiveDirectory;
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-watchers-'));
const mongod = await startMongod(folder);
const { url: uri } = mongod;
/** The admin service; only with `--from admin`. */
let admin: Started | undefined;
const client = await MongoClient.connect(uri);
const engines: Engine[] = [];
try {
  await fill();
  if (options.from === 'admin') admin = await startAdmin(folder, uri);
  console.log(`a directory of ${ENDPOINTS} endpoints and ${KEYS} keys`);
  console.log(
    'engines | connections | mongod MiB | mongod, admin cores, idle | mongod, admin ms a change | work here ms a change | all know: p50 ms, max ms',
  );
  for (const count of options.engines.split(',').map(Number)) {
    await grow(count);
    console.log((await measure()).join(' | '));
  }
} finally {
  for (const { directory } of engines) await directory.stop();
  await Promise.all(engines.map(({ store }) => store.close()));
  await client.close();
  await admin?.child.stop(10_000);
  await mongod.child.stop(10_000);
  rmSync(folder, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  const database = client.db();
  const document = { revision: 1, created_at: new Date(), updated_at: new Date(), project_uid: PROJECT };
  await database
    .collection('projects')
    .insertOne({ ...document, _id: PROJECT, name: 'p', enabled: true } as never);
  await database.collection('endpoints').insertMany(
    Array.from({ length: ENDPOINTS }, (_none, index) => ({
      ...document,
      _id: randomUUID() as never,
      name: `endpoint-${index}`,
      settings: JSON.stringify({ name: `endpoint-${index}`, models: [{ provider: 'p', model: 'm' }] }),
    })),
  );
  await database.collection('api_keys').insertMany(Array.from({ length: KEYS }, () => keyOf(randomUUID())));
}

function keyOf(text: string) {
  const dates = { created_at: new Date(), updated_at: new Date() };
  const kept = { name: text, hash: hashKey(text), prefix: text.slice(0, 5), scopes: ['inference'] };
  return { revision: 1, ...dates, _id: randomUUID() as never, project_uid: PROJECT, ...kept };
}

async function grow(count: number): Promise<void> {
  const added = Array.from({ length: count - engines.length }, () => {
    const store = connectStore({ uri, logger });
    const file = { providers: new Map(), projects: [], adminKeys: [] };
    const { directory: stored } = store;
    const source =
      admin === undefined
        ? stored
        : createAdminSource({
            ...{ from: admin.url, key: () => new Secret(ENGINE_KEY), logger },
            remember: stored.remember,
          });
    return { store, directory: createDirectory({ file, source, logger }) };
  });
  for (let at = 0; at < added.length; at += 20)
    await Promise.all(added.slice(at, at + 20).map(({ directory }) => directory.start()));
  engines.push(...added);
  // Each stream reports once that it is open.
  await sleep(3_000);
}

async function measure(): Promise<string[]> {
  const idleMs = Number(options.idle) * 1000;
  const before = cpuMs();
  await sleep(idleMs);
  const idle = cpuMs().map((ms, index) => (ms - before[index]!) / idleMs);
  const { connections } = await client.db().admin().serverStatus();
  const times: number[] = [];
  const began = { at: performance.now(), cpu: cpuMs(), own: process.cpuUsage() };
  for (let change = 0; change < Number(options.changes); change++) times.push(await timeOfChange());
  const tookMs = performance.now() - began.at;
  const cpu = cpuMs().map((ms, index) => (ms - began.cpu[index]! - idle[index]! * tookMs) / times.length);
  const { user, system } = process.cpuUsage(began.own);
  times.sort((one, other) => one - other);
  return [
    String(engines.length),
    String(connections.current),
    residentMibOf(mongod).toFixed(0),
    idle.map((cores) => cores.toFixed(3)).join(', '),
    cpu.map((ms) => ms.toFixed(1)).join(', '),
    ((user + system) / 1000 / times.length).toFixed(0),
    `${times[times.length >> 1]!.toFixed(0)}, ${times.at(-1)!.toFixed(0)}`,
  ];
}

/** The time from the write until the last engine knows the new key. */
async function timeOfChange(): Promise<number> {
  const text = randomUUID();
  const start = performance.now();
  await client.db().collection('api_keys').insertOne(keyOf(text));
  const waiting = new Set(engines);
  while (waiting.size > 0) {
    for (const engine of waiting) if (engine.directory.authenticate(PROJECT, text)) waiting.delete(engine);
    await sleep(5);
  }
  const took = performance.now() - start;
  await sleep(200);
  return took;
}

/** The CPU of mongod, and of the admin service where there is one. */
function cpuMs(): number[] {
  return [mongod, ...(admin === undefined ? [] : [admin])].map(cpuMsOf);
}
