import { describe, expect, it } from 'vitest';
import { type PipelineOptions, requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import { SluiceError } from '../../core/errors.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import { receive } from './receive.js';

const SCHEMA = {
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
};
const rejecting: Plugin<unknown> = {
  name: 'rejecting',
  configSchema: {},
  request: () => ({ action: 'reject', message: 'No.', code: 'not_here' }),
};
const shouting: Plugin<unknown> = {
  name: 'shouting',
  configSchema: {},
  request: ({ messages }) => ({
    action: 'modify',
    content: messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'text' ? { ...part, text: part.text.toUpperCase() } : part,
      ),
    })),
  }),
  response: () => ({ action: 'pass' }),
};

async function received(body: Buffer | object = {}, options: PipelineOptions = {}) {
  const pipeline = new TestPipeline(options);
  const exchange = pipeline.exchange();
  const bytes = Buffer.isBuffer(body) ? body : requestBody(body);
  const error = await receive(exchange, bytes, pipeline.services).then(
    () => undefined,
    (thrown: SluiceError) => thrown,
  );
  return { pipeline, exchange, error };
}

describe('a request that is received', () => {
  it('has its endpoint, its metadata, its tags and its plan', async () => {
    const { exchange, error } = await received({ metadata: { task: 'faq', vip: null } });
    expect(error).toBeUndefined();
    expect(exchange).toMatchObject({
      endpoint: { name: 'support' },
      received: { metadata: { task: 'faq', vip: null }, tags: ['task:faq', 'vip'] },
      plan: { models: [{ provider: 'local', model: 'large' }] },
    });
    expect(exchange.document).toBe(exchange.received?.document);
    expect(exchange.plan?.contract).toBeUndefined();
  });

  it.each([
    ['no JSON', Buffer.from('{'), 'invalid_request'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'invalid_request'],
    ['a list', Buffer.from('[]'), 'invalid_request'],
    ['no messages', { messages: undefined }, 'invalid_request'],
    ['too much metadata', { metadata: { text: 'x'.repeat(100) } }, 'invalid_request'],
    [
      'a number in metadata that no log can keep',
      Buffer.from(
        requestBody({ metadata: { a: ['1e400'] } })
          .toString()
          .replace('"1e400"', '1e400'),
      ),
      'invalid_request',
    ],
    ['NUL in a key of metadata', { metadata: { a: [{ 'b\0': 1 }] } }, 'invalid_request'],
    ['an unknown endpoint', { model: 'other' }, 'model_not_found'],
  ])('is refused with %s', async (_case, body, code) => {
    const { error } = await received(body);
    expect([error instanceof SluiceError, error?.code]).toEqual([true, code]);
  });

  it('is refused where no model of the endpoint fits it', async () => {
    const models = [
      { provider: 'local', model: 'large', structured_output: true, when: { tags_any: ['pro'] } },
    ];
    expect((await received({}, { endpoint: { models } })).error?.code).toBe('model_not_found');
    expect((await received({ metadata: { pro: null } }, { endpoint: { models } })).error).toBeUndefined();
  });

  it('is sent to the models whose provider still exists, and refused where none does', async () => {
    const gone = { provider: 'gone', model: 'large', structured_output: true };
    const local = { ...gone, provider: 'local' };
    const { exchange } = await received({}, { endpoint: { models: [gone, local] } });
    expect(exchange.plan?.models).toEqual([local]);
    const models = [gone, { ...gone, model: 'small' }];
    expect((await received({}, { endpoint: { models } })).error?.code).toBe('upstream_unavailable');
  });

  it('is refused where there is no room for its log', async () => {
    const pipeline = new TestPipeline();
    pipeline.full = true;
    await expect(receive(pipeline.exchange(), requestBody(), pipeline.services)).rejects.toMatchObject({
      code: 'spool_full',
    });
  });

  it('has its schema prepared only where the endpoint validates and the client sent one', async () => {
    const checked = { endpoint: { json_validation: true } };
    expect((await received(SCHEMA, checked)).exchange.plan?.contract).toBeDefined();
    expect((await received({}, checked)).exchange.plan?.contract).toBeUndefined();
    expect((await received(SCHEMA)).exchange.plan?.contract).toBeUndefined();
  });

  it('is sent on as a plugin changed it', async () => {
    const { exchange } = await received({}, { plugins: [shouting] });
    expect(exchange.document?.value.messages).toEqual([{ role: 'user', content: 'WHERE IS IT?' }]);
    expect(exchange.received?.document?.value.messages).toEqual([{ role: 'user', content: 'Where is it?' }]);
    expect(exchange.pluginRuns).toMatchObject([
      { plugin: 'shouting', phase: 'request', outcome: 'modified' },
    ]);
  });

  it('is not shown to a plugin in `observe` mode where it has too many texts', async () => {
    const entry = {
      plugin: 'shouting',
      phases: [],
      config: {},
      timeout_ms: 1_000,
      isolate: false,
      sample: 1,
    };
    const { exchange, error } = await received(
      { notes: Array.from({ length: 200_001 }, () => 'a') },
      {
        plugins: [shouting],
        endpoint: { plugins: [{ ...entry, mode: 'observe' }] },
        limits: { body_values: 300_000 },
      },
    );
    expect(error).toBeUndefined();
    expect(await exchange.observedRequest).toMatchObject([
      { outcome: 'skipped', observed: true, reason: expect.stringContaining('200000 strings') },
    ]);
  });

  it("ends with a plugin's rejection, before later plugins and its schema are considered", async () => {
    const { exchange, error } = await received(SCHEMA, {
      plugins: [rejecting, shouting],
      endpoint: { json_validation: true },
    });
    expect(error).toMatchObject({ clientCode: 'not_here', status: 400, message: 'No.' });
    expect(exchange.plan?.contract).toBeUndefined();
    expect(exchange.plan).toBeUndefined();
  });
});
