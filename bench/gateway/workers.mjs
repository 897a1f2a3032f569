// What several workers serve, where the engine is the limit. Each request is the case of a customer, and its answer the
// report of one: texts with names, addresses, numbers of telephones and cards, none of which comes twice. Guards look at
// both, and the report is held to a JSON Schema. Each text is short enough that the guards do not give it to a thread (longer
// ones keep a second core busy with one worker already). Nobody has 40 detectors: they stand for as much of the engine's
// work as makes Envoy, MongoDB, the model and the clients small, which share the processors here and are elsewhere in a
// deployment. What each takes stands in the second table.
// Before the first figure each worker has served thousands of short requests, so that its code is compiled, and a round.
// The end of a round, when some connections have no request any more, does not count for the rate. What the
// machine itself gives is measured beside it in each round: as many processes that look for personal data in such texts and
// do nothing else. Engines of one worker and of several take turns. Options: --workers 1,2,
// --requests N (of a round), --rounds N, --warm N (short requests for each worker), --connections N, --characters N (of a
// case), --detectors N (of personal data, beside two other guards), --pin: while it is asked a gateway has as many
// processors as it has workers, for all that takes part, clients and model too (with `taskset`, of Linux). Without it one
// worker has a second processor beside it for Envoy and all others, which two workers have not.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
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
    requests: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    warm: { type: 'string', default: '3000' },
    connections: { type: 'string', default: '32' },
    characters: { type: 'string', default: '1800' },
    detectors: { type: 'string', default: '40' },
    pin: { type: 'boolean', default: false },
  },
});
const PROCESSORS = availableParallelism();
/** Detectors of the endpoint for warming up. */
const FEW = 2;
/** How long bare detectors work, about a quarter of a round. */
const BARE_MS = 2_000;
const LOOK_MS = 50;

const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wire = await openWire(directory);
const counts = options.workers.split(',').map(Number);
const systems = [];
/** For each count of workers, how many texts as many bare detectors looked at, round by round. */
const bare = counts.map(() => []);
let bodiesMade = 0;
let detectors;
try {
  for (const workers of counts) systems.push(await start(workers));
  detectors = await startDetectors(Math.max(...counts), Number(options.characters));
  for (const system of systems) await send(system, warmBodies(system.workers), '"total_tokens"');
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const [at, system] of systems.entries()) {
      // Before the first figure each worker has as many as the only one has.
      const bodies = freshBodies(round === 0 ? counts[at] : 1);
      if (options.pin) pin(system, processorsOf(system));
      const seen = await send(system, bodies, '"total_tokens":380');
      if (options.pin) pin(system, PROCESSORS);
      const looked = await detectors.look(counts[at], BARE_MS);
      // The first is to get warm.
      if (round > 0) system.rounds.push(seen);
      if (round > 0) bare[at].push(looked);
    }
  }
  console.log(`${PROCESSORS} processors`);
  tell({ systems, bare, processors: (workers) => processorsOf({ workers }) });
} finally {
  detectors?.stop();
  for (const { stop } of systems) await stop();
  wire.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function start(workers) {
  const own = join(directory, String(workers));
  mkdirSync(own);
  const endpoint = (name, model, detectors) => ({
    name,
    models: [{ provider: 'bench', model }],
    json_validation: true,
    // What a log holds of long messages is MongoDB's work.
    log_content: 'none',
    plugins: [
      guard('pii_detection', ['request', 'response'], { reject_on_detection: false, mask: true }),
      // Stricter ones are tried beside it, as one does before one enforces them.
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
  return { workers, target, parts, stop, envoySocket, rounds: [] };
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

/** Leaves a gateway, the model and this process, with the clients that it starts, the first so many processors. */
function pin({ parts }, processors) {
  for (const pid of [process.pid, ...Object.values(parts)])
    execFileSync('taskset', ['-a', '-c', '-p', `0-${processors - 1}`, String(pid)], { stdio: 'ignore' });
}

function processorsOf({ workers }) {
  return options.pin ? Math.min(workers, PROCESSORS) : PROCESSORS;
}

/** Of one round: no text comes a second time. */
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
