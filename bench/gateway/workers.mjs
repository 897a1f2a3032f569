// What several workers serve, where the engine is the limit: each request brings a text of its own with personal data,
// which several guards look at, and its answer is validated. The text is short enough that the guards do not give it to a
// thread (longer ones keep a second core busy with one worker already), and no text comes twice, so nothing is known
// from before. What the machine itself gives to processes that only calculate is measured beside it. Engines of one worker and of several take turns. Options: --workers 1,2, --requests N (of a round),
// --rounds N, --connections N, --characters N (of a text), --detectors N (of personal data, beside two other guards).
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { requestBodies } from './bodies.mjs';
import { startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    requests: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    characters: { type: 'string', default: '1800' },
    detectors: { type: 'string', default: '8' },
  },
});
const SENTENCES = [
  'Call Maria Jensen in Aarhus at +45 20 12 34 56 before the report goes to the board.',
  'The invoice went to jens.holm@example.com, and his card 4111 1111 1111 1111 was refused.',
  'Our team looks at costs of storage and at requests that took longer than they did in spring.',
  'A reader should be able to check each figure, so say where it comes from and who wrote it down.',
];

const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wire = await openWire(directory);
const run = promisify(execFile);
const systems = [];
let bodiesMade = 0;
try {
  for (const workers of options.workers.split(',').map(Number)) systems.push(await start(workers));
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const system of systems) {
      const seen = await send(system, freshBodies());
      if (round > 0) system.rounds.push(seen);
    }
  }
  const counts = options.workers.split(',').map(Number);
  const bare = [];
  for (const count of counts) bare.push(await calculate(count));
  const gains = counts.map((count, at) => `${count}: ${(bare[at] / bare[0]).toFixed(2)}`);
  console.log(
    `${availableParallelism()} processors; processes that only calculate, × the first: ${gains.join(', ')}`,
  );
  console.log(`the median of ${options.rounds} rounds`);
  console.log(
    'workers | requests/s | × the first, round by round | engine ms a request | engine’s share of all CPU | engine on cores | MiB of its processes',
  );
  for (const { workers, rounds, pids } of systems) {
    const of = (value) => median(rounds.map(value));
    const columns = [
      of(({ rate }) => rate).toFixed(0),
      of(({ rate }, round) => rate / systems[0].rounds[round].rate).toFixed(2),
      of(({ engine, total }) => (engine * 1000) / total).toFixed(2),
      `${of(({ engine, others }) => (engine / (engine + others)) * 100).toFixed(0)} %`,
      of(({ engine, seconds }) => engine / seconds).toFixed(2),
      pids()
        .map((pid) => residentMib(pid).toFixed(0))
        .join(', '),
    ];
    console.log([workers, ...columns].join(' | '));
  }
} finally {
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
  const result = await wire.load({
    ...{ url: target.url, key: 'sk-bench', bodies, until: '"total_tokens":380', total },
    connections: Number(options.connections),
  });
  if (result.failed > 0) throw new Error(`${result.failed} of ${total} requests failed: ${result.reason}`);
  const { seconds } = result;
  const after = used();
  const [engine, others] = [after.engine - before.engine, after.others - before.others];
  return { rate: total / seconds, engine, others, seconds, total };
}

/** Of one round: no text comes a second time. */
function freshBodies() {
  const { messages: _messages, ...rest } = JSON.parse(
    requestBodies('bench', { stream: false, schema: true })[0],
  );
  return Array.from({ length: Number(options.requests) }, () => {
    const number = bodiesMade++;
    const sentences = [`Case ${number}.`];
    for (let length = 0, at = number; ; at += 1 + (number % 3)) {
      const sentence = SENTENCES[at % SENTENCES.length];
      length += sentence.length + 1;
      if (length > Number(options.characters)) break;
      sentences.push(sentence);
    }
    return JSON.stringify({ ...rest, messages: [{ role: 'user', content: sentences.join(' ') }] });
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

/** What so many processes calculate together in two seconds; each reads and writes JSON, and looks for patterns. */
async function calculate(count) {
  const script = `
    const text = ${JSON.stringify(SENTENCES.join(' '))};
    let done = 0;
    for (const end = Date.now() + 2000; Date.now() < end; done++)
      JSON.parse(JSON.stringify({ text, found: [...text.matchAll(/[A-Z][a-z]+ [A-Z][a-z]+|\\d[\\d ]{7,}/g)].map(([one]) => one) }));
    console.log(done);
  `;
  const runs = Array.from({ length: count }, () => run(process.execPath, ['-e', script]));
  return (await Promise.all(runs)).reduce((sum, { stdout }) => sum + Number(stdout), 0);
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
