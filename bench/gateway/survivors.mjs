// Shows what outlives a collection of young objects in a warm engine, in bytes a request and by the code that made it. Of a request,
// that should be its share of the requests that are under way, so send them at a rate that leaves few under way. Much more means
// that something old, and perhaps dead, holds what has ended. Options: --target NAME (sluice, pii, valid …), --stream,
// --rate N (requests a second), --requests N, --warm N, --rows N.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { requestBodies } from './bodies.mjs';
import { profileEngines, profileWhile } from './profiled.mjs';
import { placeInSources } from './source-places.mjs';
import { namesOf, startTargets } from './targets.mjs';
import { openWire } from './wire.mjs';

const { values: options } = parseArgs({
  options: {
    target: { type: 'string', default: 'sluice' },
    stream: { type: 'boolean', default: false },
    rate: { type: 'string', default: '500' },
    requests: { type: 'string', default: '4000' },
    warm: { type: 'string', default: '12000' },
    rows: { type: 'string', default: '30' },
  },
});

const requests = Number(options.requests);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Callers that a row names. */
const CALLERS = 3;

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const file = join(folder, 'survivors.json');
profileEngines(file, 'survivors');
const wire = await openWire(folder);
const { targets, stop } = await startTargets(folder, wire.port, namesOf(options.target));
try {
  const target = targets.find((one) => one.logs);
  if (target === undefined) throw new Error(`the target ${options.target} has no engine of Sluice`);
  const { stream } = options;
  const form = {
    url: target.url,
    key: 'sk-bench',
    bodies: requestBodies(target.endpoint, { stream, schema: target.schema }),
    until: stream ? 'data: [DONE]' : '"total_tokens":380',
    connections: 32,
  };
  await send(form, Number(options.warm), 0);
  const load = () => send(form, requests, Number(options.rate));
  report((await profileWhile(target.parts.engine, file, load)).head);
} finally {
  await stop();
  wire.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function send(form, total, rate) {
  const { failed, reason } = await wire.load({ ...form, total, rate });
  if (failed > 0) throw new Error(`${failed} of ${total} requests failed: ${reason}`);
}

function report(head) {
  const bytesOf = new Map();
  let sum = 0;
  const walk = ({ callFrame, selfSize, children }, callers) => {
    const here = [callFrame, ...callers].slice(0, CALLERS + 1);
    if (selfSize > 0) {
      const row = here.map(placeOf).join(' < ');
      bytesOf.set(row, (bytesOf.get(row) ?? 0) + selfSize);
      sum += selfSize;
    }
    for (const child of children) walk(child, here);
  };
  walk(head, []);
  console.log(`${Math.round(sum / requests)} bytes of a request outlive a collection of young objects`);
  const rows = [...bytesOf].sort((one, other) => other[1] - one[1]).slice(0, Number(options.rows));
  for (const [row, bytes] of rows) console.log(`${String(Math.round(bytes / requests)).padStart(7)}  ${row}`);
}

/** The name of a function, with its file and line in the sources. */
function placeOf({ functionName, url, lineNumber, columnNumber }) {
  const name = functionName || '(anonymous)';
  // A module of CommonJS has a path, and Node's own have a name.
  if (!/^(?:file:|\/)/.test(url)) return url === '' ? name : `${name} ${url}`;
  const built = url.startsWith('/') ? url : fileURLToPath(url);
  const source = placeInSources(built, lineNumber, columnNumber);
  return source === undefined
    ? `${name} ${relative(root, built)}:${lineNumber + 1}`
    : `${name} ${source.path}:${source.line}`;
}
