// What a request costs: bare Envoy, Envoy with an engine that does nothing, and Sluice with keys and durable logs,
// side by side in rounds that take turns. CPU is that of Envoy and engine together, from /proc; MongoDB's is shown
// apart. Figures compare within one run only. Options: --requests N (of a round), --rounds N, --json FILE.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load } from './load.mjs';
import { startTargets } from './targets.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    json: { type: 'string' },
  },
});
const TICKS_PER_SECOND = 100;

const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const provider = fork(new URL('./provider.mjs', import.meta.url));
const providerPort = await new Promise((resolve) => provider.once('message', resolve));
const { targets, stop } = await startTargets(directory, providerPort);
const results = [];
try {
  for (const form of ['plain', 'stream']) results.push(...(await measure(form)));
} finally {
  await stop();
  provider.kill();
  rmSync(directory, { recursive: true, force: true });
}
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, undefined, 2));

async function measure(form) {
  const connections = Number(options.connections);
  const total = Number(options.requests) / (form === 'stream' ? 2 : 1);
  const body = JSON.stringify({
    model: 'bench',
    messages: [{ role: 'user', content: 'Write about foxes. '.repeat(40) }],
    ...(form === 'stream' ? { stream: true } : {}),
  });
  const headers = {
    authorization: 'Bearer sk-bench',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const rounds = new Map(targets.map((target) => [target, []]));
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const target of targets) {
      const before = cpuOf(target.pids);
      const mongodBefore = cpuOf(target.mongod ?? []);
      const result = await load({ url: target.url, headers, body, total, connections });
      if (result.failed > 0) throw new Error(`${target.name}: ${result.failed} of ${total} requests failed`);
      // The first round warms up.
      if (round < 0) continue;
      rounds.get(target).push({
        ...result,
        rate: total / result.seconds,
        cpuMs: ((cpuOf(target.pids) - before) / total) * 1000,
        mongodMs: ((cpuOf(target.mongod ?? []) - mongodBefore) / total) * 1000,
      });
    }
  }
  return report(form, rounds);
}

/** Seconds of user and system time of these processes with all their threads. */
function cpuOf(pids) {
  return pids
    .map((pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    })
    .reduce((sum, seconds) => sum + seconds, 0);
}

function report(form, rounds) {
  const rows = [...rounds].map(([{ name }, list]) => ({
    form,
    name,
    rate: median(list.map(({ rate }) => rate)),
    p50: median(list.map(({ p50 }) => p50)),
    p99: median(list.map(({ p99 }) => p99)),
    cpuMs: median(list.map(({ cpuMs }) => cpuMs)),
    mongodMs: median(list.map(({ mongodMs }) => mongodMs)),
  }));
  const bare = rows[0].cpuMs;
  console.log(`\n${form}            requests/s   p50 ms   p99 ms   CPU ms   × bare   mongod ms`);
  for (const row of rows) {
    const figures = [row.rate.toFixed(0), row.p50.toFixed(2), row.p99.toFixed(2), row.cpuMs.toFixed(3)];
    const more = [(row.cpuMs / bare).toFixed(1), row.mongodMs === 0 ? '' : row.mongodMs.toFixed(3)];
    console.log(row.name.padEnd(16) + [...figures, ...more].map((figure) => figure.padStart(9)).join(''));
  }
  return rows;
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
}
