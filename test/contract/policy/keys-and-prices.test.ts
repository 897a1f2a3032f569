import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import {
  borrowGateway,
  CHAT_PATH,
  COMPLETION,
  type Gateway,
  gatewayConfig,
  PROJECT,
} from '../../support/gateway.js';
import { jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const LIMITED = 'sk-limited';
const USAGE = {
  prompt_tokens: 1_000,
  completion_tokens: 100,
  prompt_tokens_details: { cached_tokens: 400 },
  completion_tokens_details: { reasoning_tokens: 50 },
};

describe.skipIf(missingPrograms !== null)('keys that are limited to endpoints, and prices', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const [project] = gatewayConfig('http://unused').projects as {
      api_keys: JsonObject[];
      endpoints: JsonObject[];
    }[];
    gateway = await borrowGateway({
      providers: (url) => ({
        priced: {
          api: 'openai',
          base_url: url,
          models: { taken: 'openai/gpt-5-mini', dear: 'openai/gpt-5-mini' },
          prices: {
            dear: {
              input_per_mtok: 10,
              output_per_mtok: 20,
              cached_input_per_mtok: 1,
              tiers: { flex: { input_per_mtok: 5 } },
            },
          },
        },
      }),
      settings: {
        projects: [
          {
            uid: PROJECT,
            name: 'demo',
            api_keys: [
              ...project!.api_keys,
              { name: 'limited', key: LIMITED, scopes: ['inference'], endpoints: ['dear'] },
            ],
            endpoints: [
              ...project!.endpoints,
              ...['taken', 'dear'].map((model) => ({ name: model, models: [{ provider: 'priced', model }] })),
            ],
          },
        ],
      },
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  it('refuse another endpoint, before the model is asked', async () => {
    const refused = await gateway.ask({ model: 'taken' }, { key: LIMITED });
    expect(refused.status).toBe(403);
    expect(refused.json.error).toMatchObject({ code: 'endpoint_not_allowed', type: 'permission_error' });
    expect(refused.headers.get('x-sluice-help')).toBe('docs/errors.md#endpoint_not_allowed');
    expect(gateway.provider.requests).toHaveLength(0);
    expect(await gateway.log(refused.id)).toMatchObject({ status: 'error', http_status: 403 });
    expect((await gateway.ask({ model: 'dear' }, { key: LIMITED })).status).toBe(200);
  });

  it.each([
    [
      `/${PROJECT}/anthropic/v1/messages`,
      { model: 'taken', max_tokens: 5, messages: [{ role: 'user', content: 'a' }] },
    ],
    [`/${PROJECT}/openai/v1/responses`, { model: 'taken', input: 'a' }],
    [`/${PROJECT}/openai/v1/embeddings`, { model: 'taken', input: 'a' }],
    [`/${PROJECT}/gemini/v1beta/models/taken:generateContent`, { contents: [{ parts: [{ text: 'a' }] }] }],
  ])('refuse it on every path (%s)', async (path, body) => {
    const refused = await gateway.call('POST', path, { body, key: LIMITED });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('endpoint');
  });

  it('list what the key may call, and nothing else', async () => {
    const listed = await gateway.call('GET', `/${PROJECT}/openai/v1/models`, { key: LIMITED });
    expect(listed.json.data.map(({ id }: { id: string }) => id)).toEqual(['dear']);
    const all = await gateway.call('GET', `/${PROJECT}/openai/v1/models`, {});
    expect(all.json.data.length).toBeGreaterThan(3);
    const one = await gateway.call('GET', `/${PROJECT}/openai/v1/models/taken`, { key: LIMITED });
    expect(one.status).toBe(403);
  });

  it('come from the catalogue, after those of the file', async () => {
    gateway.provider.enqueue(jsonReply({ ...COMPLETION, usage: USAGE, service_tier: 'default' }));
    const taken = await gateway.ask({ model: 'taken' });
    // gpt-5-mini: 0.25, 2 and 0.025 cached.
    const taking = (600 * 0.25 + 400 * 0.025 + 100 * 2) / 1e6;
    expect(await gateway.log(taken.id)).toMatchObject({
      service_tier: 'default',
      usage: { input_tokens: 1_000, cached_input_tokens: 400, reasoning_tokens: 50 },
      cost: expect.closeTo(taking, 12),
      attempts: [{ cost: expect.closeTo(taking, 12), service_tier: 'default' }],
    });
    gateway.provider.enqueue(jsonReply({ ...COMPLETION, usage: USAGE }));
    const dear = await gateway.ask({ model: 'dear' });
    expect((await gateway.log(dear.id)).cost).toBeCloseTo((600 * 10 + 400 * 1 + 100 * 20) / 1e6, 12);
  });

  it('follow the service tier that a stream reports', async () => {
    const chunk = (more: object) => `data: ${JSON.stringify({ id: 'a', service_tier: 'flex', ...more })}\n\n`;
    gateway.provider.enqueue(
      streamReply([
        chunk({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] }),
        chunk({ choices: [], usage: USAGE }),
        'data: [DONE]\n\n',
      ]),
    );
    const streamed = await gateway.call('POST', CHAT_PATH, {
      body: { model: 'dear', stream: true, messages: [{ role: 'user', content: 'a' }] },
    });
    expect(await gateway.log(streamed.id)).toMatchObject({
      service_tier: 'flex',
      cost: expect.closeTo((600 * 5 + 400 * 1 + 100 * 20) / 1e6, 12),
    });
  });

  it('can be made, changed and lifted through the admin API', async () => {
    const keys = `/api/projects/${PROJECT}/api-keys`;
    const made = await gateway.admin('POST', keys, {
      name: 'one',
      scopes: ['inference'],
      endpoints: ['dear'],
    });
    expect(made.json).toMatchObject({ endpoints: ['dear'] });
    const { id, key } = made.json;
    const ask = () => gateway.ask({ model: 'taken' }, { key });
    expect((await ask()).status).toBe(403);
    const read = await gateway.admin('GET', `${keys}/${id}`);
    await gateway.admin(
      'PUT',
      `${keys}/${id}`,
      { name: 'one', scopes: ['inference'] },
      { 'if-match': read.headers.get('etag')! },
    );
    await expect.poll(async () => (await ask()).status).toBe(200);
  });
});
