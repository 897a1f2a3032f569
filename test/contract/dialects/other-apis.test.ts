import OpenAI, { BadRequestError, RateLimitError } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { borrowGateway, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { bytesReply, jsonReply, resetReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* Embeddings, the older completions and moderations, which no other API can say. */

const VECTOR = [0.25, -0.5, 1];
const BASE64 = Buffer.from(new Float32Array(VECTOR).buffer).toString('base64');
const vectors = (embedding: unknown, count = 1): JsonObject => ({
  object: 'list',
  data: Array.from(
    { length: count },
    (_, index) => ({ object: 'embedding', index, embedding }) as JsonObject,
  ),
  model: 'embed-1-2024',
  usage: { prompt_tokens: 8, total_tokens: 8 },
});
const VERDICT = {
  id: 'modr-1',
  model: 'omni-moderation-2024',
  results: [{ flagged: true, categories: { violence: true }, category_scores: { violence: 0.9 } }],
};
const completion = (text: string) => ({
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1,
  model: 'small-2024',
  choices: [{ index: 0, text, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const chunk = (text: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'cmpl-1', object: 'text_completion', created: 1, model: 'small', choices: [{ index: 0, text, logprobs: null, finish_reason }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';

const EMBED = { provider: 'fake', model: 'embed-1' };
const REJECTING = [
  { plugin: 'pii_detection', config: { entities: ['EMAIL_ADDRESS'], reject_on_detection: true } },
];
const MASKING = [
  {
    plugin: 'pii_detection',
    config: { entities: ['EMAIL_ADDRESS'], reject_on_detection: false, mask: true },
  },
];

describe.skipIf(missingPrograms !== null)('an API that is not translated', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway({
      providers: (base_url) => ({
        second: { api: 'openai', base_url, api_key_env: 'FAKE_KEY' },
        priced: {
          api: 'openai',
          base_url,
          api_key_env: 'FAKE_KEY',
          prices: { 'embed-1': { input_per_mtok: 2, output_per_mtok: 0 } },
        },
        claude: { api: 'anthropic', base_url, api_key_env: 'FAKE_KEY' },
        azure: { api: 'azure_openai', base_url, api_key_env: 'FAKE_KEY', api_version: '2024-10-21' },
      }),
      endpoints: [
        { name: 'embed', models: [{ ...EMBED, provider: 'priced' }] },
        {
          name: 'embed-chain',
          models: [EMBED, { ...EMBED, provider: 'second' }, { provider: 'claude', model: 'c' }],
          same_vectors: true,
        },
        {
          name: 'same',
          models: [
            { provider: 'fake', model: 'a' },
            { provider: 'fake', model: 'b' },
          ],
          same_vectors: true,
        },
        { name: 'claude', models: [{ provider: 'claude', model: 'c' }] },
        { name: 'azure', models: [{ provider: 'azure', model: 'ada' }] },
        { name: 'rejecting', models: [EMBED], plugins: REJECTING },
        { name: 'masking', models: [EMBED], plugins: MASKING },
        { name: 'omni-moderation-latest', models: [{ provider: 'fake', model: 'judge' }] },
        { name: 'unmasked', models: [EMBED], log_content: 'none' },
      ] as JsonObject[],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const client = () =>
    new OpenAI({
      baseURL: `${gateway.sluice.gatewayUrl}/${PROJECT}/openai/v1`,
      apiKey: KEYS.all,
      maxRetries: 0,
    });
  const post = (call: string, body: object, headers = {}) =>
    gateway.call('POST', `/${PROJECT}/openai/v1/${call}`, { body, headers });
  const sent = async (index = 0) => {
    const { path, body } = await gateway.provider.received(index);
    return [path, JSON.parse(body.toString())];
  };

  describe('embeddings', () => {
    it("reach OpenAI's client in base64, its default, and are logged without their numbers", async () => {
      gateway.provider.enqueue(jsonReply(vectors(BASE64, 2)));
      const { data, response } = await client()
        .embeddings.create({ model: 'embed', input: ['a', 'b'], metadata: { tier: 'pro' } } as never)
        .withResponse();
      expect(data.data.map(({ embedding }) => embedding)).toEqual([VECTOR, VECTOR]);
      const id = response.headers.get('x-inference-log-id')!;
      expect((data as { inference_log_id?: string }).inference_log_id).toBe(id);
      expect(response.headers.get('x-sluice-model')).toBe('priced/embed-1');
      expect(await sent()).toEqual([
        '/v1/embeddings',
        { model: 'embed-1', input: ['a', 'b'], encoding_format: 'base64' },
      ]);
      expect(await gateway.log(id)).toMatchObject({
        api: 'openai.embeddings',
        status: 'success',
        endpoint: 'embed',
        model: 'priced/embed-1',
        metadata: { tier: 'pro' },
        tags: ['tier:pro'],
        request: { model: 'embed', input: ['a', 'b'], encoding_format: 'base64' },
        response: { object: 'list', vectors: { count: 2, dimensions: 3 }, usage: { prompt_tokens: 8 } },
        usage: { input_tokens: 8, output_tokens: 0 },
        cost: 0.000016,
        stream: false,
      });
    });

    it('keep every byte', async () => {
      const body = `{"object" : "list", "data":[ {"embedding":[1.50, 2e-1],"index":0, "object":"embedding"} ],\n"usage":{"prompt_tokens":2,"total_tokens":2}, "é":1}\n`;
      gateway.provider.enqueue(bytesReply(body, { headers: { 'content-type': 'application/json' } }));
      const { text, id } = await post('embeddings', { model: 'embed', input: 'a' });
      expect(text).toBe(`{"inference_log_id":"${id}",${body.slice(1)}`);
    });

    it('fall back to the next provider of the same model, and never to a provider without embeddings', async () => {
      gateway.provider.enqueue(
        jsonReply({ error: { message: 'busy' } }, { status: 429 }),
        jsonReply(vectors(VECTOR)),
      );
      const { id, json } = await post('embeddings', { model: 'embed-chain', input: 'a' });
      expect(json.data[0].embedding).toEqual(VECTOR);
      expect(await gateway.log(id)).toMatchObject({
        status: 'success',
        model: 'second/embed-1',
        attempts: [{ status: 'rate_limited' }, { status: 'success', usage: { input_tokens: 8 } }],
      });
      gateway.provider.reset();
      gateway.provider.always(resetReply);
      const failed = await post('embeddings', { model: 'embed-chain', input: 'a' });
      expect([failed.status, failed.json.error.code]).toEqual([502, 'upstream_unavailable']);
      const paths = gateway.provider.requests.map(({ path }) => path);
      expect(paths).toEqual(['/v1/embeddings', '/v1/embeddings']);
    });

    it('are refused where a fallback model would give different vectors, unless the models are the same', async () => {
      const { status, json } = await post('embeddings', { model: 'chain', input: 'a' });
      expect([status, json.error.code]).toEqual([400, 'invalid_request']);
      expect(json.error.message).toContain('"small", "large", and vectors of two models do not mix');
      gateway.provider.enqueue(jsonReply({}, { status: 500 }), jsonReply(vectors(VECTOR)));
      expect((await post('embeddings', { model: 'same', input: 'a' })).status).toBe(200);
      expect((await sent(1))[1].model).toBe('b');
    });

    it.each(['embeddings', 'completions', 'moderations'])(
      'are refused by a provider without %s',
      async (call) => {
        const { status, json, id } = await post(call, { model: 'claude', input: 'a', prompt: 'a' });
        expect([status, json.error.type, json.error.param]).toEqual([400, 'invalid_request_error', 'model']);
        expect(json.error.message).toBe(
          `No provider of the endpoint "claude" has the API openai.${call}, which cannot be translated: "claude".`,
        );
        expect(await gateway.log(id)).toMatchObject({ api: `openai.${call}`, status: 'error', attempts: [] });
        expect(gateway.provider.requests).toEqual([]);
      },
    );

    it('go to the deployment at Azure, which has no moderations', async () => {
      gateway.provider.enqueue(jsonReply(vectors(VECTOR)));
      await post('embeddings', { model: 'azure', input: 'a' });
      expect((await sent())[0]).toBe('/v1/openai/deployments/ada/embeddings?api-version=2024-10-21');
      expect((await post('moderations', { model: 'azure', input: 'a' })).status).toBe(400);
    });

    it('of an unknown form, and errors, pass unchanged', async () => {
      gateway.provider.enqueue(jsonReply({ vectors: [1] }));
      expect((await post('embeddings', { model: 'embed', input: 'a' })).json).toEqual({ vectors: [1] });
      gateway.provider.enqueue(
        jsonReply({ error: { message: 'slow down', type: 'requests' } }, { status: 429 }),
      );
      const refused = client().embeddings.create({ model: 'embed', input: 'a' });
      await expect(refused).rejects.toThrow(RateLimitError);
      await expect(client().embeddings.create({ model: 'embed', input: [] })).rejects.toThrow(
        BadRequestError,
      );
    });
  });

  describe('guards', () => {
    const mail = 'write to ann@example.com';
    const calls: [string, JsonObject, object, JsonObject][] = [
      [
        'embeddings',
        { input: ['fine', mail] },
        vectors(VECTOR),
        { input: ['fine', 'write to <EMAIL_ADDRESS>'] },
      ],
      ['completions', { prompt: mail }, completion('yes'), { prompt: 'write to <EMAIL_ADDRESS>' }],
      [
        'moderations',
        { input: [{ type: 'text', text: mail }] },
        VERDICT,
        { input: [{ type: 'text', text: 'write to <EMAIL_ADDRESS>' }] },
      ],
    ];

    it.each(calls)('reject texts of %s', async (call, request, _answer, masked) => {
      const { status, json, id } = await post(call, { model: 'rejecting', ...request });
      expect([status, json.error.code]).toEqual([400, 'pii_detected']);
      expect(gateway.provider.requests).toEqual([]);
      const log = await gateway.log(id);
      expect(log).toMatchObject({ status: 'rejected', api: `openai.${call}`, request: masked });
    });

    it.each(calls)('mask texts of %s', async (call, request, answer, masked) => {
      gateway.provider.enqueue(jsonReply(answer));
      const { status, id } = await post(call, { model: 'masking', ...request });
      expect([status, (await sent())[1]]).toEqual([200, { model: 'embed-1', ...masked }]);
      const { request: kept, plugin_runs: runs } = await gateway.log(id);
      expect(kept).toMatchObject(masked);
      expect(runs[0]).toMatchObject({ phase: 'request', outcome: 'modified' });
      if (call !== 'completions') {
        expect(runs[1]).toMatchObject({
          phase: 'response',
          outcome: 'skipped',
          reason: expect.stringMatching(/no text/),
        });
      }
    });

    it('cannot read token numbers, so such requests are refused', async () => {
      const { status, json } = await post('embeddings', { model: 'rejecting', input: [[1, 2]] });
      expect([status, json.error.param]).toEqual([400, 'input[0]']);
      expect(json.error.message).toContain('token numbers, which the plugin pii_detection');
      gateway.provider.enqueue(jsonReply(vectors(VECTOR)));
      expect((await post('embeddings', { model: 'embed', input: [[1, 2]] })).status).toBe(200);
    });

    it('mask the text of a completion, whole and in a stream', async () => {
      gateway.provider.enqueue(jsonReply(completion(mail)));
      const whole = await post('completions', { model: 'masking', prompt: 'a' });
      expect(whole.json.choices[0].text).toBe('write to <EMAIL_ADDRESS>');
      gateway.provider.enqueue(streamReply([chunk('write to ann@exa'), chunk('mple.com', 'stop'), DONE]));
      let text = '';
      const stream = await client().completions.create({ model: 'masking', prompt: 'a', stream: true });
      for await (const { choices } of stream) text += choices[0]?.text ?? '';
      expect(text).toBe('write to <EMAIL_ADDRESS>');
    });
  });

  describe('completions', () => {
    it('have their text, usage and log', async () => {
      gateway.provider.enqueue(jsonReply(completion('on its way')));
      const { data, response } = await client()
        .completions.create({ model: 'support', prompt: 'It is', max_tokens: 5 })
        .withResponse();
      expect(data.choices[0]!.text).toBe('on its way');
      expect(await sent()).toEqual(['/v1/completions', { model: 'large', prompt: 'It is', max_tokens: 5 }]);
      expect(await gateway.log(response.headers.get('x-inference-log-id')!)).toMatchObject({
        api: 'openai.completions',
        response: { choices: [{ text: 'on its way' }] },
        usage: { input_tokens: 3, output_tokens: 2 },
      });
    });

    it('stream, and fall back before anything was sent', async () => {
      const usage = `data: ${JSON.stringify({ id: 'cmpl-1', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } })}\n\n`;
      gateway.provider.enqueue(
        jsonReply({}, { status: 500 }),
        streamReply([chunk('on '), chunk('its way', 'stop'), usage, DONE]),
      );
      const { data, response } = await client()
        .completions.create({ model: 'chain', prompt: 'It is', stream: true })
        .withResponse();
      const chunks = [];
      for await (const part of data) chunks.push(part);
      expect(chunks.map(({ choices }) => choices[0]!.text)).toEqual(['on ', 'its way']);
      expect(chunks[0]).toHaveProperty('inference_log_id');
      expect((await sent(1))[1]).toMatchObject({ model: 'large', stream_options: { include_usage: true } });
      expect(await gateway.log(response.headers.get('x-inference-log-id')!)).toMatchObject({
        status: 'success',
        stream: true,
        model: 'fake/large',
        response: { object: 'text_completion', choices: [{ text: 'on its way', finish_reason: 'stop' }] },
        usage: { input_tokens: 3, output_tokens: 2 },
      });
    });

    it('that are cut off end with an error', async () => {
      gateway.provider.enqueue(streamReply([chunk('on ')]));
      const stream = await client().completions.create({ model: 'support', prompt: 'a', stream: true });
      const read = async () => {
        for await (const part of stream) void part;
      };
      await expect(read()).rejects.toThrow('The model broke off its answer.');
    });
  });

  it.each([[{}], [{ model: null }]])(
    'moderations go to the model that the API would choose (%j)',
    async (named) => {
      gateway.provider.enqueue(jsonReply(VERDICT));
      const answer = await post('moderations', { ...named, input: 'I will find you' });
      expect([answer.status, await sent()]).toEqual([
        200,
        ['/v1/moderations', { model: 'judge', input: 'I will find you' }],
      ]);
      expect((await gateway.log(answer.id)).endpoint).toBe('omni-moderation-latest');
    },
  );

  it('moderations return their verdict, and have a log without usage', async () => {
    gateway.provider.enqueue(jsonReply(VERDICT));
    const { data, response } = await client()
      .moderations.create({ model: 'support', input: 'I will find you' })
      .withResponse();
    expect(data.results[0]!.flagged).toBe(true);
    expect((await sent())[0]).toBe('/v1/moderations');
    expect(await gateway.log(response.headers.get('x-inference-log-id')!)).toMatchObject({
      api: 'openai.moderations',
      status: 'success',
      response: { results: [{ flagged: true }] },
      usage: null,
      cost: null,
    });
  });
});
