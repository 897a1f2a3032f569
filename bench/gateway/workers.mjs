// What several workers serve, where the engine is the limit: long messages with personal data that is masked, and
// answers that are validated. Engines of one worker and of several take turns. Options: --workers 1,2, --requests N (of
// a round), --rounds N, --connections N, --kib N (of a message).
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requestBodies } from './bodies.mjs';
import { startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    requests: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    kib: { type: 'string', default: '24' },
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
const systems = [];
try {
  const bodies = longBodies(Number(options.kib) * 1024);
  for (const workers of options.workers.split(',').map(Number)) systems.push(await start(workers));
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const system of systems) {
      const { rate, cores, busy } = await send(system, bodies);
      if (round === 0) continue;
      system.rates.push(rate);
      system.cores.push(cores);
      system.busy.push(busy);
    }
  }
  console.log(`${availableParallelism()} processors; requests/s, the median of ${options.rounds} rounds`);
  for (const { workers, rates, cores, busy, pids } of systems) {
    const memory = pids().map((pid) => residentMib(pid).toFixed(0));
    console.log(
      `${workers} worker(s): ${median(rates).toFixed(0)} requests/s, ${(median(rates) / median(systems[0].rates)).toFixed(2)} × ` +
        `the first; engine on ${median(cores).toFixed(2)} cores of ${median(busy).toFixed(2)} that were busy; MiB of its processes: ${memory.join(', ')}`,
    );
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
          { plugin: 'pii_detection', timeout_ms: 60_000, config: { reject_on_detection: false, mask: true } },
        ],
      },
    ],
  });
  const pids = () => [target.parts.engine, ...childrenOf(target.parts.engine)];
  return { workers, target, stop, pids, rates: [], cores: [], busy: [] };
}

async function send({ target, pids }, bodies) {
  const total = Number(options.requests);
  const before = { engine: cpuSeconds(pids()), all: busySeconds() };
  const result = await wire.load({
    ...{ url: target.url, key: 'sk-bench', bodies, until: '"total_tokens":380', total },
    connections: Number(options.connections),
  });
  if (result.failed > 0) throw new Error(`${result.failed} of ${total} requests failed: ${result.reason}`);
  const { seconds } = result;
  const [engine, all] = [cpuSeconds(pids()) - before.engine, busySeconds() - before.all];
  return { rate: total / seconds, cores: engine / seconds, busy: all / seconds };
}

function longBodies(bytes) {
  return requestBodies('bench', { stream: false, schema: true })
    .slice(0, 50)
    .map((body, number) => {
      const sentences = [];
      for (let length = 0, at = number; length < bytes; at += 1 + (number % 3)) {
        const sentence = SENTENCES[at % SENTENCES.length];
        sentences.push(sentence);
        length += sentence.length + 1;
      }
      const { messages, ...rest } = JSON.parse(body);
      return JSON.stringify({
        ...rest,
        messages: [...messages, { role: 'user', content: sentences.join(' ') }],
      });
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

/** Of all processors and all that runs on them. */
function busySeconds() {
  const [user, nice, system] = readFileSync('/proc/stat', 'utf8').split(/\s+/).slice(1).map(Number);
  return (user + nice + system) / 100;
}

function residentMib(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
}
