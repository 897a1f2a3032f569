// What the first requests after a start wait for. Starts each target anew in every round, sends one request after the other, each over
// a new connection, and prints the medians of the rounds for the first three, the tenth and the last: milliseconds for the client, and
// CPU of the engine. With --pause S it waits for so many seconds, and does the same again with the engine that it has. Other options:
// --targets NAMES, --stream, --rounds N, --requests N.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { requestBodies } from './bodies.mjs';
import { cpuMs } from './cpu.mjs';
import { median } from './report.mjs';
import { namesOf, startTargets } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    targets: { type: 'string', default: 'noop,ai-gateway,sluice,pii,valid' },
    stream: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '100' },
    pause: { type: 'string', default: '0' },
  },
});
const requests = Number(options.requests);
const shown = [1, 2, 3, 10, requests];
/** What a start leaves to do, such as finding the engine's address in Envoy, is not what a request waits for. */
const SETTLE_MS = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wire = await openWire(folder);
const rounds = new Map();
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const name of namesOf(options.targets)) await measure(name, round);
  }
} finally {
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}
print();

async function measure(name, round) {
  const own = join(folder, `${name}-${round}`);
  mkdirSync(own);
  const { targets, stop } = await startTargets(own, wire.port, [name]);
  try {
    const [target] = targets;
    if (target === undefined) return;
    await sleep(SETTLE_MS);
    keep(`${target.name}, after a start`, await sendAll(target));
    if (options.pause === '0') return;
    await sleep(Number(options.pause) * 1000);
    keep(`${target.name}, after ${options.pause} s of silence`, await sendAll(target));
  } finally {
    await stop();
  }
}

function keep(title, figures) {
  rounds.set(title, [...(rounds.get(title) ?? []), figures]);
}

/** Milliseconds that each request took, and that the engine worked for it. */
async function sendAll(target) {
  const { endpoint, schema } = target;
  const { stream } = options;
  const bodies = requestBodies(endpoint, { stream, schema });
  const until = stream ? 'data: [DONE]' : '"total_tokens":380';
  const figures = [];
  for (let index = 0; index < requests; index++) {
    const before = cpuMs(target.parts.engine);
    const one = { bodies: [bodies[index % bodies.length]], total: 1, connections: 1, rate: 0 };
    const form = { url: target.url, key: 'sk-bench', until, ...one };
    const { p50, failed, reason } = await wire.load(form);
    if (failed > 0) throw new Error(`${target.name}: request ${index + 1} failed with ${reason}`);
    figures.push({ waited: p50, worked: cpuMs(target.parts.engine) - before });
  }
  return figures;
}

function print() {
  const titles = shown.map((number) => `request ${number}: waited, worked`);
  const lines = [
    `| ms | ${titles.join(' | ')} | all worked |`,
    `|---|${titles.map(() => '---|').join('')}---|`,
  ];
  for (const [title, list] of rounds) {
    const cells = shown.map((number) =>
      ['waited', 'worked']
        .map((part) => median(list.map((one) => one[number - 1][part])).toFixed(2))
        .join(', '),
    );
    const all = median(list.map((one) => one.reduce((sum, { worked }) => sum + worked, 0)));
    lines.push(`| ${[title, ...cells, all.toFixed(0)].join(' | ')} |`);
  }
  console.log(lines.join('\n'));
}
