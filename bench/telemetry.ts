import type { Endpoint, Provider } from '../src/core/settings.js';
import { createTelemetry, type Telemetry } from '../src/telemetry/telemetry.js';
import { logRecord } from '../test/support/log-record.js';

/*
 * What telemetry adds to one exchange, in microseconds: its metrics, and its trace. Spans are created where the
 * standard OTEL_* variables name a collector, which need not exist. This loop leaves no time to export them, so most
 * are dropped; `npm run bench -- tracing` shows the cost of the export. Run it with `npm run bench -- telemetry`.
 */
const RUNS = 50_000;

const provider = { api: 'openai', base_url: 'http://127.0.0.1:9101/v1' } as Provider;
const endpoints = new Map([['support', {} as Endpoint]]);
const directory = {
  provider: () => provider,
  project: (uid: string) => ({ uid, name: 'demo', enabled: true, managed_by: 'file' as const, endpoints }),
};
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const record = logRecord({
  stream: true,
  timing: { total_ms: 100, time_to_first_token_ms: 20, engine_ms: 2 },
  plugin_runs: [
    { plugin: 'pii_detection', phase: 'request', outcome: 'passed', duration_ms: 1, findings: [] },
  ],
});

function microseconds(run: () => void): number {
  for (let count = 0; count < RUNS; count++) run();
  const start = performance.now();
  for (let count = 0; count < RUNS; count++) run();
  return Number((((performance.now() - start) * 1000) / RUNS).toFixed(1));
}

function traceOne(telemetry: Telemetry): void {
  const trace = telemetry.startExchange({});
  trace.attempt(1, 'openai', 'large');
  trace.end(record);
}

const start = performance.now();
const telemetry = await createTelemetry({ env: process.env, version: '0.0.0', directory, logger });
const createMs = Math.round(performance.now() - start);
console.log(
  JSON.stringify({
    recording: telemetry.startExchange({}).spanId !== undefined,
    create_ms: createMs,
    observe_us: microseconds(() => telemetry.observe(record, { validated: true, outputChunks: 10 })),
    trace_us: microseconds(() => traceOne(telemetry)),
  }),
);
await telemetry.shutdown();
process.exit(0);
