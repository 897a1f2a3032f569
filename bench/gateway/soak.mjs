// Sends many mixed requests through one Sluice, to see what shows only after a while: memory, open files, delays of
// the event loop, the length of the spool, errors. The mix has plain requests, streams whose clients hang up,
// validation, and personal data that is masked. Options: --requests N (1000000), --every N (a line of the table after
// this many requests), --json FILE.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { requestBodies } from './bodies.mjs';
import { anonymousOf, cpuOf, memoryOf, openFilesOf } from './processes.mjs';
import { ENDPOINTS, startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    every: { type: 'string', default: '20000' },
    json: { type: 'string' },
  },
});
const total = Number(options.requests);
const every = Math.min(total, Number(options.every));

/** The mix of a thousand requests. */
const MIX = [
  { share: 0.6, endpoint: 'bench', connections: 16, until: '"total_tokens":380' },
  { share: 0.27, endpoint: 'bench', connections: 10, until: 'data: [DONE]', stream: true },
  // The model pauses in these streams, so that the clients disconnect in the middle of the answer.
  { share: 0.03, endpoint: 'bench', connections: 6, stream: true, hangUp: 1, wish: ' hold_ms=5000' },
  { share: 0.05, endpoint: 'valid', connections: 2, until: '"total_tokens":380', schema: true },
  { share: 0.05, endpoint: 'pii', connections: 2, until: '"total_tokens":380' },
];

const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-'));
const wire = await openWire(folder);
if (!wire.isGo) throw new Error('the clients and the model of this run need a Go compiler');
const { target, stop } = await startOnlySluice(folder, wire.port, { endpoints: ENDPOINTS });
const client = new MongoClient(target.mongodUri);
const logs = client.db().collection('logs');
const kinds = MIX.map(({ endpoint, stream, schema, wish, ...form }) => ({
  ...form,
  bodies: requestBodies(endpoint, { stream, schema, wish }),
}));
const rows = [];
let sent = 0;
let left = 0;
let failed = 0;
try {
  print([
    'requests',
    'hung up',
    'failed',
    'requests/s',
    'engine ms',
    'engine MiB',
    'anonymous',
    'mongod MiB',
    'files',
    'lag p99 ms',
    'spool',
  ]);
  print(Array.from({ length: 11 }, () => '---'));
  while (sent < total) await step();
  await landed();
  const count = await logs.countDocuments();
  if (count !== sent) throw new Error(`${sent} requests were sent and ${count} are logged`);
  const byStatus = await logs.aggregate([{ $group: { _id: '$status', logs: { $sum: 1 } } }]).toArray();
  console.log(`\n${count} logs: ${byStatus.map(({ _id, logs: number }) => `${number} ${_id}`).join(', ')}`);
  const aborted = byStatus.find(({ _id }) => _id === 'aborted')?.logs ?? 0;
  if (aborted !== left) throw new Error(`${left} clients hung up and ${aborted} logs say so`);
  if (failed > 0) process.exitCode = 1;
} finally {
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(rows, undefined, 2));
  await client.close();
  await stop();
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function step() {
  const [began, before] = [performance.now(), cpuOf(target)];
  const results = await Promise.all(kinds.map(send));
  const seconds = (performance.now() - began) / 1000;
  const count = results.reduce((sum, one) => sum + one.count, 0);
  sent += count;
  for (const result of results) {
    left += result.left;
    failed += result.failed;
    if (result.failed > 0) console.log(`${result.failed} failed, the first with ${result.reason}`);
  }
  const { lag, spool } = await metrics();
  const engineMs = ((cpuOf(target).engine - before.engine) / count) * 1000;
  const memory = memoryOf(target);
  const row = {
    ...{ requests: sent, left, failed, rate: count / seconds, engineMs },
    ...{ engineMiB: memory.engine, anonymousMiB: anonymousOf(target).engine, mongodMiB: memory.mongod },
    files: openFilesOf(target).engine,
    ...{ lagMs: lag * 1000, spool },
  };
  rows.push(row);
  const digits = { engineMs: 3, lagMs: 1 };
  print(Object.entries(row).map(([name, value]) => value.toFixed(digits[name] ?? 0)));
}

async function send({ share, until = '', ...form }) {
  const count = Math.ceil(Math.min(every, total - sent) * share);
  const result = await wire.load({ url: target.url, key: 'sk-bench', total: count, until, ...form });
  return { ...result, count };
}

/** From the engine's own metrics: the event loop's lag in seconds, and the entries in its spool. */
async function metrics() {
  const response = await fetch(`${target.adminUrl}/metrics`, {
    headers: { authorization: 'Bearer sk-admin-bench' },
  });
  const text = await response.text();
  const value = (pattern) => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  return {
    lag: value(/^sluice_event_loop_lag_seconds\{quantile="0.99"\} (\S+)/m),
    spool: value(/^sluice_spool_records (\S+)/m),
  };
}

async function landed() {
  while ((await logs.estimatedDocumentCount()) < sent) await sleep(100);
}

function print(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}
