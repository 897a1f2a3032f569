import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSpool } from '../src/spool/spool.js';
import { logRecord } from '../test/support/log-record.js';

/*
 * What it costs to append a log, by the number of exchanges that end at the same time. CPU is that of the whole
 * process, including the threads that write. Latency is the time from the append to its acknowledgement. Run it with
 * `npm run bench -- spool`.
 */
const RECORDS = 40_000;
const CONTENT = 'The parcel left the warehouse this morning. '.repeat(90);
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function measure(syncMs: number, concurrency: number, count: number): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-bench-'));
  const settings = { max_bytes: 1 << 30, sync_ms: syncMs, on_full: 'lose' as const };
  const spool = await openSpool({ folder, worker: 'bench', settings, logger });
  const record = logRecord({ response: { text: CONTENT } });
  const latencies: number[] = [];
  let left = count;
  const appendInTurn = async () => {
    while (left-- > 0) {
      const start = performance.now();
      await spool.append(record);
      latencies.push(performance.now() - start);
    }
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, appendInTurn));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const { bytes, lost } = spool.stats();
  await spool.close();
  await rm(folder, { recursive: true });
  latencies.sort((a, b) => a - b);
  return {
    sync_ms: syncMs,
    concurrency,
    record_bytes: Math.round(bytes / count),
    lost,
    records_per_second: Math.round(count / seconds),
    cpu_us_per_record: Number(((user + system) / count).toFixed(1)),
    latency_p50_ms: Number(latencies[Math.floor(count * 0.5)]!.toFixed(3)),
    latency_p99_ms: Number(latencies[Math.floor(count * 0.99)]!.toFixed(3)),
  };
}

await measure(50, 16, RECORDS / 4);
for (const concurrency of [1, 16, 256]) console.log(JSON.stringify(await measure(50, concurrency, RECORDS)));
for (const concurrency of [1, 256]) console.log(JSON.stringify(await measure(0, concurrency, RECORDS / 20)));
