import { execFile, fork, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load as loadFromNode } from './load.mjs';

const run = promisify(execFile);

/**
 * Starts both ends of the benchmark: a model, and clients. They are written in Go; without a Go compiler, versions in
 * Node.js are used. Those need more CPU than an Envoy, so on few cores they limit the requests per second and the
 * latency. CPU per request stays comparable.
 */
export async function openWire(folder) {
  const binary = join(folder, 'wire');
  const sources = fileURLToPath(new URL('./wire', import.meta.url));
  try {
    await run('go', ['build', '-o', binary, '.'], { cwd: sources });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.log('There is no Go compiler here: model and clients run on Node.');
    return nodeWire();
  }
  return goWire(binary, folder);
}

async function goWire(binary, folder) {
  const child = spawn(binary, ['provider'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await new Promise((resolve) =>
    createInterface({ input: child.stdout }).once('line', (line) => resolve([Number(line)])),
  );
  let files = 0;
  const fileOf = new Map();
  const load = async ({ bodies, ...form }) => {
    if (!fileOf.has(bodies)) {
      fileOf.set(bodies, join(folder, `bodies-${files++}.jsonl`));
      writeFileSync(fileOf.get(bodies), `${bodies.join('\n')}\n`);
    }
    const list = Object.entries({ ...form, bodies: fileOf.get(bodies) }).map(
      ([name, value]) => `-${name}=${value}`,
    );
    const { stdout } = await run(binary, ['load', ...list]);
    return JSON.parse(stdout);
  };
  return { port, load, isGo: true, pid: child.pid, stop: () => child.kill() };
}

async function nodeWire() {
  const child = fork(new URL('./provider.mjs', import.meta.url));
  const port = await new Promise((resolve) => child.once('message', resolve));
  return { port, load: loadFromNode, pid: child.pid, stop: () => child.kill() };
}
