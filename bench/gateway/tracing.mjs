// What tracing costs: CPU of Envoy and engine a request without a collector, and with one that takes spans over OTLP: at a
// share of traces from Envoy alone and from both, and at all traces. They take turns. Options: --requests N (of a round), --rounds N,
// --connections N, --share 0.1.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requestBodies } from './bodies.mjs';
import { startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '32' },
    share: { type: 'string', default: '0.1' },
  },
});

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
});
const wire = await openWire(directory);
const systems = [];
try {
  systems.push(await start('without', {}));
  const some = tracing(options.share);
  const share = `${Number(options.share) * 100} %`;
  systems.push(await start(`${share}, Envoy alone`, { envoyEnvironment: some }));
  systems.push(await start(share, { environment: some }));
  systems.push(await start('100 %', { environment: tracing('1') }));
  const bodies = requestBodies('bench', { stream: false });
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const system of systems) {
      const cost = await costOf(system, bodies);
      if (round >= 0) for (const [part, ms] of Object.entries(cost)) system.costs[part].push(ms);
    }
  }
  const [without] = systems;
  const base = least(without.costs.envoy) + least(without.costs.engine);
  console.log('tracing | Envoy ms | engine ms | more, of both together: by Envoy | by the engine | in all');
  for (const { name, costs } of systems) {
    const more = (part) => (least(costs[part]) - least(without.costs[part])) / base;
    const shares = [more('envoy'), more('engine'), more('envoy') + more('engine')];
    const columns = shares.map((share) => `${(share * 100).toFixed(1)} %`);
    const costsOf = ['envoy', 'engine'].map((part) => least(costs[part]).toFixed(3));
    console.log([name, ...costsOf, ...columns].join(' | '));
  }
} finally {
  for (const { stop } of systems) await stop();
  wire.stop();
  collector.close();
  collector.closeAllConnections();
  rmSync(directory, { recursive: true, force: true });
}

async function start(name, environments) {
  const own = join(directory, String(systems.length));
  mkdirSync(own);
  const { target, stop } = await startOnlySluice(own, wire.port, {
    ...environments,
    endpoints: [{ name: 'bench', models: [{ provider: 'bench', model: 'bench' }] }],
  });
  return { name, target, stop, costs: { envoy: [], engine: [] } };
}

async function costOf({ target }, bodies) {
  const total = Number(options.requests);
  const before = cpuOf(target);
  const result = await wire.load({
    ...{ url: target.url, key: 'sk-bench', bodies, until: '"total_tokens":380', total },
    connections: Number(options.connections),
  });
  if (result.failed > 0) throw new Error(`${result.failed} of ${total} requests failed: ${result.reason}`);
  // Logs and spans leave in batches; their work belongs to the round.
  await new Promise((resume) => setTimeout(resume, 1_500));
  const after = cpuOf(target);
  return Object.fromEntries(
    ['envoy', 'engine'].map((part) => [part, ((after[part] - before[part]) * 1000) / total]),
  );
}

function cpuOf({ parts }) {
  return Object.fromEntries(Object.entries(parts).map(([name, pid]) => [name, cpuSeconds(pid)]));
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Of all rounds: what else runs on the machine only ever adds. */
function least(numbers) {
  return Math.min(...numbers);
}
