import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixtureReply } from '../../support/dialect-provider.js';
import { borrowGateway, CREDENTIAL, type Gateway, PROJECT } from '../../support/gateway.js';
import { anthropicClient, geminiClient, openaiClient } from '../../support/official-clients.js';
import { jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const TOKENS = `/${PROJECT}/anthropic/v1/messages/count_tokens`;

describe.skipIf(missingPrograms !== null)('counting tokens', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await borrowGateway({
      providers: (base_url) => ({
        chat: { api: 'openai', base_url },
        responses: { api: 'openai', responses: true, base_url },
        messages: { api: 'anthropic', base_url, api_key_env: 'FAKE_KEY' },
        google: { api: 'gemini', base_url },
      }),
      endpoints: [
        ...['chat', 'responses', 'messages', 'google'].map((provider) => ({
          name: provider,
          models: [{ provider, model: 'large' }],
        })),
        {
          name: 'chosen',
          models: [{ provider: 'messages', model: 'best', when: { tags_any: ['tier:pro'] } }],
        },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const QUESTION: Anthropic.MessageCountTokensParams = {
    model: 'messages',
    system: 'Answer in one sentence.',
    messages: [{ role: 'user', content: 'Why is the sky blue?' }],
  };

  async function expectNoLog(id: string | null): Promise<void> {
    expect(id).not.toBeNull();
    // The log of a later call lands after it would have.
    const later = await gateway.ask();
    await gateway.log(later.id);
    expect(await gateway.sluice.database.collection('logs').findOne({ _id: id as never })).toBeNull();
  }

  it('is done by a provider that can count, and makes no log', async () => {
    gateway.provider.enqueue(jsonReply({ input_tokens: 42 }));
    const { data, response } = await anthropicClient(gateway).messages.countTokens(QUESTION).withResponse();
    expect(data.input_tokens).toBe(42);
    const received = await gateway.provider.received();
    expect(received.path).toBe('/v1/messages/count_tokens');
    expect(received.json()).toEqual({ ...QUESTION, model: 'large' });
    expect(received.headers['x-api-key']).toBe(CREDENTIAL);
    await expectNoLog(response.headers.get('x-inference-log-id'));
  });

  it('is done by OpenAI when its client asks, and makes no log', async () => {
    gateway.provider.enqueue(jsonReply({ object: 'response.input_tokens', input_tokens: 42 }));
    const asked = openaiClient(gateway).responses.inputTokens.count({ model: 'responses', input: 'Hi' });
    const { data, response } = await asked.withResponse();
    expect(data).toEqual({ object: 'response.input_tokens', input_tokens: 42 });
    const received = await gateway.provider.received();
    expect(received.path).toBe('/v1/responses/input_tokens');
    expect(received.json()).toEqual({ model: 'large', input: 'Hi' });
    await expectNoLog(response.headers.get('x-inference-log-id'));
  });

  it('is done by Gemini when its client asks, and makes no log', async () => {
    gateway.provider.enqueue(jsonReply({ totalTokens: 42 }));
    const { models } = geminiClient(gateway);
    const { totalTokens, sdkHttpResponse } = await models.countTokens({ model: 'google', contents: 'Hi' });
    expect(totalTokens).toBe(42);
    const received = await gateway.provider.received();
    expect(received.path).toBe('/v1/models/large:countTokens');
    expect(received.json()).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
    await expectNoLog(sdkHttpResponse?.headers?.['x-inference-log-id'] ?? null);
  });

  it.each([
    ['openai/v1/responses/input_tokens', { model: 'messages', input: 'Where is my parcel?' }, 'input_tokens'],
    [
      'gemini/v1beta/models/messages:countTokens',
      { generateContentRequest: { contents: [{ parts: [{ text: 'Where is my parcel?' }] }] } },
      'totalTokens',
    ],
  ])('is an estimate for %s where no provider of the endpoint can count', async (path, body, member) => {
    const answer = await gateway.call('POST', `/${PROJECT}/${path}`, { body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-sluice-estimated')).toBe('true');
    expect(answer.json[member]).toBe(9);
    expect(gateway.provider.requests).toEqual([]);
  });

  it('is done by the model that a message with the same metadata would go to', async () => {
    gateway.provider.enqueue(jsonReply({ input_tokens: 42 }));
    const body = { ...QUESTION, model: 'chosen', metadata: { tier: 'pro' } };
    expect((await gateway.call('POST', TOKENS, { body })).json).toEqual({ input_tokens: 42 });
    expect((await gateway.provider.received()).json()).toEqual({ ...QUESTION, model: 'best' });
    const other = { ...body, metadata: { tier: 'free' } };
    expect((await gateway.call('POST', TOKENS, { body: other })).status).toBe(404);
  });

  it('is marked as an estimate exactly where it is one', async () => {
    const header = async (model: string) =>
      (await gateway.call('POST', TOKENS, { body: { ...QUESTION, model } })).headers.get(
        'x-sluice-estimated',
      );
    expect(await header('chat')).toBe('true');
    gateway.provider.enqueue(jsonReply({ input_tokens: 42 }));
    expect(await header('messages')).toBeNull();
  });

  it('is an estimate where no provider of the endpoint can count', async () => {
    const client = anthropicClient(gateway);
    const count = async (content: string) =>
      (
        await client.messages.countTokens({
          ...QUESTION,
          model: 'chat',
          messages: [{ role: 'user', content }],
        })
      ).input_tokens;
    const [short, long] = [await count('Hi'), await count('Why is the sky blue? '.repeat(100))];
    expect(short).toBeGreaterThan(0);
    expect(long).toBeGreaterThan(400);
    expect(long).toBeLessThan(800);
    expect(gateway.provider.requests).toEqual([]);
  });

  it('fails in the shape of the API', async () => {
    const asked = anthropicClient(gateway).messages.countTokens({ ...QUESTION, model: 'nobody' });
    await expect(asked).rejects.toThrow(Anthropic.NotFoundError);
    const answer = await gateway.call('POST', TOKENS, { body: { model: 'messages', messages: [] } });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toMatch(/^invalid_request: /);
  });

  it("returns a provider's error unchanged", async () => {
    gateway.provider.enqueue(fixtureReply('error-429'));
    const asked = anthropicClient(gateway).messages.countTokens(QUESTION);
    await expect(asked).rejects.toThrow(Anthropic.RateLimitError);
  });
});
