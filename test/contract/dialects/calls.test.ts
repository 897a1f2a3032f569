import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../src/core/dialect-ids.js';
import type { JsonObject } from '../../../src/core/json.js';
import { dialectOfRequest, fixtureJson, fixtureReply, folderOf } from '../../support/dialect-provider.js';
import { borrowGateway, CREDENTIAL, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { anthropicClient, OFFICIAL_CLIENTS, openaiClient } from '../../support/official-clients.js';
import { missingPrograms } from '../../support/start-sluice.js';

/* What each API promises beside its answers: keys, errors, state, metadata and lists of models. */

const PROVIDERS: Record<string, JsonObject> = {
  chat: { api: 'openai' },
  responses: { api: 'openai', responses: true },
  messages: { api: 'anthropic' },
  azure: { api: 'azure_openai', responses: true, api_version: '2025-04-01-preview' },
};
const ENDPOINTS = Object.keys(PROVIDERS);
const CLIENTS = OFFICIAL_CLIENTS.map((client) => [client.dialect, client] as const);

let gateway: Gateway;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  gateway = await borrowGateway({
    providers: (url) =>
      Object.fromEntries(
        Object.entries(PROVIDERS).map(([name, provider]) => {
          const base_url = provider.api === 'azure_openai' ? new URL(url).origin : url;
          return [name, { ...provider, base_url, api_key_env: 'FAKE_KEY' }];
        }),
      ),
    endpoints: [
      ...ENDPOINTS.map((provider) => ({
        name: provider,
        models: [{ provider, model: 'large', structured_output: true }],
        json_validation: true,
      })),
    ],
    settings: { limits: { request_body_bytes: 20_000, schema_bytes: 1000 } },
  });
  gateway.provider.always(fixtureReply('text'));
});
afterAll(() => gateway?.stop());
beforeEach(() => gateway?.provider.reset());

/** A request of an API, from its fixtures. */
function requestOf(dialect: ConversationId, model: string, changes: JsonObject = {}): JsonObject {
  return { ...fixtureJson(`${folderOf(dialect)}/image.request.json`), model, ...changes };
}

/** Some APIs name the model in the path. */
const pathOf = (path: string, model: string) => `/${PROJECT}/${path.replace('{model}', model)}`;

describe.skipIf(missingPrograms !== null)('a key', () => {
  it.each(CLIENTS)(
    'is accepted as a bearer token and in x-api-key, and is not passed on (%s)',
    async (dialect, client) => {
      const body = requestOf(dialect, 'messages');
      const path = pathOf(client.path, 'messages');
      const bearer = await gateway.call('POST', path, { body });
      const header = await gateway.call('POST', path, {
        body,
        key: null,
        headers: { 'x-api-key': KEYS.inference },
      });
      expect([bearer.status, header.status]).toEqual([200, 200]);
      for (const { headers } of gateway.provider.requests) {
        expect(headers['x-api-key']).toBe(CREDENTIAL);
        expect(headers.authorization).toBeUndefined();
      }
    },
  );

  it("may be the token of Anthropic's client", async () => {
    const client = new Anthropic({
      authToken: KEYS.inference,
      apiKey: null,
      baseURL: `${gateway.sluice.gatewayUrl}/${PROJECT}/anthropic`,
      maxRetries: 0,
    });
    const answer = await client.messages.create(requestOf('anthropic.messages', 'chat') as never);
    expect(answer).toMatchObject({ type: 'message', inference_log_id: expect.any(String) });
    const { headers } = await gateway.provider.received();
    expect([headers.authorization, headers['x-api-key']]).toEqual([`Bearer ${CREDENTIAL}`, undefined]);
  });
});

const SCHEMA = { type: 'nothing' };
const WITH_SCHEMA: Record<string, JsonObject> = {
  'openai.chat': { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: SCHEMA } } },
  'openai.responses': { text: { format: { type: 'json_schema', name: 'x', schema: SCHEMA } } },
  'anthropic.messages': { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
  'gemini.generate': { generationConfig: { responseJsonSchema: SCHEMA } },
};

interface Refused {
  what: string;
  status: number;
  code: string;
  /** The type in Anthropic's API. */
  type: string;
  ask(dialect: ConversationId, path: string): ReturnType<Gateway['call']>;
}

const REFUSED: Refused[] = [
  {
    what: 'no key',
    status: 401,
    code: 'invalid_api_key',
    type: 'authentication_error',
    ask: (dialect, path) => gateway.call('POST', path, { body: requestOf(dialect, 'chat'), key: null }),
  },
  {
    what: 'a key without the scope',
    status: 403,
    code: 'insufficient_scope',
    type: 'permission_error',
    ask: (dialect, path) => gateway.call('POST', path, { body: requestOf(dialect, 'chat'), key: KEYS.logs }),
  },
  {
    what: 'a body over the limit',
    status: 413,
    code: 'request_too_large',
    type: 'request_too_large',
    ask: (dialect, path) =>
      gateway.call('POST', path, { body: requestOf(dialect, 'chat', { user: 'x'.repeat(30_000) }) }),
  },
  {
    what: 'a body that is not JSON',
    status: 400,
    code: 'invalid_request',
    type: 'invalid_request_error',
    ask: (_dialect, path) => gateway.call('POST', path, { body: '{"model":' }),
  },
  {
    what: 'a request that is none of the API',
    status: 400,
    code: 'invalid_request',
    type: 'invalid_request_error',
    ask: (dialect, path) =>
      gateway.call('POST', path, {
        body: requestOf(dialect, 'chat', { messages: 7, input: 7, contents: 7 }),
      }),
  },
  {
    what: 'an unknown endpoint',
    status: 404,
    code: 'model_not_found',
    type: 'not_found_error',
    ask: (dialect, path) => gateway.call('POST', path, { body: requestOf(dialect, 'nobody') }),
  },
  {
    what: 'a schema that is none',
    status: 400,
    code: 'invalid_json_schema',
    type: 'invalid_request_error',
    ask: (dialect, path) =>
      gateway.call('POST', path, { body: requestOf(dialect, 'chat', WITH_SCHEMA[dialect]) }),
  },
];

describe.skipIf(missingPrograms !== null)('an error of ours has the shape of the API', () => {
  const rows = CLIENTS.flatMap(([dialect, client]) =>
    REFUSED.map((refused) => ({ dialect, client, what: refused.what, refused })),
  );
  it.each(rows)('$dialect: $what', async ({ dialect, client, refused }) => {
    const answer = await refused.ask(
      dialect,
      pathOf(client.path, refused.code === 'model_not_found' ? 'nobody' : 'chat'),
    );
    expect(answer.status).toBe(refused.status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-should-retry')).toBe(refused.status === 400 ? 'false' : null);
    expect(gateway.provider.requests).toEqual([]);
    if (dialect === 'gemini.generate') {
      expect(answer.json.error).toMatchObject({
        code: refused.status,
        status: expect.stringMatching(/^[A-Z_]+$/),
        details: expect.arrayContaining([
          expect.objectContaining({ reason: refused.code, metadata: { inference_log_id: answer.id } }),
        ]),
      });
    } else if (dialect === 'anthropic.messages') {
      expect(answer.json).toMatchObject({
        type: 'error',
        error: { type: refused.type, message: expect.stringMatching(`^${refused.code}: .`) },
        request_id: answer.id,
      });
    } else {
      expect(answer.json).toMatchObject({
        error: {
          message: expect.any(String),
          type: expect.any(String),
          code: refused.code,
          param: answer.json.error.param,
        },
      });
    }
  });
});

describe.skipIf(missingPrograms !== null)('what a provider keeps for Responses', () => {
  const STATE: JsonObject[] = [{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }];

  it('does not include background answers, which could not be fetched later', async () => {
    for (const endpoint of ['responses', 'chat']) {
      const body = requestOf('openai.responses', endpoint, { background: true, store: true });
      const { status, json } = await gateway.call('POST', pathOf('openai/v1/responses', ''), { body });
      expect([status, json.error.param]).toEqual([400, 'background']);
      expect(json.error.message).toContain('cannot be fetched later through this gateway');
    }
    expect(gateway.provider.requests).toEqual([]);
  });

  it.each(STATE)('is passed on to a provider that has that API: %o', async (state) => {
    for (const endpoint of ['responses', 'azure']) {
      const body = requestOf('openai.responses', endpoint, { ...state, store: true });
      const answer = await gateway.call('POST', pathOf('openai/v1/responses', ''), { body });
      expect(answer.status).toBe(200);
    }
    const received = gateway.provider.requests;
    expect(received.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/openai/responses?api-version=2025-04-01-preview',
    ]);
    for (const request of received) expect(request.json()).toMatchObject({ ...state, store: true });
    expect(received[1]!.headers['api-key']).toBe(CREDENTIAL);
  });

  it.each(STATE)('is a 400 with its reason at other providers: %o', async (state) => {
    const [field] = Object.keys(state);
    for (const endpoint of ['chat', 'messages']) {
      const body = requestOf('openai.responses', endpoint, state);
      const answer = await gateway.call('POST', pathOf('openai/v1/responses', ''), { body });
      expect(answer.status).toBe(400);
      expect(answer.json.error).toMatchObject({ code: 'invalid_request', param: field });
      expect(answer.json.error.message).toContain(field);
      expect(await gateway.log(answer.id)).toMatchObject({ status: 'error', http_status: 400 });
    }
    expect(gateway.provider.requests).toEqual([]);
  });
});

describe.skipIf(missingPrograms !== null)('metadata', () => {
  const rows = CLIENTS.flatMap(([dialect, client]) =>
    ENDPOINTS.map((endpoint) => ({ dialect, client, endpoint })),
  );

  it.each(rows)(
    'of $dialect is on the log and is not sent to $endpoint',
    async ({ dialect, client, endpoint }) => {
      const metadata = { task: 'faq', user_id: 'u-17', deep: { a: [1, null] } };
      const body = requestOf(dialect, endpoint, { metadata });
      const answer = await gateway.call('POST', pathOf(client.path, endpoint), { body });
      expect(answer.status).toBe(200);
      const received = await gateway.provider.received();
      expect(received.text).not.toContain('faq');
      const told = dialectOfRequest(received) === 'anthropic.messages' ? { user_id: 'u-17' } : undefined;
      expect(received.json().metadata).toEqual(told);
      expect(await gateway.log(answer.id)).toMatchObject({
        metadata,
        tags: ['task:faq', 'user_id:u-17'],
        request: expect.not.objectContaining({ metadata: expect.anything() }),
      });
    },
  );
});

describe.skipIf(missingPrograms !== null)('the list of models', () => {
  const names = ['support', 'chain', ...ENDPOINTS];

  it("is read by OpenAI's client", async () => {
    const models = [];
    for await (const model of openaiClient(gateway).models.list()) models.push(model);
    expect(models.map(({ id }) => id)).toEqual(names);
    expect(models[0]).toMatchObject({
      object: 'model',
      created: expect.any(Number),
      owned_by: expect.any(String),
    });
  });

  it("is read by Anthropic's client", async () => {
    const models = [];
    for await (const model of anthropicClient(gateway).models.list()) models.push(model);
    expect(models.map(({ id }) => id)).toEqual(names);
    expect(models[0]).toMatchObject({
      type: 'model',
      display_name: 'support',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });
});
