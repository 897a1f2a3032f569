// What it costs to delete logs whose time has passed: CPU of mongod and of the process that deletes, with the counts of
// tags brought up to date, and the longest block of that process's event loop. The logs have one turn, 4 KB and four tags.
// Options: --logs N; --days-late D (7: as fast as it can; 0: at an even pace); --rounds R, each with new logs. Run it with
// `npm run bench -- retention`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { connectStore } from '../src/store/store.js';
import { oneTurnLog } from './one-turn-logs.js';
import { cpuMsOf, startMongod } from './processes.js';

const { values: options } = parseArgs({
  options: {
    logs: { type: 'string', default: '20000' },
    'days-late': { type: 'string', default: '7' },
    rounds: { type: 'string', default: '3' },
  },
});
const logs = Number(options.logs);
const DAY_MS = 86_400_000;
const DAYS_KEPT = 7;
/** The logs of a round were written in this time. */
const SPAN_MS = 60_000;
const INSERTED_AT_ONCE = 200;
const project_uid = '00000000-0000-4000-8000-000000000001';

const folder = mkdtempSync(join(tmpdir(), 'sluice-retention-'));
const mongod = await startMongod(folder);
const store = connectStore({ uri: mongod.url, logger: pino({ level: 'silent' }) });
try {
  await store.ensureIndexes();
  console.log(
    'µs of CPU a log to write: mongod | to delete: mongod | here | logs a second | longest block, ms',
  );
  for (let round = 0; round < Number(options.rounds); round++) {
    const before = cpuMsOf(mongod);
    await write(round * logs);
    const written = cpuMsOf(mongod) - before;
    console.log([Math.round((written * 1000) / logs), ...(await deleteAll())].join(' | '));
  }
} finally {
  await store.close();
  await mongod.child.stop(10_000);
  rmSync(folder, { recursive: true, force: true });
}

async function write(first: number): Promise<void> {
  const oldest = Date.now() - (DAYS_KEPT + Number(options['days-late'])) * DAY_MS - 2 * SPAN_MS;
  for (let at = 0; at < logs; at += INSERTED_AT_ONCE) {
    const records = Array.from({ length: Math.min(INSERTED_AT_ONCE, logs - at) }, (_none, index) => {
      const created_at = new Date(oldest + ((at + index) / logs) * SPAN_MS);
      return oneTurnLog(first + at + index, { project_uid, created_at });
    });
    const { stored } = await store.logs.insertMany(records);
    if (stored.length !== records.length) throw new Error('not all logs were written');
  }
  await store.tags.apply();
}

async function deleteAll(): Promise<number[]> {
  const blocks = monitorEventLoopDelay({ resolution: 1 });
  const [cpu, before, start] = [process.cpuUsage(), cpuMsOf(mongod), performance.now()];
  blocks.enable();
  const deleted = await store.deleteExpired([{ project_uid, days: DAYS_KEPT }]);
  const seconds = (performance.now() - start) / 1000;
  await store.tags.apply();
  blocks.disable();
  if (deleted !== logs) throw new Error(`${deleted} of ${logs} logs were deleted`);
  const { user, system } = process.cpuUsage(cpu);
  const perLog = (us: number) => Math.round(us / logs);
  return [
    perLog((cpuMsOf(mongod) - before) * 1000),
    perLog(user + system),
    Math.round(logs / seconds),
    Math.round(blocks.max / 1e6),
  ];
}
