// What a request costs. Compares a bare Envoy, an Envoy with an engine that does nothing, Envoy AI Gateway where it is
// asked for, and Sluice with keys, durable logs and four keys of metadata, in rounds that take turns. The figure to trust
// is the CPU of each process per request, from /proc, because other programs on the machine change response times more
// than CPU. Compare figures only within one run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agentBodies, embeddingBodies, freshBodies, requestBodies } from './bodies.mjs';
import { cpuOf, memoryOf } from './processes.mjs';
import { changes, measured, table, verdicts } from './report.mjs';
import { namesOf, startTargets } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    /**
     * The number of requests in a round over 32 connections. There are fewer over one connection, and fewer streams.
     */
    requests: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '4' },
    /**
     * The number of requests of each target before the first figure. A target that is the only one of its engine gets
     * as many as the targets of another engine get together.
     */
    warm: { type: 'string', default: '20000' },
    /**
     * `base`, `all`, `meshes`, or names with commas between: bare, noop, ai-gateway, sluice, pii, cached, valid, fallback,
     * traced, chain; mesh, mesh-chain, mesh-fallback, tcp.
     */
    targets: { type: 'string', default: 'base' },
    cases: { type: 'string', default: 'plain-32,plain-1,stream-32,stream-1,plain-100/s' },
    json: { type: 'string' },
    markdown: { type: 'string' },
    compare: { type: 'string' },
  },
});

const CASES = {
  'plain-32': { connections: 32, share: 1 },
  'plain-1': { connections: 1, share: 0.25 },
  'plain-100/s': { connections: 32, share: 0.15, rate: 100 },
  /** A case that must be named: a hundred texts in each request. */
  'embeddings-32': { embeddings: true, connections: 32, share: 0.125 },
  /** A case that must be named: each request has texts that were not sent before. */
  'fresh-32': { fresh: true, connections: 32, share: 1 },
  /**
   * A case that must be named: coding agents, whose requests have 37 to 64 KB and thirty tools, and whose answer is a
   * streamed call of one tool.
   */
  'agents-32': { stream: true, agents: true, connections: 32, share: 0.25 },
  'agents-1': { stream: true, agents: true, connections: 1, share: 0.1 },
  'stream-32': { stream: true, connections: 32, share: 0.5 },
  'stream-1': { stream: true, connections: 1, share: 0.2 },
};

/** The end of a complete answer. */
const UNTIL = {
  plain: '"total_tokens":380',
  stream: 'data: [DONE]',
  embeddings: '"total_tokens":3000',
};

/** The tokens of one request, and what each costs in dollars. */
const EMBEDDED_TOKENS = 3000;
const EMBEDDED_PRICE = 2 / 1e6;

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wire = await openWire(folder);
const names = casesOf(options.cases);
const { targets, stop } = await startTargets(folder, wire.port, namesOf(options.targets));
const results = [];
try {
  await warmUp(names);
  for (const name of names) results.push(await measure(name, CASES[name]));
  await checkLogs();
} finally {
  await stop();
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}
const text = [...results.map(table), verdicts(results)].join('\n');
console.log(text);
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, undefined, 2));
if (options.markdown !== undefined) writeFileSync(options.markdown, text);
if (options.compare !== undefined) {
  console.log(changes(results, JSON.parse(readFileSync(options.compare, 'utf8')), options.compare));
}

function casesOf(list) {
  const unknown = list.split(',').filter((name) => !(name in CASES));
  if (unknown.length > 0) {
    throw new Error(`there is no case ${unknown.join(', ')}; there are ${Object.keys(CASES).join(', ')}`);
  }
  return list.split(',');
}

/** An engine becomes faster with the requests that it has seen, so each must have seen the same number. */
async function warmUp(names) {
  const engines = targets.filter(({ logs }) => logs).map(({ parts }) => parts.engine);
  const sharing = (pid) => engines.filter((other) => other === pid).length;
  const most = Math.max(1, ...engines.map(sharing));
  for (const target of targets) {
    const times = target.logs ? most / sharing(target.parts.engine) : 1;
    for (const name of names.filter((one) => !one.includes('-1'))) {
      const { share, rate, ...form } = CASES[name];
      const shares = (names.length > 1 ? 0.5 : 1) * (form.embeddings ? 0.05 : form.agents ? 0.2 : 1);
      await send(target, form, Math.ceil(Number(options.warm) * shares * times));
    }
  }
}

async function measure(name, { share, ...form }) {
  const total = Math.ceil(Number(options.requests) * share);
  const rounds = new Map(targets.map((target) => [target, []]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const target of targets) {
      if (form.stream && !target.streams) continue;
      const before = cpuOf(target);
      const result = await send(target, form, total);
      const after = await settled(target);
      const cpu = Object.fromEntries(
        Object.keys(before).map((part) => [part, ((after[part] - before[part]) / total) * 1000]),
      );
      rounds.get(target).push({ ...result, rate: total / result.seconds, cpu, memory: memoryOf(target) });
    }
  }
  const rows = [...rounds].filter(([, list]) => list.length > 0);
  return { name, rows: rows.map(([target, list]) => measured(target, list)) };
}

async function send(target, { connections, rate = 0, ...form }, total) {
  const { stream = false, embeddings = false } = form;
  if (stream && !target.streams) return undefined;
  const bodies = bodiesOf(target, form, total);
  const until = UNTIL[stream ? 'stream' : embeddings ? 'embeddings' : 'plain'];
  const url = embeddings ? target.url.replace('/chat/completions', '/embeddings') : target.url;
  const result = await wire.load({
    ...{ url, key: 'sk-bench', bodies, until, total, connections, rate },
  });
  if (result.failed > 0)
    throw new Error(
      `${target.name}: ${result.failed} of ${total} requests failed, the first with ${result.reason}`,
    );
  if (target.logs) target.logs.sent += total;
  if (target.logs && embeddings) target.logs.embedded += total;
  return result;
}

/** The same bodies in each round, except where none may repeat. */
function bodiesOf(target, { stream = false, embeddings = false, agents = false, fresh = false }, total) {
  const { endpoint, schema } = target;
  if (fresh) {
    target.fresh = (target.fresh ?? 0) + total;
    return freshBodies(endpoint, target.fresh - total, total);
  }
  target.bodies ??= {};
  const form = agents ? 'agents' : stream ? 'stream' : embeddings ? 'embeddings' : 'plain';
  target.bodies[form] ??= agents
    ? agentBodies(endpoint)
    : embeddings
      ? embeddingBodies(endpoint)
      : requestBodies(endpoint, { stream, schema });
  return target.bodies[form];
}

/** Waits until the logs are shipped and counted. This happens after the answer, but belongs to the round. */
async function settled(target) {
  if (target.logs) {
    await untilLogged(target.logs);
    while (await target.logs.uncounted()) await new Promise((resume) => setTimeout(resume, 100));
  }
  return cpuOf(target);
}

async function untilLogged({ sent, count }) {
  while ((await count()) < sent) await new Promise((resume) => setTimeout(resume, 50));
}

async function checkLogs() {
  for (const logs of new Set(targets.flatMap((target) => target.logs ?? []))) {
    await untilLogged(logs);
    const count = await logs.count();
    if (count !== logs.sent) throw new Error(`${logs.sent} requests were answered and ${count} are logged`);
    console.log(`${count} requests answered, as many logs in MongoDB`);
    if (logs.embedded > 0) await checkEmbeddings(logs);
  }
}

/** Checks the sums of tokens and costs that the logs contain. */
async function checkEmbeddings({ embedded, sumUsage }) {
  const { tokens, cost } = await sumUsage('openai.embeddings');
  const expected = embedded * EMBEDDED_TOKENS;
  if (tokens !== expected || Math.abs(cost - expected * EMBEDDED_PRICE) > 1e-6)
    throw new Error(`${expected} tokens were used, and the logs say ${tokens} for ${cost} dollars`);
  console.log(`${embedded * 100} embeddings: ${tokens} tokens and ${cost.toFixed(6)} dollars, as told`);
}
