// What a log costs that is shipped, by the number of logs in a call: CPU of who ships it, of the admin service where it
// goes through one, and of mongod. The real spool, shipper and store; `--to mongodb` or `--to admin`. Options: --logs N
// for each row, --batches 1,4,40,256, --gzip (what packing a batch would cost, alone). After a build:
// `node --import ./test/support/typescript-loader.mjs bench/shipping.ts`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pino } from 'pino';
import { Secret } from '../src/core/secret.js';
import { tagsOf } from '../src/logs/tags.js';
import { type Deliver, deliverTo } from '../src/spool/deliver.js';
import type { Entry } from '../src/spool/entry.js';
import { AdminDelivery } from '../src/spool/remote/admin-delivery.js';
import { encodeBatch } from '../src/spool/remote/batch.js';
import { connectStore } from '../src/store/store.js';
import { logRecord } from '../test/support/log-record.js';
import { cpuMsOf, ENGINE_KEY, startAdmin, startMongod } from './processes.js';

const { values: options } = parseArgs({
  options: {
    to: { type: 'string', default: 'mongodb' },
    logs: { type: 'string', default: '10000' },
    batches: { type: 'string', default: '1,4,40,256' },
    gzip: { type: 'boolean', default: false },
  },
});
/** Of some 4 KB, as different from each other as texts of people are. */
const VOCABULARY = Array.from({ length: 3_000 }, (_none, number) =>
  Math.floor(1e6 * Math.abs(Math.sin(number + 1))).toString(36),
);

const folder = mkdtempSync(join(tmpdir(), 'sluice-shipping-'));
const mongod = await startMongod(folder);
const store = connectStore({ uri: mongod.url, logger: pino({ level: 'silent' }) });
await store.ensureIndexes();
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
} finally {
  await delivery?.close();
  await store.close();
  await admin?.child.stop(10_000);
  await mongod.child.stop(10_000);
  rmSync(folder, { recursive: true, force: true });
}

/** As the spool gives them: their JSON. */
function batchOf(size: number): Entry[] {
  return Array.from({ length: size }, (_none, number) => {
    const metadata = { user: `u${number % 50}`, session: `s${number}`, tier: 'pro', app: 'chat' };
    const text = (words: number) =>
      Array.from({ length: words }, () => VOCABULARY[Math.floor(Math.random() * 3_000)]).join(' ');
    const record = logRecord({
      metadata,
      tags: tagsOf(metadata),
      request: { model: 'support', messages: [{ role: 'user', content: text(350) }] },
      response: { content: text(350) },
    });
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
