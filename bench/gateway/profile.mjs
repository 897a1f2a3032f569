// Shows where the engine's time goes. Profiles the warm engine while it serves, writes the profile for speedscope (or
// Chrome's DevTools), and prints the self time by function and by module. Options: --requests N, --connections N,
// --stream, --agents (streamed requests of coding agents, 37 to 64 KB), --target NAME (sluice, pii, valid, fallback,
// traced), --out FILE, --rows N.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { agentBodies, requestBodies } from './bodies.mjs';
import { profileEngines, profileWhile } from './profiled.mjs';
import { namesOf, startTargets } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '32' },
    stream: { type: 'boolean', default: false },
    agents: { type: 'boolean', default: false },
    target: { type: 'string', default: 'sluice' },
    out: { type: 'string', default: 'engine.cpuprofile' },
    rows: { type: 'string', default: '40' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const out = resolve(options.out);
profileEngines(out, 'cpu');
const wire = await openWire(folder);
const { targets, stop } = await startTargets(folder, wire.port, namesOf(options.target));
try {
  const target = targets.find((one) => one.logs);
  const { agents } = options;
  const stream = options.stream || agents;
  const bodies = agents
    ? agentBodies(target.endpoint)
    : requestBodies(target.endpoint, { stream, schema: target.schema });
  const form = { url: target.url, key: 'sk-bench', bodies, connections: Number(options.connections) };
  const until = stream ? 'data: [DONE]' : '"total_tokens":380';
  const total = Number(options.requests);
  await wire.load({ ...form, until, total });
  const load = () => wire.load({ ...form, until, total });
  report(await profileWhile(target.parts.engine, out, load), total);
} finally {
  await stop();
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}

function report({ nodes, samples, timeDeltas }, total) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [functions, modules] = [new Map(), new Map()];
  const add = (map, key, ms) => map.set(key, (map.get(key) ?? 0) + ms);
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = names.get(id);
    if (functionName === '(idle)') continue;
    const module = moduleOf(url) || functionName;
    const ms = timeDeltas[index] / 1000 / total;
    add(functions, `${functionName || '(anonymous)'} ${module}${url ? `:${lineNumber + 1}` : ''}`, ms);
    add(modules, folderOf(module), ms);
  }
  print('function', functions);
  print('module', modules);
}

/** The name of a module as people know it: a path below dist, a package, or a part of Node. */
function moduleOf(url) {
  return url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/(node_modules|dist)\//, (_, root) => (root === 'dist' ? '' : 'npm:'));
}

function folderOf(module) {
  if (module.startsWith('npm:')) return module.split('/', module.startsWith('npm:@') ? 2 : 1).join('/');
  if (module.startsWith('node:')) return module;
  return module.includes('/') ? module.split('/').slice(0, 1).join('/') : module;
}

function print(kind, map) {
  const rows = [...map].sort((one, other) => other[1] - one[1]).slice(0, Number(options.rows));
  const sum = [...map.values()].reduce((total, ms) => total + ms, 0);
  console.log(`\nself time by ${kind}, µs a request of ${(sum * 1000).toFixed(0)}`);
  for (const [name, ms] of rows) console.log(`${(ms * 1000).toFixed(1).padStart(8)}  ${name}`);
}
