// What it costs to ship a log, by the number of logs in a call: CPU of the process that ships, of the admin service
// where logs go through one, and of mongod. It uses the real spool, shipper and store. Options: --to mongodb or
// admin; --logs N for each row; --batches 1,4,40,256; --gzip (the cost of compressing a batch, measured alone);
// --turns 20 (requests of coding agents, 38 to 63 KB, turn by turn, and their size in MongoDB); --turns 1 (only their
// first requests); --data FOLDER (beside the logs that `npm run bench -- logs --data FOLDER` left there; those of this
// benchmark stay there too). Run it with `npm run bench -- shipping`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import type { JsonObject } from '../src/core/json.js';
import { Secret } from '../src/core/secret.js';
import { type Deliver, deliverTo } from '../src/spool/deliver.js';
import type { Entry } from '../src/spool/entry.js';
import { AdminDelivery } from '../src/spool/remote/admin-delivery.js';
import { encodeBatch } from '../src/spool/remote/batch.js';
import { connectStore } from '../src/store/store.js';
import { agentRequests } from '../test/support/agent-requests.js';
import { oneTurnLog, words } from './one-turn-logs.js';
import { cpuMsOf, ENGINE_KEY, startAdmin, startMongod } from './processes.js';

const { values: options } = parseArgs({
  options: {
    to: { type: 'string', default: 'mongodb' },
    logs: { type: 'string', default: '10000' },
    batches: { type: 'string', default: '1,4,40,256' },
    gzip: { type: 'boolean', default: false },
    turns: { type: 'string' },
    data: { type: 'string' },
  },
});
let conversations = 0;

/** Conversations that run at the same time. In each round every one of them gets one more turn. */
function* agents(turns: number): Generator<JsonObject> {
  for (;;) {
    const open = Array.from({ length: 20 }, () => agentRequests({ seed: ++conversations, turns }));
    for (let turn = 0; turn < turns; turn++) for (const requests of open) yield requests[turn]!;
  }
}

const requests = options.turns === undefined ? undefined : agents(Number(options.turns));

const folder = options.data ?? mkdtempSync(join(tmpdir(), 'sluice-shipping-'));
const mongod = await startMongod(folder);
const store = connectStore({ uri: mongod.url, logger: pino({ level: 'silent' }) });
await store.ensureIndexes();
if (options.data !== undefined) await printLogs();
const admin = options.to === 'admin' ? await startAdmin(folder, mongod.url) : undefined;
const delivery = admin && new AdminDelivery({ url: admin.url, key: () => new Secret(ENGINE_KEY) });
const deliver: Deliver = delivery?.deliver ?? deliverTo(store.logs);

try {
  if (options.gzip) await measureGzip();
  await ship(batchesOf(2_000, 256));
  console.log(
    'logs a call | µs of CPU a log: here | admin service | mongod | logs a second, one call at a time',
  );
  for (const size of options.batches.split(',').map(Number)) {
    console.log((await measure(Number(options.logs), size)).join(' | '));
  }
  if (options.turns !== undefined && options.data === undefined) await printBytes();
} finally {
  await delivery?.close();
  await store.close();
  await admin?.child.stop(10_000);
  await mongod.child.stop(10_000);
  if (options.data === undefined) rmSync(folder, { recursive: true, force: true });
}

/** Entries in the form that the spool returns: JSON text. */
function batchOf(size: number): Entry[] {
  return Array.from({ length: size }, (_none, number) => {
    const request = requests?.next().value;
    const more = request === undefined ? {} : { request, response: { content: words(60) } };
    const record = oneTurnLog(number, more);
    return { kind: 'log', payload: Buffer.from(JSON.stringify(record)) };
  });
}

async function ship(batches: readonly Entry[][]): Promise<void> {
  for (const batch of batches) {
    const { stored } = await deliver(batch);
    if (stored !== batch.length) throw new Error(`${batch.length - stored} logs did not land`);
  }
}

function batchesOf(logs: number, size: number): Entry[][] {
  return Array.from({ length: Math.ceil(logs / size) }, () => batchOf(size));
}

async function measure(logs: number, size: number): Promise<(number | string)[]> {
  const others = () => [admin === undefined ? 0 : cpuMsOf(admin), cpuMsOf(mongod)];
  const batches = batchesOf(size < 10 ? logs / 4 : logs, size);
  const count = batches.length * size;
  const [cpu, before, start] = [process.cpuUsage(), others(), performance.now()];
  await ship(batches);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - start) / 1000;
  const rest = others().map((ms, index) => Math.round(((ms - before[index]!) * 1000) / count));
  return [size, Math.round((user + system) / count), ...rest, Math.round(count / seconds)];
}

async function printLogs(): Promise<void> {
  const client = await MongoClient.connect(mongod.url);
  console.log(`beside ${await client.db().collection('logs').estimatedDocumentCount()} logs`);
  await client.close();
}

async function printBytes(): Promise<void> {
  const client = await MongoClient.connect(mongod.url);
  const database = client.db();
  await database.admin().command({ fsync: 1 });
  const logs = await database.collection('logs').countDocuments();
  for (const name of ['logs', 'log_bodies', 'log_fragments']) {
    const [stats] = await database
      .collection(name)
      .aggregate([{ $collStats: { storageStats: {} } }])
      .toArray()
      .catch(() => []);
    if (stats === undefined) continue;
    const { size, storageSize, totalIndexSize } = stats.storageStats;
    const each = [size, storageSize, totalIndexSize].map((bytes: number) => Math.round(bytes / logs));
    console.log(`${name}: bytes a log: ${each.join(' | ')} (BSON | on disk | indexes)`);
  }
  await client.close();
}

async function measureGzip(): Promise<void> {
  for (const size of [4, 40, 256]) {
    const bytes = await encodeBatch(batchOf(size));
    const cpu = process.cpuUsage();
    const packed = await Promise.all(Array.from({ length: 50 }, () => promisify(gzip)(bytes, { level: 1 })));
    const { user, system } = process.cpuUsage(cpu);
    const ratio = (bytes.length / packed[0]!.length).toFixed(1);
    console.log(
      `gzip of ${size}: ${Math.round((user + system) / 50 / size)} µs a log, ${ratio} times smaller`,
    );
  }
}
