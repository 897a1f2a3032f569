import { afterEach, describe, expect, it, vi } from 'vitest';
import type { NeutralRequest } from '../../../src/core/answer.js';
import { systemClock } from '../../../src/core/clock.js';
import type { RequestSettings } from '../../../src/telemetry/exchange-details.js';
import { createTelemetry, type Telemetry } from '../../../src/telemetry/telemetry.js';
import { recordingLogger } from '../../properties/spool-support.js';
import { logRecord } from '../../support/log-record.js';
import { attributesOf, startOtlpReceiver } from '../../support/otlp-receiver.js';
import { directory } from './support.js';

const CLIENT = '00-11111111111111111111111111111111-2222222222222222-01';
const ENVOY = '00-33333333333333333333333333333333-4444444444444444-01';
const SERVER = 2;
const INTERNAL = 1;
const CLIENT_KIND = 3;
const ERROR = 2;

async function start(
  environment: Record<string, string>,
): Promise<{ telemetry: Telemetry; messages: string[] }> {
  // The exporters read the environment of the process.
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const logger = recordingLogger();
  const telemetry = await createTelemetry({ env: process.env, version: '1.2.3', directory, logger });
  return { telemetry, messages: logger.messages };
}

const record = logRecord({
  trace_id: null,
  stream: true,
  attempts: [
    {
      provider: 'local',
      model: 'small',
      status: 'rate_limited',
      http_status: 429,
      error: { message: 'slow down' },
      duration_ms: 0,
      usage: null,
    },
    {
      provider: 'claude',
      model: 'opus',
      status: 'success',
      http_status: 200,
      error: null,
      duration_ms: 0,
      usage: { input_tokens: 10, output_tokens: 20, cached_input_tokens: 4 },
    },
  ],
  plugin_runs: [
    { plugin: 'pii_detection', phase: 'request', outcome: 'passed', duration_ms: 2, findings: [] },
    {
      plugin: 'webhook',
      phase: 'response',
      outcome: 'timeout',
      duration_ms: 1,
      findings: [],
      reason: 'too slow',
    },
    { plugin: 'other', phase: 'response', outcome: 'skipped', duration_ms: 0, findings: [] },
  ],
  timing: { total_ms: 40, time_to_first_token_ms: 25, engine_ms: 2 },
});

const request: NeutralRequest = {
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'I am <PERSON>.' }] },
  ],
  stream: true,
  streamUsage: false,
  temperature: 0.5,
  maxOutputTokens: 100,
  stop: ['END'],
  outputJson: true,
};

const settings: RequestSettings = {
  choiceCount: 1,
  json: true,
  parameters: { temperature: 0.5, max_tokens: 100, stop_sequences: ['END'] },
};

const answer = {
  id: 'msg_1',
  model: 'opus-2026',
  choices: [{ index: 0, parts: [{ type: 'text' as const, text: 'Hello.' }], finishReason: 'stop' as const }],
};

function runExchange(telemetry: Telemetry, parents: Parameters<Telemetry['startExchange']>[0]) {
  const trace = telemetry.startExchange(parents);
  const headers = [
    trace.attempt(1, 'openai', 'small').traceparent,
    trace.attempt(2, 'anthropic', 'opus').traceparent,
  ];
  trace.end(record, { lastAttemptStartMs: 0, validated: true, contentKept: true, settings, request, answer });
  return { trace, headers };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('with a collector', () => {
  it('a request is a span with its tries and plugins below it', async () => {
    const collector = await startOtlpReceiver();
    const { telemetry } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    const { trace, headers } = runExchange(telemetry, { traceparent: CLIENT, envoyTraceparent: ENVOY });
    telemetry.observe(record);
    await telemetry.shutdown();
    await collector.stop();

    const [exchange] = collector.spans.filter(({ name }) => name === 'sluice support');
    expect(exchange).toMatchObject({ traceId: '1'.repeat(32), parentSpanId: '2'.repeat(16), kind: SERVER });
    expect(trace.traceId).toBe('1'.repeat(32));
    expect(attributesOf(exchange!)).toEqual({
      'sluice.log.id': record._id,
      'sluice.project.uid': record.project_uid,
      'sluice.endpoint': 'support',
      'http.response.status_code': 200,
    });
    const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === exchange!.spanId);
    expect(below.map(({ name, kind }) => [name, kind]).sort()).toEqual([
      ['chat opus', CLIENT_KIND],
      ['chat small', CLIENT_KIND],
      ['plugin pii_detection request', INTERNAL],
      ['plugin webhook response', INTERNAL],
    ]);
    expect(collector.spans).toHaveLength(5);
    const byName = (name: string) => below.find((span) => span.name === name)!;
    expect(headers).toEqual(
      ['chat small', 'chat opus'].map((name) => `00-${'1'.repeat(32)}-${byName(name).spanId}-01`),
    );
    expect(byName('chat small').status).toMatchObject({ code: ERROR, message: 'slow down' });
    expect(attributesOf(byName('chat small'))).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'error.type': '429',
      'sluice.attempt.number': 1,
      'server.address': '127.0.0.1',
      'server.port': 9101,
    });
    expect(attributesOf(byName('chat opus'))).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'opus',
      'gen_ai.request.stream': true,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.output.type': 'json',
      'gen_ai.response.id': 'msg_1',
      'gen_ai.response.model': 'opus-2026',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': 0.025,
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'http.response.status_code': 200,
      'server.address': 'api.anthropic.com',
      'server.port': 443,
      'sluice.attempt.number': 2,
      'sluice.fallback.reason': 'rate_limited',
      'sluice.log.id': record._id,
      'sluice.validation.outcome': 'valid',
    });
    expect(attributesOf(byName('plugin webhook response'))).toEqual({
      'error.type': 'timeout',
      'sluice.plugin.name': 'webhook',
      'sluice.plugin.phase': 'response',
      'sluice.plugin.outcome': 'timeout',
    });
    for (const { startTimeUnixNano, endTimeUnixNano } of collector.spans) {
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
      expect(Math.abs(Number(BigInt(startTimeUnixNano) / 1_000_000n) - systemClock.now())).toBeLessThan(
        60_000,
      );
    }
    expect(new Set(collector.services)).toEqual(new Set(['sluice']));
    expect(collector.metrics).toContain('sluice.requests');
    expect(collector.metrics).toContain('gen_ai.client.operation.duration');
  });

  it('the span of Envoy is the parent where the client sent none', async () => {
    const collector = await startOtlpReceiver();
    const { telemetry } = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'gateway',
    });
    runExchange(telemetry, { envoyTraceparent: ENVOY });
    await telemetry.shutdown();
    await collector.stop();
    const [exchange] = collector.spans.filter(({ name }) => name === 'sluice support');
    expect(exchange).toMatchObject({ traceId: '3'.repeat(32), parentSpanId: '4'.repeat(16), kind: INTERNAL });
    expect(new Set(collector.services)).toEqual(new Set(['gateway']));
    expect(collector.metrics).toEqual([]);
  });

  it('what is not sampled is not sent, and the provider learns that', async () => {
    const collector = await startOtlpReceiver();
    const { telemetry } = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    const { trace, headers } = runExchange(telemetry, { traceparent: CLIENT.replace(/01$/, '00') });
    expect(trace.spanId).toBeUndefined();
    for (const header of headers)
      expect(header).toMatch(new RegExp(`^00-${'1'.repeat(32)}-[0-9a-f]{16}-00$`));
    await telemetry.shutdown();
    await collector.stop();
    expect(collector.spans).toEqual([]);
  });

  it('messages are on the spans only where the operator asked for them', async () => {
    const collector = await startOtlpReceiver();
    const { telemetry } = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    });
    runExchange(telemetry, {});
    await telemetry.shutdown();
    await collector.stop();
    const attributes = attributesOf(collector.spans.find(({ name }) => name === 'chat opus')!);
    expect(JSON.parse(attributes['gen_ai.input.messages'] as string)).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'I am <PERSON>.' }] },
    ]);
    expect(JSON.parse(attributes['gen_ai.output.messages'] as string)).toMatchObject([
      { finish_reason: 'stop' },
    ]);
    expect(attributes['gen_ai.system_instructions']).toBe('[{"type":"text","content":"Be brief."}]');
  });
});

describe('with a collector and SLUICE_OPENINFERENCE', () => {
  it('each span has its kind, and a try has both sets of attributes', async () => {
    const collector = await startOtlpReceiver();
    const { telemetry } = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      SLUICE_OPENINFERENCE: 'true',
    });
    runExchange(telemetry, {});
    await telemetry.shutdown();
    await collector.stop();
    const kinds = collector.spans.map((span) => [span.name, attributesOf(span)['openinference.span.kind']]);
    expect(Object.fromEntries(kinds)).toEqual({
      'sluice support': 'CHAIN',
      'chat small': 'LLM',
      'chat opus': 'LLM',
      'plugin pii_detection request': 'GUARDRAIL',
      'plugin webhook response': 'GUARDRAIL',
    });
    const attributes = attributesOf(collector.spans.find(({ name }) => name === 'chat opus')!);
    expect(attributes).toMatchObject({
      'gen_ai.response.model': 'opus-2026',
      'llm.model_name': 'opus-2026',
      'llm.token_count.total': 30,
    });
    expect(Object.keys(attributes).filter((name) => name.includes('messages'))).toEqual([]);
  });
});

describe('with a collector that is away', () => {
  it('the shutdown ends without an error, and reports that something was not sent', async () => {
    const collector = await startOtlpReceiver();
    await collector.stop();
    const { telemetry, messages } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    runExchange(telemetry, {});
    await telemetry.shutdown();
    expect(messages).toContain('the last spans and metrics could not be exported');
  });
});

describe('with the sampler traceidratio', () => {
  /** The SDK takes none of this share, and all of the other one. */
  const sampled = async (share: string, parents: Parameters<Telemetry['startExchange']>[0]) => {
    const collector = await startOtlpReceiver();
    const { telemetry } = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: share,
    });
    const { trace } = runExchange(telemetry, parents);
    const { plugin_runs } = record;
    telemetry.observeLogPhase({ ...record, trace_id: trace.traceId, _span_id: trace.spanId }, plugin_runs);
    await telemetry.shutdown();
    await collector.stop();
    return collector.spans.map(({ name }) => name);
  };
  const notSampled = (parent: string) => parent.replace(/01$/, '00');

  it('a request is recorded whole where Envoy records it, and not at all where Envoy does not', async () => {
    const spans = await sampled('0', { envoyTraceparent: ENVOY });
    expect(spans).toContain('sluice support');
    expect(spans.filter((name) => name.startsWith('plugin')).length).toBe(4);
    expect(await sampled('1', { envoyTraceparent: notSampled(ENVOY) })).toEqual([]);
  });

  it('the engine samples by itself where Envoy does not trace, whatever the client asks for', async () => {
    expect(await sampled('0', { traceparent: CLIENT })).toEqual([]);
    expect(await sampled('1', { traceparent: notSampled(CLIENT) })).toContain('sluice support');
  });
});

describe('with a collector that accepts too few spans', () => {
  it('lost spans are counted, and the log reports them', async () => {
    const collector = await startOtlpReceiver();
    const { telemetry, messages } = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_MAX_QUEUE_SIZE: '3',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '3',
      OTEL_BSP_SCHEDULE_DELAY: '1',
    });
    const made = 10;
    for (let count = 0; count < made; count++) runExchange(telemetry, {});
    await expect.poll(() => collector.spans.length).toBeGreaterThan(0);
    // The SDK tells it with the next span that finds room, which may be after the answer to the first batch was read.
    const lost = async () => {
      runExchange(telemetry, {});
      const text = await telemetry.metricsText();
      return Number(/^sluice_spans_lost_total(?:\{.*\})? (\d+)/m.exec(text)?.[1]);
    };
    await expect.poll(lost).toBeGreaterThan(0);
    expect(messages).toContain('spans are lost: the collector takes fewer than there are');
    await telemetry.shutdown();
    await collector.stop();
  });
});
