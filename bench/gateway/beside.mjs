// What requests at a steady rate wait beside the work that goes on behind them: exports, statistics, lists, tags and the
// deletion of expired logs (which begins once a minute), all in the process that serves the requests. Prints the response
// times of an engine that does nothing, of the same while Sluice does that work on the same cores, of Sluice alone, and
// of Sluice beside that work; the longest steps of Sluice's event loop and how many took over 5 and 10 ms, in
// milliseconds of its own work; and how much of a core each process used. Options: --rate N requests a second, --seconds S
// for each row, --logs N in the project before, --rounds R, --only PATTERN (names of rows), --within (in which functions
// the longest step was spent).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { requestBodies } from './bodies.mjs';
import { cpuMs } from './cpu.mjs';
import { startOnlySluice, startTargets } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '62' },
    logs: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    within: { type: 'boolean', default: false },
  },
});
const [rate, seconds, filled, rounds] = ['rate', 'seconds', 'logs', 'rounds'].map((name) =>
  Number(options[name]),
);
const CONNECTIONS = 32;
const DAYS_KEPT = 7;
/** The share of the project's logs whose time has passed when the work begins. */
const EXPIRED = 0.5;
const PROJECT = '00000000-0000-4000-8000-000000000001';
const HEADERS = { authorization: 'Bearer sk-all' };
/** Logs whose time has passed: all others were written by this run. */
const OLD = { created_at: { $lt: new Date(Date.now() - 86_400_000) } };
/** What asks for logs, each again after a pause of so many milliseconds. */
const BACKGROUND = [
  ['/exports/sft.jsonl?include_unrated=true', 500],
  ['/logs?limit=50', 200],
  ['/logs?limit=50&sort=duration', 500],
  ['/stats?by=endpoint', 200],
  ['/stats?bucket=hour&by=tag', 500],
  // Counted from the logs themselves.
  ['/stats?bucket=hour&by=model&tag=app:chat', 1_000],
  ['/tags?limit=100', 500],
];

const folder = mkdtempSync(join(tmpdir(), 'sluice-beside-'));
const steps = join(folder, 'steps.json');
const wire = await openWire(folder);
const noop = await startTargets(folder, wire.port, ['noop']);
const sluice = await startOnlySluice(join(folder, 'sluice'), wire.port, {
  endpoints: [{ name: 'bench', models: [{ provider: 'bench', model: 'bench' }] }],
  keys: [{ name: 'all', key: 'sk-all', scopes: ['feedback', 'logs'] }],
  project: { retention_days: DAYS_KEPT },
  environment: {
    NODE_OPTIONS: `--require ${fileURLToPath(new URL('./step-probe.cjs', import.meta.url))}`,
    BENCH_STEPS: steps,
    ...(options.within ? { BENCH_STEPS_PROFILE: '1' } : {}),
  },
});
const only = new RegExp(options.only);
const ROWS = [
  ['no-op engine', noop.targets[0]],
  ['no-op engine, Sluice does the work', noop.targets[0], background],
  ['Sluice', sluice.target, () => sleep(1)],
  ['Sluice beside the work', sluice.target, background],
];
const client = new MongoClient(sluice.target.mongodUri);
const logs = client.db().collection('logs');
try {
  await send(noop.targets[0], { total: 2_000 });
  await send(sluice.target, { total: filled });
  while ((await logs.estimatedDocumentCount()) < filled) await sleep(100);
  // Compiles what the first call of each kind needs.
  for (const [path] of BACKGROUND) await ask(path, 0, AbortSignal.timeout(1));
  console.log(
    '| | p50 ms | p99 ms | longest steps, ms | over 5 · 10 ms | cores used |\n|---|---|---|---|---|---|',
  );
  for (let round = 0; round < rounds; round++) {
    for (const [name, target, work] of ROWS) if (only.test(name)) await row(name, target, work);
  }
} finally {
  await client.close();
  await sluice.stop();
  await noop.stop();
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function row(name, target, work) {
  const stopping = new AbortController();
  if (work !== undefined) await toggle('begun');
  const cores = coresUsed({ ...target.parts, ...(work === background ? sluice.target.parts : {}) });
  const [{ p50, p99 }, said] = await Promise.all([
    send(target, { total: rate * seconds, rate }).finally(() => stopping.abort()),
    work?.(stopping.signal),
  ]);
  const used = cores();
  const result = work === undefined ? { steps: [] } : await toggle('longest');
  const longest = [result.longest ?? 0, ...result.steps].sort((one, other) => other - one);
  const over = (ms) => result.steps.filter((took) => took > ms).length;
  const shown =
    work === undefined
      ? ' | '
      : `${[...new Set(longest)]
          .slice(0, 5)
          .map((ms) => ms.toFixed(1))
          .join(' ')} | ${over(5)} · ${over(10)}`;
  console.log(`| ${name} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${shown} | ${used} |`);
  if (said) console.log(said);
  for (const [where, ms] of result.within ?? []) console.log(`    ${ms.toFixed(1).padStart(7)} ${where}`);
}

/** Measures processes until the result is called, which says how much of a core each has used. */
function coresUsed(parts) {
  const before = Object.entries(parts).map(([name, pid]) => [name, pid, cpuMs(pid)]);
  const startedAt = performance.now();
  return () => {
    const took = performance.now() - startedAt;
    return before.map(([name, pid, ms]) => `${name} ${((cpuMs(pid) - ms) / took).toFixed(2)}`).join(', ');
  };
}

async function send(target, form) {
  target.bodies ??= requestBodies('bench', {});
  const load = { key: 'sk-bench', connections: CONNECTIONS, until: '"total_tokens":380', rate: 0, ...form };
  const result = await wire.load({ url: target.url, bodies: target.bodies, ...load });
  if (result.failed > 0) throw new Error(`${result.failed} requests failed, the first with ${result.reason}`);
  return result;
}

/** Asks for logs all the time, at least once each, and lets logs expire, until `signal`. Says how often it did so. */
async function background(signal) {
  const before = await expire();
  const counts = await Promise.all(BACKGROUND.map(([path, pause]) => ask(path, pause, signal)));
  const deleted = before - (await logs.countDocuments(OLD));
  const asked = BACKGROUND.map(([path], index) => `${counts[index]} ${path}`).join(', ');
  return `    ${asked}, ${deleted} logs deleted`;
}

/** Makes a share of the logs old. Resolves with the number of old logs. */
async function expire() {
  const few = await logs
    .find({ created_at: { $gte: OLD.created_at.$lt } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(filled * EXPIRED)
    .toArray();
  const back = { $dateSubtract: { startDate: '$created_at', unit: 'day', amount: DAYS_KEPT } };
  const ids = { _id: { $in: few.map(({ _id }) => _id) } };
  await logs.updateMany(ids, [{ $set: { created_at: back } }]);
  return logs.countDocuments(OLD);
}

async function ask(path, pause, signal) {
  let count = 0;
  do {
    const response = await fetch(`${sluice.target.adminUrl}/${PROJECT}${path}`, { headers: HEADERS });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
    count++;
    await sleep(pause, undefined, { signal }).catch(() => {});
  } while (!signal.aborted);
  return count;
}

/** Starts or ends a measurement of steps, and waits until it is written. */
async function toggle(member) {
  rmSync(steps, { force: true });
  process.kill(sluice.target.parts.engine, 'SIGUSR2');
  for (;;) {
    await sleep(5);
    try {
      const result = JSON.parse(readFileSync(steps, 'utf8'));
      if (member in result) return result;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
}
