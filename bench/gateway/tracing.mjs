// What tracing costs: CPU of Envoy and engine per request without a collector, with a collector and a share of traces
// from Envoy alone, and with traces from both. A further gateway gets requests whose clients say that none of them,
// that share of them, or all of them are sampled; the difference between these three is the cost of spans. An Envoy
// without us, with and without its tracer, shows the cost that no configuration of ours can change. All take turns,
// in another order in each round. Only figures of the same round are compared. Of all rounds the middle three fifths
// count, and the figure after ± is the standard error of their mean. Options: --requests N (of a turn), --rounds N,
// --connections N, --share 0.1, --stream.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { requestBodies } from './bodies.mjs';
import { Collector } from './collector.mjs';
import { cpuMs } from './cpu.mjs';
import { startBareEnvoy, startOnlySluice } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1500' },
    rounds: { type: 'string', default: '15' },
    connections: { type: 'string', default: '32' },
    share: { type: 'string', default: '0.1' },
    stream: { type: 'boolean', default: false },
  },
});

const PARTS = ['envoy', 'engine'];
/** Spans are exported in batches, and logs are shipped, after the last answer. */
const SETTLE_MS = 600;
const EXPORT_MS = 300;
/** The share of a turn that is not measured, because the caches still hold another process's data. */
const WARM_SHARE = 0.2;

const total = Number(options.requests);
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wire = await openWire(folder);
const stops = [() => wire.stop()];
const share = `${Number(options.share) * 100} %`;
try {
  const turns = await startAll();
  const bodies = requestBodies('bench', { stream: options.stream });
  // The first round only warms up.
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const turn of shuffled(turns)) {
      const costs = await take(turn, bodies);
      if (round >= 0) turn.costs.push(costs);
    }
  }
  report(turns);
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the systems, and says for each turn which turn it is compared with. */
async function startAll() {
  const bare = { target: await envoyAlone('bare') };
  const bareTraced = { target: await envoyAlone('bare-traced', tracing((await collector()).port)) };
  const without = { target: await sluice('without', {}) };
  const envoyTraced = {
    target: await sluice('envoy-traced', { envoyEnvironment: tracing((await collector()).port) }),
  };
  const spans = await collector();
  const traced = {
    target: await sluice('traced', {
      environment: tracing(spans.port),
      envoyEnvironment: tracing((await collector()).port),
    }),
    spans,
  };
  const turn = (name, system, base, traceparents) => ({ name, ...system, base, traceparents, costs: [] });
  const first = turn('Envoy without us', bare);
  const second = turn('without', without);
  const none = turn('client: none', traced, undefined, 0);
  return [
    first,
    turn(`${share}, Envoy without us`, bareTraced, first),
    second,
    turn(`${share}, Envoy alone`, envoyTraced, second),
    turn(share, traced, second),
    none,
    turn(`client: ${share}`, traced, none, Number(options.share)),
    turn('client: 100 %', traced, none, 1),
  ];
}

async function collector() {
  const started = await Collector.start();
  stops.push(() => started.stop());
  return started;
}

function tracing(port) {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: options.share,
    // Short enough for an export in each turn.
    OTEL_BSP_SCHEDULE_DELAY: String(EXPORT_MS),
  };
}

async function envoyAlone(name, environment) {
  const { target, stop } = await startBareEnvoy(join(folder, name), wire.port, environment);
  stops.push(stop);
  return target;
}

async function sluice(name, environments) {
  const { target, stop } = await startOnlySluice(join(folder, name), wire.port, {
    ...environments,
    endpoints: [{ name: 'bench', models: [{ provider: 'bench', model: 'bench' }] }],
  });
  stops.push(stop);
  return target;
}

function shuffled(list) {
  const keyed = list.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}

/** Runs a turn. Returns the milliseconds per request of each part, including its work after the last answer. */
async function take({ target, traceparents = -1, spans }, bodies) {
  const form = { url: target.url, key: 'sk-bench', bodies, traced: traceparents };
  const until = options.stream ? 'data: [DONE]' : '"total_tokens":380';
  const send = async (requests) => {
    const connections = Number(options.connections);
    const result = await wire.load({ ...form, until, total: requests, connections });
    if (result.failed > 0)
      throw new Error(`${result.failed} of ${requests} requests failed: ${result.reason}`);
  };
  await send(Math.round(total * WARM_SHARE));
  await sleep(SETTLE_MS);
  const before = readCosts(target, spans);
  await send(total);
  await sleep(SETTLE_MS);
  const after = readCosts(target, spans);
  return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / total]));
}

function readCosts({ parts }, spans) {
  const costs = PARTS.map((part) => [part, part in parts ? cpuMs(parts[part]) : 0]);
  return { ...Object.fromEntries(costs), spans: spans?.spans ?? 0 };
}

function report(turns) {
  console.log(
    "tracing | Envoy ms | engine ms | engine's spans a request | more, of both together: by Envoy | by the engine | in all",
  );
  for (const { name, costs, base = { costs } } of turns) {
    const figures = PARTS.map((part) => middle(costs.map((cost) => cost[part])).mean.toFixed(4));
    const spans = (costs.reduce((sum, cost) => sum + cost.spans, 0) / costs.length).toFixed(2);
    const more = [['envoy'], ['engine'], PARTS].map((parts) => {
      const differences = costs.map((cost, round) => difference(cost, base.costs[round], parts));
      const { mean, error } = middle(differences);
      return `${(mean * 100).toFixed(1)} ± ${(error * 100).toFixed(1)} %`;
    });
    console.log([name, ...figures, spans, ...(base.costs === costs ? [] : more)].join(' | '));
  }
}

/** The difference in these parts, as a share of the whole cost without tracing. */
function difference(cost, base, parts) {
  const sum = (costs, names) => names.reduce((all, part) => all + costs[part], 0);
  return (sum(cost, parts) - sum(base, parts)) / sum(base, PARTS);
}

/** The mean and standard error of the middle three fifths, because other programs on the machine cause outliers. */
function middle(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const cut = Math.floor(sorted.length / 5);
  const kept = sorted.slice(cut, sorted.length - cut);
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  // Winsorised: each outlier counts as the nearest value that is kept.
  const all = sorted.map((value) => Math.min(Math.max(value, kept[0]), kept.at(-1)));
  const centre = all.reduce((sum, value) => sum + value, 0) / all.length;
  const variance = all.reduce((sum, value) => sum + (value - centre) ** 2, 0) / Math.max(1, all.length - 1);
  return { mean, error: Math.sqrt(variance / all.length) / (kept.length / all.length) };
}
