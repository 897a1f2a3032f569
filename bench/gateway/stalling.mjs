// What it costs other requests when a plugin stalls in one of ten. Compares the times of the other nine with and
// without stalling requests beside them, and prints the engine's memory after each round. Options: --requests N (of a
// round), --rounds N.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load } from './load.mjs';
import { startOnlySluice } from './targets.mjs';

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '5' } },
});
const STALL_MS = 500;
const PLUGIN = `export default {
  name: 'stalls_for_some',
  configSchema: { type: 'object' },
  request: ({ messages }) =>
    JSON.stringify(messages).includes('please stall') ? new Promise(() => {}) : { action: 'pass' },
};`;

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const plugin = join(folder, 'stalls.mjs');
writeFileSync(plugin, PLUGIN);
const provider = fork(new URL('./provider.mjs', import.meta.url));
const providerPort = await new Promise((resolve) => provider.once('message', resolve));
const { target, stop } = await startOnlySluice(folder, providerPort, {
  config: { plugins: [plugin] },
  endpoints: [
    {
      name: 'bench',
      models: [{ provider: 'bench', model: 'bench' }],
      plugins: [{ plugin: 'stalls_for_some', timeout_ms: STALL_MS }],
    },
  ],
});
try {
  const total = Number(options.requests);
  console.log('round   alone: p50  p99 ms   beside stalling: p50  p99 ms   engine MiB');
  for (let round = 0; round <= Number(options.rounds); round++) {
    const alone = await send('Hello', total, 32);
    const stalling = send('please stall', total / 10, Math.ceil((total / 10) * 0.3));
    const beside = await send('Hello', (total / 10) * 9, 32);
    await stalling;
    if (round === 0) continue;
    const figures = [alone.p50, alone.p99, beside.p50, beside.p99, memoryMib(target.parts.engine)];
    console.log(`${round}`.padEnd(6) + figures.map((figure) => figure.toFixed(1).padStart(10)).join(''));
  }
} finally {
  await stop();
  provider.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function send(content, total, connections) {
  const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content }] });
  const result = await load({ url: target.url, key: 'sk-bench', bodies: [body], total, connections });
  if (result.failed > 0) throw new Error(`${result.failed} of ${total} requests failed: ${result.reason}`);
  return result;
}

/** Resident memory in MiB, including garbage that is not collected yet. */
function memoryMib(pid) {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
  return Number(kib) / 1024;
}
