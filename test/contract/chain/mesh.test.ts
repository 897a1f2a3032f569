import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { JsonObject } from '../../../src/core/json.js';
import { EXCHANGE_NAMESPACE, LOG_ID_KEY } from '../../../src/envoy/names.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { chunk, streamAnswerReply, streamedText } from '../../support/chat.js';
import {
  type CallOptions,
  COMPLETION,
  CREDENTIAL,
  type Gateway,
  startGateway,
} from '../../support/gateway.js';
import { limitedGateway } from '../../support/limited-gateway.js';
import { attributesOf, type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.js';
import { ControlledStream, hangReply, jsonReply, type Reply } from '../../support/replies.js';
import { translateIstio } from '../../support/translated-gateway.js';
import { ISTIO, type Way } from '../../support/ways.js';

/* What stands beside a chain that the engine makes: telemetry, cooling, and the policies of providers and projects. */

const FIRST_MS = 1_000;
const ROLE = chunk({ role: 'assistant' });
const failing = jsonReply({ error: { message: 'no' } }, { status: 500 });
const CHAIN = ['large', 'small'].map((model) => ({ provider: 'fake', model }));
const OTHER = { provider: 'fake', model: 'small' };
/** Begins, and says nothing. */
const silent: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(ROLE);
};

describe.skipIf(ISTIO.missing !== null)('a chain that the engine makes', () => {
  let receiver: OtlpReceiver;
  let gateway: Gateway;
  let folder: string;
  let accessLog: string;

  /** As an operator adds it, in the words of ours. */
  const withAccessLog: Way['translate'] = (manifests, place) => {
    const bootstrap = parse(translateIstio(manifests, place));
    const manager = bootstrap.static_resources.listeners[0].filter_chains[0].filters[0].typed_config;
    const line = `%DYNAMIC_METADATA(${EXCHANGE_NAMESPACE}:${LOG_ID_KEY})%\n`;
    const file = {
      '@type': 'type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog',
      path: accessLog,
      log_format: { text_format_source: { inline_string: line } },
    };
    const logs = manager.access_log ?? [];
    manager.access_log = [...logs, { name: 'envoy.access_loggers.file', typed_config: file }];
    return stringify(bootstrap, { aliasDuplicateObjects: false });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-access-log-'));
    accessLog = join(folder, 'access.log');
    receiver = await startOtlpReceiver();
    const narrow = (name: string) => [{ provider: name, model: 'm' }, OTHER];
    const endpoints: JsonObject[] = [
      { name: 'traced', models: CHAIN },
      { name: 'cooled', models: [{ provider: 'fake', model: 'cooled' }, OTHER] },
      { name: 'first-token', models: CHAIN, first_token_timeout_ms: FIRST_MS },
      { name: 'narrow', models: narrow('narrow') },
      {
        name: 'behind',
        models: [
          { provider: 'fake', model: 'large' },
          { provider: 'patient', model: 'm' },
        ],
      },
      {
        name: 'late',
        models: [OTHER, { provider: 'patient', model: 'm' }],
        timeout_ms: 1_000,
        total_timeout_ms: 1_500,
      },
      { name: 'cached', models: CHAIN, cache: { ttl_s: 600 } },
    ];
    const limit = { per: 'metadata.user', requests: 1, window: 'month', action: 'fallback' };
    const limited = limitedGateway([limit], { endpoints });
    gateway = await startGateway({
      ...limited,
      providers: (base_url) => ({
        ...limited.providers!(base_url),
        narrow: { api: 'openai', base_url, max_concurrent: 1 },
        patient: { api: 'openai', base_url, max_concurrent: 1, queue_ms: 20_000 },
      }),
      start: { way: { ...ISTIO, translate: withAccessLog } },
      environment: {
        FAKE_KEY: CREDENTIAL,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await receiver?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    gateway.provider.reset();
    gateway.provider.always(jsonReply(COMPLETION));
  });

  const ask = (model: string, body: object = {}, options: CallOptions = {}) =>
    gateway.ask({ model, ...body }, options);
  const modelOf = (answer: { headers: Headers }) => answer.headers.get('x-sluice-model');
  const statuses = async ({ id }: { id: string }) => {
    const { attempts } = await gateway.log(id);
    return attempts.map(({ status }: { status: string }) => status);
  };

  /** One that has its place until it is told. */
  async function hold(model: string) {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opened = gateway.open({ model, stream: true });
    await stream.send(ROLE + chunk({ content: 'x' }));
    const response = await opened;
    return async () => {
      await stream.send(`${chunk({}, 'stop')}data: [DONE]\n\n`);
      await stream.end();
      await response.text();
    };
  }

  it('has a span for each try below that of the request, which the providers are told', async () => {
    gateway.provider.enqueue(failing);
    const { id } = await ask('traced');
    const tries = gateway.provider.requests.map(({ headers }) => String(headers.traceparent).split('-'));
    const spanOf = (spanId: string) =>
      waitFor('the span comes', () => receiver.spans.find((span) => span.spanId === spanId), {
        timeoutMs: 20_000,
      });
    const spans = [await spanOf(tries[0]![2]!), await spanOf(tries[1]![2]!)];
    expect(spans.map((span) => attributesOf(span)['gen_ai.request.model'])).toEqual(['large', 'small']);
    expect(spans.map(({ status }) => status.code ?? 0)).toEqual([2, 0]);
    const [parent] = new Set(spans.map(({ parentSpanId }) => parentSpanId));
    expect(spans.every(({ parentSpanId }) => parentSpanId === parent)).toBe(true);
    await spanOf(parent!);
    expect(await gateway.log(id)).toMatchObject({ trace_id: tries[0]![1] });
  });

  it('is named in the access log of Envoy, if the operator has one', async () => {
    gateway.provider.enqueue(jsonReply(COMPLETION), streamAnswerReply('Hi'), failing, failing);
    const asked = [{}, { stream: true }, {}];
    const ids: string[] = [];
    for (const body of asked) ids.push((await ask('traced', body)).id);
    // Envoy writes its files every ten seconds.
    await waitFor(
      'the lines are written',
      async () => {
        const lines = (await readFile(accessLog, 'utf8')).split('\n');
        expect(lines).toEqual(expect.arrayContaining(ids));
        return true;
      },
      { timeoutMs: 30_000 },
    );
  });

  it('is counted as any other chain', async () => {
    const counted = async () => {
      const text = await (await fetch(`${gateway.sluice.adminUrl}/metrics`)).text();
      const sum = (pattern: RegExp) =>
        text
          .split('\n')
          .filter((line) => pattern.test(line))
          .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
      return {
        fallbacks: sum(/^sluice_fallbacks_total\{(?=.*endpoint="traced")(?=.*reason="server_error")/),
        failed: sum(/^sluice_attempts_total\{(?=.*model="large")(?=.*outcome="server_error")/),
        succeeded: sum(/^sluice_attempts_total\{(?=.*model="small")(?=.*outcome="success")/),
        requests: sum(/^sluice_requests_total\{(?=.*endpoint="traced")(?=.*status="success")/),
      };
    };
    const before = await counted();
    gateway.provider.enqueue(failing);
    await ask('traced');
    const after = await counted();
    const more = Object.keys(after).map((name) => [
      name,
      after[name as keyof typeof after] - before[name as keyof typeof before],
    ]);
    expect(Object.fromEntries(more)).toEqual({ fallbacks: 1, failed: 1, succeeded: 1, requests: 1 });
  });

  it('leaves out a model after ten refusals by its limit, and says for how long', async () => {
    const limited = jsonReply({}, { status: 429, headers: { 'retry-after': '600' } });
    gateway.provider.always((response, request) =>
      (request.json().model === 'cooled' ? limited : jsonReply(COMPLETION))(response, request),
    );
    for (let time = 0; time < 10; time++) await ask('cooled');
    expect(await statuses(await ask('cooled'))).toEqual(['success']);
    const asked = gateway.provider.requests.filter((request) => request.json().model === 'cooled');
    expect(asked).toHaveLength(10);
  });

  it.each([
    ['has not begun', hangReply],
    ['has said nothing', silent],
  ])(
    'continues with the next model where the first token is late, of a model that %s',
    async (_what, reply) => {
      gateway.provider.enqueue(reply, streamAnswerReply('from the second'));
      const answer = await ask('first-token', { stream: true });
      expect(streamedText(answer.text)).toBe('from the second');
      expect(await statuses(answer)).toEqual(['timeout', 'success']);
    },
  );

  it('leaves out a provider without a free place, and frees the places that it took', async () => {
    const free = await hold('narrow');
    expect(modelOf(await ask('narrow'))).toBe('fake/small');
    await free();
    expect(modelOf(await ask('narrow'))).toBe('narrow/m');
    gateway.provider.enqueue(failing);
    expect(await statuses(await ask('narrow'))).toEqual(['server_error', 'success']);
    expect(modelOf(await ask('narrow'))).toBe('narrow/m');
  });

  it('waits for a free place at the provider of a later try, no longer than the request may take', async () => {
    gateway.provider.enqueue(failing);
    const free = await hold('behind');
    gateway.provider.enqueue(failing);
    const late = await ask('late');
    expect([late.status, late.json.error.code]).toEqual([504, 'upstream_timeout']);
    gateway.provider.enqueue(failing);
    const waiting = ask('behind');
    await gateway.provider.received(3);
    await free();
    expect(modelOf(await waiting)).toBe('patient/m');
  });

  it('answers from the cache without a try', async () => {
    gateway.provider.enqueue(failing);
    const first = await ask('cached');
    const again = await ask('cached');
    expect([first, again].map(({ headers }) => headers.get('x-sluice-cache'))).toEqual(['miss', 'hit']);
    expect(again.json.choices).toEqual(first.json.choices);
    expect(gateway.provider.requests).toHaveLength(2);
    expect(await gateway.log(again.id)).toMatchObject({ cached_from: first.id, attempts: [] });
  });

  it('skips its first model where a limit says so', async () => {
    const metadata = { user: 'often' };
    expect(modelOf(await ask('traced', { metadata }))).toBe('fake/large');
    const limited = await ask('traced', { metadata });
    expect(modelOf(limited)).toBe('fake/small');
    expect((await gateway.log(limited.id)).limits).toMatchObject([{ outcome: 'fallback' }]);
  });
});
