// Shows where a warm engine makes new hidden classes, which V8 gives to objects with the same members. Such a place costs
// a microsecond each time, and whoever reads the object afterwards misses its caches. Prints the places by how often
// they make one in a request, for plain requests, streams and coding agents, each without and with a guard. Options:
// --targets NAMES (default sluice,pii; also valid, fallback, cached, chain, mesh …), --cases NAMES (plain, stream,
// agents), --requests N, --warm N, --rows N.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { agentBodies, requestBodies } from './bodies.mjs';
import { MapLog, mapLogFlags } from './map-log.mjs';
import { namesOf, startTargets } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    targets: { type: 'string', default: 'sluice,pii' },
    cases: { type: 'string', default: 'plain,stream,agents' },
    requests: { type: 'string', default: '1500' },
    warm: { type: 'string', default: '4000' },
    rows: { type: 'string', default: '15' },
  },
});

const [requests, warm, rows] = [options.requests, options.warm, options.rows].map(Number);
/** Rarer ones come from compilations and collections, not from requests. */
const LEAST_A_REQUEST = 0.02;

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const wire = await openWire(folder);
try {
  // Each target has an engine of its own: what one kind of request teaches V8 does not hold for the others.
  for (const name of namesOf(options.targets)) await lookAt(name);
} finally {
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function lookAt(name) {
  const own = mkdtempSync(join(folder, `${name}-`));
  const file = join(own, 'v8.log');
  const nodeFlags = mapLogFlags(file);
  const { targets, stop } = await startTargets(own, wire.port, [name], { nodeFlags });
  try {
    const target = targets.find((one) => one.logs);
    if (target === undefined) throw new Error(`the target ${name} has no engine of Sluice`);
    const log = new MapLog(file);
    for (const kind of options.cases.split(',')) {
      if (kind !== 'plain' && !target.streams) continue;
      await send(target, kind, warm);
      log.read();
      await send(target, kind, requests);
      report(`${target.name}, ${kind}`, log.read());
    }
  } finally {
    await stop();
  }
}

/** Sends requests, and waits until their logs have landed, because shipping them is part of the work. */
async function send(target, kind, total) {
  const stream = kind !== 'plain';
  const bodies =
    kind === 'agents'
      ? agentBodies(target.endpoint)
      : requestBodies(target.endpoint, { stream, schema: target.schema });
  const until = stream ? 'data: [DONE]' : '"total_tokens":380';
  const form = { url: target.url, key: 'sk-bench', bodies, until, connections: 32 };
  const result = await wire.load({ ...form, total });
  if (result.failed > 0) throw new Error(`${result.failed} of ${total} requests failed: ${result.reason}`);
  target.logs.sent += total;
  while ((await target.logs.count()) < target.logs.sent) await sleep(50);
}

function report(title, counts) {
  const sum = [...counts.values()].reduce((total, count) => total + count, 0);
  console.log(`\n${title}: ${(sum / requests).toFixed(2)} new hidden classes a request`);
  const places = [...counts].sort((one, other) => other[1] - one[1]).slice(0, rows);
  for (const [place, count] of places) {
    if (count / requests < LEAST_A_REQUEST) break;
    console.log(`${(count / requests).toFixed(2).padStart(8)}  ${place}`);
  }
}
