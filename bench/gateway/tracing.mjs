// What tracing costs: CPU of Envoy and engine a request without a collector, and with one that takes spans over OTLP: at a
// share of traces from Envoy alone and from both, and at all traces. Beside them an Envoy without us, with and without its
// tracer: what that costs no configuration of ours can change. They take turns; the least of all rounds counts, since what
// else runs on the machine only ever adds. Options: --requests N (of a turn), --rounds N, --connections N, --share 0.1.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requestBodies } from './bodies.mjs';
import { cpuMs } from './cpu.mjs';
import { startBareEnvoy, startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1500' },
    rounds: { type: 'string', default: '24' },
    connections: { type: 'string', default: '32' },
    share: { type: 'string', default: '0.1' },
  },
});

const PARTS = ['envoy', 'engine'];
const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const collector = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end());
});
await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve));
const tracing = (share) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
  OTEL_METRICS_EXPORTER: 'none',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: share,
  // No round without an export.
  OTEL_BSP_SCHEDULE_DELAY: '1000',
});
const some = tracing(options.share);
const share = `${Number(options.share) * 100} %`;
const wire = await openWire(directory);
const systems = [];
try {
  await add('Envoy without us', () => startBareEnvoy(join(directory, 'bare'), wire.port));
  await add(`${share}, Envoy without us`, () => startBareEnvoy(join(directory, 'traced'), wire.port, some));
  await add('without', () => sluice('without', {}));
  await add(`${share}, Envoy alone`, () => sluice('envoy', { envoyEnvironment: some }));
  await add(share, () => sluice('share', { environment: some }));
  await add('100 %', () => sluice('all', { environment: tracing('1') }));
  const bodies = requestBodies('bench', { stream: false });
  // One round to get warm, and one more turn each, whose start ends the last round.
  const rounds = Number(options.rounds) + 1;
  for (let round = 0; round <= rounds; round++) {
    for (const system of systems) await turn(system, bodies);
  }
  for (const system of systems) system.costs = costsOf(system.marks.slice(1));
  console.log('tracing | Envoy ms | engine ms | more, of both together: by Envoy | by the engine | in all');
  for (const system of systems) console.log(row(system).join(' | '));
} finally {
  for (const { stop } of systems) await stop();
  wire.stop();
  collector.close();
  collector.closeAllConnections();
  rmSync(directory, { recursive: true, force: true });
}

async function add(name, start) {
  systems.push({ name, ...(await start()), marks: [] });
}

function sluice(name, environments) {
  return startOnlySluice(join(directory, name), wire.port, {
    ...environments,
    endpoints: [{ name: 'bench', models: [{ provider: 'bench', model: 'bench' }] }],
  });
}

async function turn({ target, marks }, bodies) {
  marks.push(Object.fromEntries(Object.entries(target.parts).map(([part, pid]) => [part, cpuMs(pid)])));
  const total = Number(options.requests);
  const result = await wire.load({
    ...{ url: target.url, key: 'sk-bench', bodies, until: '"total_tokens":380', total },
    connections: Number(options.connections),
  });
  if (result.failed > 0) throw new Error(`${result.failed} of ${total} requests failed: ${result.reason}`);
}

/** Milliseconds a request. What a system does until its next turn belongs to this one: logs and spans leave in batches. */
function costsOf(marks) {
  const total = Number(options.requests);
  return marks.slice(1).map((mark, round) => {
    const cost = (part) => (part in mark ? (mark[part] - marks[round][part]) / total : 0);
    return Object.fromEntries(PARTS.map((part) => [part, cost(part)]));
  });
}

function row({ name, target, costs }) {
  const base = systems.find(
    ({ name }) => name === ('engine' in target.parts ? 'without' : 'Envoy without us'),
  );
  const least = (rounds, part) => Math.min(...rounds.map((cost) => cost[part]));
  const sum = (rounds) => PARTS.reduce((total, part) => total + least(rounds, part), 0);
  const more = PARTS.map((part) => (least(costs, part) - least(base.costs, part)) / sum(base.costs));
  const shares = [...more, more[0] + more[1]].map((share) => `${(share * 100).toFixed(1)} %`);
  return [name, ...PARTS.map((part) => least(costs, part).toFixed(3)), ...shares];
}
