import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptRecord, LogRecord } from '../../../src/core/log-record.js';
import { METRICS } from '../../../src/telemetry/names.js';
import { createTelemetry, type Telemetry } from '../../../src/telemetry/telemetry.js';
import { logRecord } from '../../support/log-record.js';
import { silentLogger } from '../../support/silent-logger.js';
import { directory } from './support.js';

const spool = {
  records: 7,
  bytes: 4096,
  limitBytes: 8192,
  oldestSeconds: 1.5,
  written: 40,
  lost: 2,
  deadLetters: 1,
};
let telemetry: Telemetry;

beforeEach(async () => {
  telemetry = await createTelemetry({
    env: {},
    version: '1.2.3',
    directory,
    logger: silentLogger,
    spoolStats: () => spool,
    orphanCount: async () => 3,
  });
});

afterEach(() => telemetry.shutdown());

function attempt(changes: Partial<AttemptRecord>): AttemptRecord {
  return {
    provider: 'local',
    model: 'small',
    status: 'success',
    http_status: 200,
    error: null,
    duration_ms: 100,
    usage: null,
    ...changes,
  };
}

/** Answered by the second model, after a first one whose output was invalid. */
function fallenBack(changes: Partial<LogRecord> = {}): LogRecord {
  return logRecord({
    stream: true,
    attempts: [
      attempt({ status: 'invalid_output', usage: { input_tokens: 3, output_tokens: 9 } }),
      attempt({
        provider: 'claude',
        model: 'opus',
        duration_ms: 400,
        usage: { input_tokens: 10, output_tokens: 20 },
      }),
    ],
    plugin_runs: [
      { plugin: 'pii_detection', phase: 'request', outcome: 'passed', duration_ms: 2, findings: [] },
      { plugin: 'webhook', phase: 'response', outcome: 'skipped', duration_ms: 0, findings: [] },
    ],
    timing: { total_ms: 550, time_to_first_token_ms: 300, engine_ms: 4 },
    ...changes,
  });
}

/** The lines of a metric without its buckets, sorted. */
async function lines(name: string): Promise<string[]> {
  const all = (await telemetry.metricsText()).split('\n');
  return all.filter((line) => line.startsWith(name) && !/_bucket\{/.test(line)).sort();
}

describe('the metrics', () => {
  it('exist though MongoDB does not answer, except those that need it', async () => {
    const waiting = await createTelemetry({
      env: {},
      version: '1.2.3',
      directory,
      logger: silentLogger,
      spoolStats: () => spool,
      orphanCount: () => new Promise(() => {}),
    });
    const text = await waiting.metricsText();
    expect(text).toContain('sluice_spool_records 7');
    expect(text).not.toMatch(/^sluice_feedback_orphans/m);
    await waiting.shutdown();
  });

  it('count exchanges, tries, fallbacks, validations and plugin runs', async () => {
    telemetry.observe(fallenBack(), { validated: true });
    expect(await lines('sluice_requests_total')).toEqual([
      'sluice_requests_total{project="00000000-0000-4000-8000-000000000001",endpoint="support",api="openai.chat",status="success"} 1',
    ]);
    expect(await lines('sluice_attempts_total')).toEqual([
      'sluice_attempts_total{provider="claude",model="opus",outcome="success"} 1',
      'sluice_attempts_total{provider="local",model="small",outcome="invalid_output"} 1',
    ]);
    expect(await lines('sluice_fallbacks_total')).toEqual([
      'sluice_fallbacks_total{endpoint="support",reason="invalid_output"} 1',
    ]);
    expect(await lines('sluice_validations_total')).toEqual([
      'sluice_validations_total{endpoint="support",outcome="invalid"} 1',
      'sluice_validations_total{endpoint="support",outcome="valid"} 1',
    ]);
    expect(await lines('sluice_plugin_runs_total')).toEqual([
      'sluice_plugin_runs_total{plugin="pii_detection",phase="request",outcome="passed"} 1',
      'sluice_plugin_runs_total{plugin="webhook",phase="response",outcome="skipped"} 1',
    ]);
    expect(await lines('sluice_plugin_duration_seconds_count')).toEqual([
      'sluice_plugin_duration_seconds_count{plugin="pii_detection",phase="request"} 1',
    ]);
  });

  it('measure durations in seconds', async () => {
    telemetry.observe(fallenBack());
    const labels = 'project="00000000-0000-4000-8000-000000000001",endpoint="support",api="openai.chat"';
    expect(await lines('sluice_request_duration_seconds')).toEqual([
      `sluice_request_duration_seconds_count{${labels}} 1`,
      `sluice_request_duration_seconds_sum{${labels}} 0.55`,
    ]);
    expect(await lines('sluice_engine_duration_seconds_sum')).toEqual([
      `sluice_engine_duration_seconds_sum{${labels}} 0.004`,
    ]);
  });

  it('follow the GenAI conventions, for each try', async () => {
    telemetry.observe(fallenBack(), { outputChunks: 6, lastAttemptStartMs: 100 });
    const first = 'gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="small"';
    const second =
      'gen_ai_operation_name="chat",gen_ai_provider_name="anthropic",gen_ai_request_model="opus"';
    expect(await lines('gen_ai_client_token_usage_sum')).toEqual([
      `gen_ai_client_token_usage_sum{${second},gen_ai_token_type="input"} 10`,
      `gen_ai_client_token_usage_sum{${second},gen_ai_token_type="output"} 20`,
      `gen_ai_client_token_usage_sum{${first},gen_ai_token_type="input"} 3`,
      `gen_ai_client_token_usage_sum{${first},gen_ai_token_type="output"} 9`,
    ]);
    expect(await lines('gen_ai_client_operation_duration_seconds_sum')).toEqual([
      `gen_ai_client_operation_duration_seconds_sum{${second}} 0.4`,
      `gen_ai_client_operation_duration_seconds_sum{${first},error_type="invalid_output"} 0.1`,
    ]);
    expect(await lines('gen_ai_client_operation_time_to_first_chunk_seconds_sum')).toEqual([
      `gen_ai_client_operation_time_to_first_chunk_seconds_sum{${second}} 0.2`,
    ]);
    expect(await lines('gen_ai_client_operation_time_per_output_chunk_seconds_sum')).toEqual([
      `gen_ai_client_operation_time_per_output_chunk_seconds_sum{${second}} 0.04`,
    ]);
  });

  it('have the buckets that the GenAI conventions ask for', async () => {
    telemetry.observe(fallenBack());
    const text = await telemetry.metricsText();
    const bounds = (name: string) => [
      ...new Set(
        [...text.matchAll(new RegExp(`^${name}_bucket\\{.*le="([^"]+)"`, 'gm'))].map((match) => match[1]),
      ),
    ];
    expect(bounds('gen_ai_client_token_usage')).toEqual([
      ...Array.from({ length: 14 }, (_, power) => String(4 ** power)),
      '+Inf',
    ]);
    expect(bounds('gen_ai_client_operation_duration_seconds')).toEqual(
      '0.01 0.02 0.04 0.08 0.16 0.32 0.64 1.28 2.56 5.12 10.24 20.48 40.96 81.92 +Inf'.split(' '),
    );
  });

  it('show the spool, feedback without a log and the event loop as they are now', async () => {
    expect(await lines('sluice_spool_')).toEqual([
      'sluice_spool_bytes 4096',
      'sluice_spool_limit_bytes 8192',
      'sluice_spool_oldest_seconds 1.5',
      'sluice_spool_records 7',
    ]);
    expect(await lines('sluice_logs_')).toEqual(['sluice_logs_lost_total 2', 'sluice_logs_written_total 40']);
    expect(await lines('sluice_feedback_orphans')).toEqual(['sluice_feedback_orphans 3']);
    expect(await lines('sluice_dead_letters_total')).toEqual(['sluice_dead_letters_total 1']);
    const lag = (await lines('sluice_event_loop_lag_seconds')).map((line) => line.replace(/ .*/, ''));
    expect(lag).toEqual(['0.5', '0.99', '1'].map((at) => `sluice_event_loop_lag_seconds{quantile="${at}"}`));
  });

  it('have their names before anything was counted', async () => {
    const text = await telemetry.metricsText();
    for (const { prometheus } of Object.values(METRICS)) expect(text).toContain(`# HELP ${prometheus} `);
    expect(text.match(/^# HELP /gm)).toHaveLength(Object.keys(METRICS).length);
  });

  it('never use a name chosen by a client as a label', async () => {
    for (let number = 0; number < 50; number++)
      telemetry.observe(fallenBack({ endpoint: `made-up-${number}` }));
    telemetry.observe(fallenBack({ endpoint: null }));
    expect(await lines('sluice_requests_total')).toEqual([
      'sluice_requests_total{project="00000000-0000-4000-8000-000000000001",endpoint="unknown",api="openai.chat",status="success"} 51',
    ]);
    expect(await telemetry.metricsText()).not.toContain('made-up');
  });

  it('count runs of the LOG phase when they happen', async () => {
    telemetry.observeLogPhase(logRecord({}), [
      { plugin: 'auto_tag', phase: 'log', outcome: 'passed', duration_ms: 5, findings: [] },
    ]);
    expect(await lines('sluice_plugin_runs_total')).toEqual([
      'sluice_plugin_runs_total{plugin="auto_tag",phase="log",outcome="passed"} 1',
    ]);
  });
});

describe('without a collector', () => {
  it('a trace costs nothing and still has an id', () => {
    const trace = telemetry.startExchange({});
    expect(trace.spanId).toBeUndefined();
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});
