import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { chunk, USAGE_CHUNK } from '../../support/chat.js';
import { COMPLETION, type Gateway, KEYS, PROJECT, startGateway } from '../../support/gateway.js';
import {
  attributesOf,
  type OtlpReceiver,
  type Span,
  startOtlpReceiver,
} from '../../support/otlp-receiver.js';
import { jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const SCHEMA = {
  type: 'json_schema',
  json_schema: { name: 'answer', schema: { type: 'object', required: ['where'] } },
};
const MASKING = {
  plugin: 'pii_detection',
  phases: ['request', 'response'],
  config: { entities: ['EMAIL_ADDRESS'], reject_on_detection: false, mask: true },
};

describe.skipIf(missingPrograms)('a request through Envoy, with a collector', () => {
  let receiver: OtlpReceiver;
  let gateway: Gateway;

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    const large = { provider: 'fake', model: 'large' };
    gateway = await startGateway({
      endpoints: [
        { name: 'masked', models: [large], plugins: [MASKING] },
        { name: 'secret', models: [large], log_content: 'none' },
        { name: 'checked', models: [{ ...large, structured_output: true }], json_validation: true },
        { name: 'pieces', models: [{ ...large, model: 'pieces' }] },
      ],
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      },
    });
  });

  afterAll(async () => {
    await gateway?.stop();
    await receiver?.stop();
  });

  beforeEach(() => gateway.provider.always(jsonReply(COMPLETION)));

  /** The span for which this holds, as soon as it was exported. */
  const spanWhere = (what: string, holds: (span: Span) => boolean) =>
    waitFor(
      `the span ${what} comes`,
      async () => {
        const found = receiver.spans.find(holds);
        if (found === undefined) throw new Error(receiver.spans.map(({ name }) => name).join(', '));
        return found;
      },
      { timeoutMs: 20_000, intervalMs: 20 },
    );
  const attemptOf = (id: string) =>
    spanWhere(
      'of the try',
      (span) => span.name === 'chat large' && attributesOf(span)['sluice.log.id'] === id,
    );
  const exchangeOf = (id: string) =>
    spanWhere(
      'of the exchange',
      (span) => span.name.startsWith('sluice ') && attributesOf(span)['sluice.log.id'] === id,
    );

  it('records for its try what was asked for and what was answered', async () => {
    const { id } = await gateway.ask({
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 100,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      seed: 7,
      stop: ['END'],
    });
    expect(attributesOf(await attemptOf(id))).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'large',
      'gen_ai.request.stream': false,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.frequency_penalty': 0.1,
      'gen_ai.request.presence_penalty': 0.2,
      'gen_ai.request.seed': 7,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.response.id': COMPLETION.id,
      'gen_ai.response.model': COMPLETION.model,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
    });
  });

  it('records the same for a stream, with the time to its first piece', async () => {
    gateway.provider.always(
      streamReply([
        chunk({ content: 'On ' }),
        chunk({ content: 'its way.' }),
        `${chunk({}, 'stop')}${USAGE_CHUNK}data: [DONE]\n\n`,
      ]),
    );
    const { id } = await gateway.ask({ stream: true, temperature: 0 });
    const attributes = attributesOf(await attemptOf(id));
    expect(attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.request.temperature': 0,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
    });
    expect(JSON.parse(attributes['gen_ai.output.messages'] as string)).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'On its way.' }], finish_reason: 'stop' },
    ]);
  });

  it('counts the time between the pieces of its stream', async () => {
    gateway.provider.always(
      streamReply([
        chunk({ content: 'On ' }),
        chunk({ content: 'its way.' }),
        `${chunk({}, 'stop')}data: [DONE]\n\n`,
      ]),
    );
    await gateway.ask({ model: 'pieces', stream: true });
    const metrics = await (await fetch(`${gateway.sluice.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /^gen_ai_client_operation_time_per_output_chunk_seconds_count\{.*model="pieces".*\} 1$/m,
    );
  });

  it('records that JSON was asked for, and whether it was valid', async () => {
    const message = { role: 'assistant', content: '{"where":"here"}' };
    gateway.provider.always(
      jsonReply({ ...COMPLETION, choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    );
    const { id } = await gateway.ask({ model: 'checked', response_format: SCHEMA });
    expect(attributesOf(await attemptOf(id))).toMatchObject({
      'gen_ai.output.type': 'json',
      'gen_ai.response.finish_reasons': ['stop'],
      'sluice.validation.outcome': 'valid',
    });
  });

  it('records its messages as they were sent on, after masking', async () => {
    const message = { role: 'assistant', content: 'I wrote to ann@example.com.' };
    gateway.provider.always(
      jsonReply({ ...COMPLETION, choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    );
    const { id } = await gateway.ask({
      model: 'masked',
      messages: [{ role: 'user', content: 'Write to bob@example.com.' }],
    });
    const attributes = attributesOf(await attemptOf(id));
    expect(attributes['gen_ai.input.messages']).toContain('Write to <EMAIL_ADDRESS>.');
    expect(attributes['gen_ai.output.messages']).toContain('I wrote to <EMAIL_ADDRESS>.');
    expect(JSON.stringify(receiver.spans)).not.toContain('example.com');
  });

  it('records no messages where its endpoint stores none', async () => {
    const { id } = await gateway.ask({ model: 'secret' });
    const attributes = attributesOf(await attemptOf(id));
    expect(attributes).toMatchObject({ 'gen_ai.response.id': COMPLETION.id });
    expect(Object.keys(attributes).filter((name) => name.endsWith('.messages'))).toEqual([]);
  });

  it('is linked from the writes of its log and of its feedback', async () => {
    const { id } = await gateway.ask();
    const { traceId, spanId } = await exchangeOf(id);
    const writeTo = (collection: string) =>
      spanWhere(
        `of the write to ${collection}`,
        ({ name, links = [] }) =>
          name === `insert ${collection}` && links.some((link) => link.spanId === spanId),
      );
    const written = await writeTo('logs');
    expect(written.links).toContainEqual(expect.objectContaining({ traceId, spanId }));
    expect(attributesOf(written)).toMatchObject({
      'db.system.name': 'mongodb',
      'db.namespace': gateway.sluice.database.databaseName,
      'db.collection.name': 'logs',
      'db.operation.name': 'insert',
    });
    const log = await gateway.log(id);
    expect(Object.keys(log).filter((key) => key.startsWith('_') && key !== '_id')).toEqual([]);
    await gateway.call('POST', `/${PROJECT}/feedback/${id}`, {
      key: KEYS.feedback,
      body: { score: 1, weight: 1 },
    });
    expect(attributesOf(await writeTo('feedback'))).toMatchObject({ 'db.collection.name': 'feedback' });
  });
});

describe.skipIf(missingPrograms)('a gateway that starts no traces of its own', () => {
  let receiver: OtlpReceiver;
  let gateway: Gateway;

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    gateway = await startGateway({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0',
      },
    });
  });

  afterAll(async () => {
    await gateway?.stop();
    await receiver?.stop();
  });

  it('records, in Envoy and behind it, the traces that its clients record, and nothing else', async () => {
    const client = 'b7ad6b7169203331';
    const traceparent = (trace: string, flags: string) => ({
      headers: { traceparent: `00-${trace}-${client}-${flags}` },
    });
    await gateway.ask();
    await gateway.ask({}, traceparent('0af7651916cd43dd8448eb211c80319c', '00'));
    const sampled = ['1', '2', '3'].map((digit) => digit.repeat(32));
    for (const trace of sampled) await gateway.ask({}, traceparent(trace, '01'));
    const exchanges = () => receiver.spans.filter(({ name }) => name === 'sluice support');
    await waitFor(
      'the last one is there',
      async () => exchanges().some(({ traceId }) => traceId === sampled.at(-1)) || undefined,
      { timeoutMs: 20_000, intervalMs: 20 },
    );
    expect(exchanges().map(({ traceId }) => traceId)).toEqual(sampled);
    // Envoy's span stands between the client's and ours.
    for (const { parentSpanId } of exchanges())
      expect(parentSpanId).toMatch(/^(?!b7ad6b7169203331)[0-9a-f]{16}$/);
  });
});
