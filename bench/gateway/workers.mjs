// What several workers serve, where the engine is the limit: each request brings a text of its own with personal data,
// which several guards look at, and its answer is validated. The text is short enough that the guards do not give it to a
// thread (longer ones keep a second core busy with one worker already), and no text comes twice, so nothing is known
// from before. The end of a round, when some connections have no request any more, does not count for the rate. What the
// machine itself gives is measured beside it in each round: as many processes that look for personal data in such texts and
// do nothing else. The last columns say what keeps the rate from more: what it would be at the measured CPU a request if no
// processor were ever idle, and how the requests were divided. Engines of one worker and of several take turns. Options: --workers 1,2,
// --requests N (of a round), --rounds N, --connections N, --characters N (of a text), --detectors N (of personal data,
// beside two other guards), --pin: while it is asked a gateway has as many processors as it has workers, for all that takes
// part, clients and model too (with `taskset`, of Linux). Without it one worker has a second processor beside it for Envoy and
// all others, which two workers have not.
import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NODE_FLAGS } from '../../dist/process/memory.js';
import { personalText, requestBodies } from './bodies.mjs';
import { startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    requests: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    characters: { type: 'string', default: '1800' },
    detectors: { type: 'string', default: '40' },
    pin: { type: 'boolean', default: false },
  },
});
const PROCESSORS = availableParallelism();
/** As long as a round of requests, about. */
const CALCULATION_MS = 2_000;

const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wire = await openWire(directory);
const counts = options.workers.split(',').map(Number);
const systems = [];
const calculators = [];
/** For each count of workers, what as many processes calculated, round by round. */
const bare = counts.map(() => []);
let bodiesMade = 0;
try {
  for (const workers of counts) systems.push(await start(workers));
  for (let number = 0; number < Math.max(...counts); number++) calculators.push(await startCalculator());
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const [at, system] of systems.entries()) {
      // Before the first figure each worker has as many as the only one has.
      const bodies = freshBodies(round === 0 ? counts[at] : 1);
      if (options.pin) pin(system, processorsOf(system));
      const seen = await send(system, bodies);
      if (options.pin) pin(system, PROCESSORS);
      const calculated = await calculate(counts[at]);
      // The first is to get warm.
      if (round > 0) system.rounds.push(seen);
      if (round > 0) bare[at].push(calculated);
    }
  }
  const gains = bare.map((rounds, at) => `${counts[at]}: ${median(rounds.map(gainOf)).toFixed(2)}`);
  console.log(`${PROCESSORS} processors; processes that only calculate, × the first: ${gains.join(', ')}`);
  console.log(`the median of ${options.rounds} rounds`);
  console.log(
    'workers | requests/s | × the first, round by round | × the first if no processor idled | engine ms a request | engine’s share of all CPU | engine on cores | requests of each worker | MiB of its processes',
  );
  for (const { workers, rounds, pids } of systems) {
    const of = (value) => median(rounds.map(value));
    const columns = [
      of(({ rate }) => rate).toFixed(0),
      of(({ rate }, round) => rate / systems[0].rounds[round].rate).toFixed(2),
      of((seen, round) => limitOf(seen, processorsOf({ workers })) / systems[0].rounds[round].rate).toFixed(
        2,
      ),
      of(({ engine, total }) => (engine * 1000) / total).toFixed(2),
      `${of(({ engine, others }) => (engine / (engine + others)) * 100).toFixed(0)} %`,
      of(({ engine, seconds }) => engine / seconds).toFixed(2),
      sharesOf(rounds),
      pids()
        .map((pid) => residentMib(pid).toFixed(0))
        .join(', '),
    ];
    console.log([workers, ...columns].join(' | '));
  }
} finally {
  for (const calculator of calculators) calculator.kill();
  for (const { stop } of systems) await stop();
  wire.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function start(workers) {
  const own = join(directory, String(workers));
  mkdirSync(own);
  const { target, stop } = await startOnlySluice(own, wire.port, {
    config: { engine: { workers } },
    endpoints: [
      {
        name: 'bench',
        models: [{ provider: 'bench', model: 'valid' }],
        json_validation: true,
        // What a log holds of long messages is MongoDB's work.
        log_content: 'none',
        plugins: [
          guard('pii_detection', ['request', 'response'], { reject_on_detection: false, mask: true }),
          // Stricter ones are tried beside it, as one does before one enforces them.
          ...Array.from({ length: Number(options.detectors) - 1 }, (_none, index) => ({
            ...guard('pii_detection', ['request'], { score_threshold: 0.3 + index / 100 }),
            mode: 'observe',
          })),
          guard('secrets_detection', ['request', 'response'], {}),
          guard('text_rules', ['request'], { rules: [{ words: ['zeppelin', 'quicksilver'], deny: true }] }),
        ],
      },
    ],
  });
  const pids = () => [target.parts.engine, ...childrenOf(target.parts.engine)];
  return { workers, target, stop, pids, rounds: [] };
}

function guard(plugin, phases, config) {
  return { plugin, phases, timeout_ms: 60_000, config };
}

async function send({ target, pids }, bodies) {
  const total = bodies.length;
  const { envoy, mongod } = target.parts;
  const used = () => ({
    engine: cpuSeconds(pids()),
    // Clients are children that have ended by then.
    others: cpuSeconds([envoy, mongod, wire.pid]) + cpuOfEndedChildren(),
  });
  const before = used();
  const servedBefore = await servedBy(target);
  const result = await wire.load({
    ...{ url: target.url, key: 'sk-bench', bodies, until: '"total_tokens":380', total },
    connections: Number(options.connections),
  });
  if (result.failed > 0) throw new Error(`${result.failed} of ${total} requests failed: ${result.reason}`);
  const { seconds } = result;
  const after = used();
  const [engine, others] = [after.engine - before.engine, after.others - before.others];
  const rate = (total - Number(options.connections)) / result.fullSeconds;
  const served = (await servedBy(target)).map((count, at) => count - (servedBefore[at] ?? 0));
  return { rate, engine, others, seconds, total, served };
}

/** Leaves a gateway, the model and this process, with the clients that it starts, the first so many processors. */
function pin({ target, pids }, processors) {
  for (const pid of [process.pid, wire.pid, target.parts.envoy, target.parts.mongod, ...pids()])
    execFileSync('taskset', ['-a', '-c', '-p', `0-${processors - 1}`, String(pid)], { stdio: 'ignore' });
}

/** How many requests each worker has served. */
async function servedBy({ adminUrl }) {
  const response = await fetch(`${adminUrl}/metrics`, {
    headers: { authorization: 'Bearer sk-admin-bench' },
  });
  const lines = (await response.text()).matchAll(/^sluice_requests_total\{.*?worker="(\d+)".*?\} (\d+)$/gm);
  const counts = [];
  for (const [, worker, count] of lines) counts[worker - 1] = (counts[worker - 1] ?? 0) + Number(count);
  return counts;
}

/** In percent, of all rounds. */
function sharesOf(rounds) {
  const sums = [];
  for (const { served } of rounds) {
    for (const [at, count] of served.entries()) sums[at] = (sums[at] ?? 0) + count;
  }
  const all = sums.reduce((sum, count) => sum + count, 0);
  return sums.length === 0 ? 'all' : sums.map((sum) => `${((sum / all) * 100).toFixed(0)} %`).join(', ');
}

/** Requests a second at this CPU a request, if all processors worked all the time. */
function limitOf({ engine, others, total }, processors) {
  return (processors * total) / (engine + others);
}

function processorsOf({ workers }) {
  return options.pin ? Math.min(workers, PROCESSORS) : PROCESSORS;
}

/** Of one round: no text comes a second time. */
function freshBodies(times) {
  const { messages: _messages, ...rest } = JSON.parse(
    requestBodies('bench', { stream: false, schema: true })[0],
  );
  return Array.from({ length: Number(options.requests) * times }, () => {
    const content = personalText(bodiesMade++, Number(options.characters));
    return JSON.stringify({ ...rest, messages: [{ role: 'user', content }] });
  });
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

/** Seconds of user and system time of processes. */
function cpuSeconds(pids) {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);
}

async function startCalculator() {
  const program = fileURLToPath(new URL('./calculator.mjs', import.meta.url));
  const calculator = fork(program, [options.characters], { execArgv: NODE_FLAGS });
  await new Promise((resolve) => calculator.once('message', resolve));
  return calculator;
}

/** How many texts so many processes look at together. */
async function calculate(count) {
  const all = calculators.slice(0, count).map(
    (calculator) =>
      new Promise((resolve) => {
        calculator.once('message', resolve);
        calculator.send(CALCULATION_MS);
      }),
  );
  return (await Promise.all(all)).reduce((sum, done) => sum + done, 0);
}

function gainOf(calculated, round) {
  return calculated / bare[0][round];
}

/** Of this process's children that were waited for. */
function cpuOfEndedChildren() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function residentMib(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
}
