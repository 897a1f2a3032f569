// How the throughput grows with the number of workers, where the engine is the limit. Each request is the case of a
// customer, and its answer a report of the case, with names, addresses, and numbers of telephones and cards, none of
// which occurs twice. Guards read both, and the report must match a JSON Schema. Each text is short enough that
// guards scan it in the worker itself; longer ones would use a second core even with one worker. The endpoint has 64
// detectors, far more than anybody needs, so that the engine's work is large compared with that of Envoy, MongoDB,
// the model and the clients, which share the processors here but not in a deployment. The second table shows the
// share of each. Before the first figure, each worker serves thousands of short requests, so that its code is
// compiled, and then a whole round. The end of a round, when some connections have no request left, does not count
// for the rate. In each round, every engine runs once with all its helpers on as many processors as it has workers
// (by `taskset` of Linux), and once on all processors; there, a single worker has a second processor for Envoy and
// the others, which two workers have not. Gateways that are not measured are stopped meanwhile. For comparison, the
// same number of processes that only look for personal data in such texts shows what the machine itself can do.
// Options: --workers 1,2, --requests N (of a round), --rounds N, --warm N (short requests for each worker),
// --connections N, --characters N (of a case), --detectors N (of personal data, besides two other guards).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDetectors } from './bare-detectors.mjs';
import { reportBody, requestBodies } from './bodies.mjs';
import { cpuOf, cpuOfEndedChildren, processorSeconds } from './processes.mjs';
import { startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';
import { requestsInFlight, requestsServed } from './worker-shares.mjs';
import { tell } from './worker-tables.mjs';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    requests: { type: 'string', default: '160' },
    rounds: { type: 'string', default: '5' },
    warm: { type: 'string', default: '3000' },
    connections: { type: 'string', default: '16' },
    characters: { type: 'string', default: '1800' },
    detectors: { type: 'string', default: '64' },
  },
});
const PROCESSORS = availableParallelism();
/** The number of detectors of the endpoint that warms up. */
const FEW = 2;
/** How long bare detectors work: about a quarter of a round. */
const BARE_MS = 2_000;
const LOOK_MS = 500;
/** A process that is continued first does what became due while it was stopped. */
const WAKING_MS = 1_500;
/** A text near the end of each answer. */
const UNTIL = '"total_tokens":380';

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wire = await openWire(folder);
const counts = options.workers.split(',').map(Number);
const systems = [];
/** Each system on each number of processors, with the results of its rounds. */
const arms = [];
/** For each number of workers, how many texts the same number of bare detectors read in each round. */
const bare = counts.map(() => []);
let bodiesMade = 0;
let detectors;
try {
  for (const workers of counts) systems.push(await start(workers));
  detectors = await startDetectors(Math.max(...counts), Number(options.characters));
  for (const system of systems) {
    await send(system, warmBodies(system.workers), '"total_tokens"');
    // Each worker gets as many requests as the worker of a system that has only one.
    await send(system, freshBodies(system.workers), UNTIL);
    for (const processors of processorsFor(system)) arms.push({ ...system, processors, rounds: [] });
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const arm of arms) {
      await onlyAwake(arm.workers);
      pin(arm, arm.processors);
      arm.rounds.push(await send(arm, freshBodies(1), UNTIL));
      pin(arm, PROCESSORS);
    }
    await onlyAwake();
    for (const [at, count] of counts.entries()) bare[at].push(await detectors.look(count, BARE_MS));
  }
  console.log(`${PROCESSORS} processors`);
  tell({ counts, arms, bare });
} finally {
  for (const { parts } of systems) for (const pid of Object.values(parts)) process.kill(pid, 'SIGCONT');
  detectors?.stop();
  for (const { stop } of systems) await stop();
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function start(workers) {
  const own = join(folder, String(workers));
  mkdirSync(own);
  const endpoint = (name, model, detectors) => ({
    name,
    models: [{ provider: 'bench', model }],
    json_validation: true,
    // Long texts in logs would cause work for MongoDB that is not measured here.
    log_content: 'none',
    plugins: [
      guard('pii_detection', ['request', 'response'], { reject_on_detection: false, mask: true }),
      // The other detectors only observe, like stricter ones that operators try before they enforce them.
      ...Array.from({ length: detectors - 1 }, (_none, index) => ({
        ...guard('pii_detection', ['request', 'response'], { score_threshold: 0.3 + index / 100 }),
        mode: 'observe',
      })),
      guard('secrets_detection', ['request', 'response'], {}),
      guard('text_rules', ['request'], { rules: [{ words: ['zeppelin', 'quicksilver'], deny: true }] }),
    ],
  });
  const { target, stop } = await startOnlySluice(own, wire.port, {
    config: { engine: { workers } },
    endpoints: [
      endpoint('bench', 'report', Number(options.detectors)),
      endpoint('warm', 'valid', Math.min(FEW, Number(options.detectors))),
    ],
  });
  const children = childrenOf(target.parts.engine);
  const parts = {
    ...target.parts,
    model: wire.pid,
    ...Object.fromEntries(children.map((pid, index) => [`worker-${index + 1}`, pid])),
  };
  const envoySocket = join(own, 'data', 'envoy-admin.sock');
  return { workers, target, parts, stop, envoySocket };
}

function guard(plugin, phases, config) {
  return { plugin, phases, timeout_ms: 60_000, config };
}

async function send({ workers, target, parts, envoySocket }, bodies, until) {
  const total = bodies.length;
  const used = () => ({
    ...cpuOf({ parts }),
    bench: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    clients: cpuOfEndedChildren(),
  });
  const servedBefore = await requestsServed(target);
  const inFlight = [];
  const look = async () => inFlight.push(await requestsInFlight(envoySocket));
  const timer = workers > 1 ? setInterval(() => void look(), LOOK_MS) : undefined;
  const [before, machineBefore] = [used(), processorSeconds()];
  const result = await wire.load({
    ...{ url: target.url, key: 'sk-bench', bodies, until, total },
    connections: Number(options.connections),
  });
  const [after, machineAfter] = [used(), processorSeconds()];
  clearInterval(timer);
  if (result.failed > 0) throw new Error(`${result.failed} of ${total} requests failed: ${result.reason}`);
  const cpu = Object.fromEntries(Object.keys(after).map((part) => [part, after[part] - before[part]]));
  const machine = { all: machineAfter.all - machineBefore.all, idle: machineAfter.idle - machineBefore.idle };
  const served = (await requestsServed(target)).map((count, at) => count - (servedBefore[at] ?? 0));
  const rate = (total - Number(options.connections)) / result.fullSeconds;
  return { ...result, total, rate, cpu, machine, served, inFlight };
}

/**
 * Stops all gateways but the one with this many workers. An idle gateway uses a twentieth of a processor, which would
 * only slow down an engine that uses all processors.
 */
async function onlyAwake(workers) {
  for (const system of systems) {
    const { model: _shared, ...own } = system.parts;
    for (const pid of Object.values(own))
      process.kill(pid, system.workers === workers ? 'SIGCONT' : 'SIGSTOP');
  }
  await sleep(WAKING_MS);
}

/** Restricts a gateway, the model, and this process with its clients to the first processors. */
function pin({ parts }, processors) {
  for (const pid of [process.pid, ...Object.values(parts)])
    execFileSync('taskset', ['-a', '-c', '-p', `0-${processors - 1}`, String(pid)], { stdio: 'ignore' });
}

/** The numbers of processors to try: one for each worker, and all. */
function processorsFor({ workers }) {
  return [...new Set([Math.min(workers, PROCESSORS), PROCESSORS])];
}

/** The bodies of one round. No text comes a second time. */
function freshBodies(times) {
  return Array.from({ length: Number(options.requests) * times }, () =>
    reportBody('bench', bodiesMade++, Number(options.characters)),
  );
}

function warmBodies(workers) {
  const bodies = requestBodies('warm', { stream: false, schema: true });
  return Array.from({ length: Number(options.warm) * workers }, (_none, at) => bodies[at % bodies.length]);
}

function childrenOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children.split(' ').filter(Boolean).map(Number);
}
