import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidV7Time } from '../../src/core/ids.js';
import { reservePort } from '../../src/local/ports.js';
import {
  CHAT_PATH,
  type Gateway,
  KEYS,
  MESSAGES,
  OTHER_PROJECT,
  PROJECT,
  startGateway,
} from '../support/gateway.js';
import { bytesReply, ControlledStream, hangReply, jsonReply, resetReply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';

const GOOD = { model: 'support', messages: MESSAGES };
const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const format = (schema: unknown) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema },
});
const completion = (content: string) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});

describe.skipIf(missingPrograms !== null)('an error of the gateway', () => {
  let gateway: Gateway;
  let closed: Awaited<ReturnType<typeof reservePort>>;

  beforeAll(async () => {
    closed = await reservePort();
    gateway = await startGateway({
      providers: () => ({ nobody: { api: 'openai', base_url: `http://127.0.0.1:${closed.port}/v1` } }),
      endpoints: [
        // Models of their own: those that fail are left out of other chains for a while.
        { name: 'failing', models: [{ provider: 'fake', model: 'failing' }] },
        { name: 'garbled', models: [{ provider: 'fake', model: 'garbled' }] },
        {
          name: 'garbled-chain',
          models: ['garbled-one', 'garbled-two'].map((model) => ({ provider: 'fake', model })),
          fallback_on: [],
        },
        { name: 'nobody', models: [{ provider: 'nobody', model: 'any' }] },
        { name: 'hasty', models: [{ provider: 'fake', model: 'hasty' }], timeout_ms: 200 },
        {
          name: 'hasty-chain',
          models: ['hasty-one', 'hasty-two'].map((model) => ({ provider: 'fake', model })),
          fallback_on: ['connect'],
          timeout_ms: 200,
        },
        {
          name: 'checked',
          models: [{ provider: 'fake', model: 'checked', structured_output: true }],
          json_validation: true,
        },
        {
          name: 'vip',
          models: [{ provider: 'fake', model: 'vip', when: { tags_any: ['tier:pro'] } }],
        },
      ],
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await closed.release();
  });
  beforeEach(() => gateway.provider.reset());

  describe('of the request', () => {
    it.each([
      ['no JSON', '{', /not valid JSON/],
      ['nothing at all', '', /not valid JSON/],
      ['no object', '[]', /must be a JSON object/],
      ['no messages', { model: 'support' }, /messages/],
      ['no model', { messages: MESSAGES }, /model/],
      ['an empty list of messages', { model: 'support', messages: [] }, /messages/],
      ['a message without a role', { ...GOOD, messages: [{ content: 'x' }] }, /messages\S*0/],
      [
        'a content of a wrong type',
        { ...GOOD, messages: [{ role: 'user', content: 1 }] },
        /messages\S*0\S*content/,
      ],
      ['a wrong type of stream', { ...GOOD, stream: 'yes' }, /stream/],
      ['metadata that is a list', { ...GOOD, metadata: ['a'] }, /metadata/],
      ['metadata that is a text', { ...GOOD, metadata: 'a' }, /metadata/],
      ['NUL in a key of metadata', { ...GOOD, metadata: { 'a\0b': 1 } }, /metadata.*NUL/],
      [
        'NUL in a deeper key of metadata',
        { ...GOOD, metadata: { list: [{ 'a\0b': 1 }] } },
        /metadata\.list\.0.*NUL/,
      ],
      ['metadata over its limit', { ...GOOD, metadata: { text: 'x'.repeat(65_536) } }, /metadata.*65536/],
    ])('is 400 for %s, and says what and where', async (_case, body, message) => {
      const answer = await gateway.call('POST', CHAT_PATH, { body });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({
        error: {
          message: expect.stringMatching(message),
          type: 'invalid_request_error',
          param: answer.json.error.param,
          code: 'invalid_request',
        },
      });
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(uuidV7Time(answer.id)).toBeDefined();
      expect(gateway.provider.requests).toEqual([]);
      expect(await gateway.log(answer.id)).toMatchObject({
        status: 'error',
        http_status: 400,
        request: null,
        attempts: [],
        error: { code: 'invalid_request' },
      });
    });

    it('is 400 for a body that is no UTF-8', async () => {
      const body = Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
      const response = await fetch(`${gateway.sluice.gatewayUrl}${CHAT_PATH}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.all}`, 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { message: 'The body is not valid UTF-8.' } });
    });

    it.each(['nope', '__proto__', 'constructor', ' support'])(
      'is 404 for the unknown endpoint %j',
      async (model) => {
        const answer = await gateway.ask({ model });
        expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([
          404,
          'model_not_found',
          'model',
        ]);
        expect(await gateway.log(answer.id)).toMatchObject({
          endpoint: null,
          http_status: 404,
          status: 'error',
        });
      },
    );

    it('is 404 where no "when" of the endpoint holds', async () => {
      const answer = await gateway.ask({ model: 'vip', metadata: { tier: 'free' } });
      expect([answer.status, answer.json.error.code]).toEqual([404, 'model_not_found']);
      expect((await gateway.ask({ model: 'vip', metadata: { tier: 'pro' } })).status).toBe(200);
    });

    it.each([
      ['that is no JSON Schema', { type: 'number', minimum: 'a' }],
      ['of an unknown type', { type: 'integr' }],
      ['that refers outside itself', { $ref: 'https://example.com/schema.json' }],
      ['over its size', { type: 'object', description: 'x'.repeat(262_144) }],
    ])('is 400 for a schema %s', async (_case, schema) => {
      const answer = await gateway.ask({ model: 'checked', response_format: format(schema) });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_json_schema']);
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(gateway.provider.requests).toEqual([]);
    });
  });

  describe('of the key', () => {
    it.each([
      ['no key', null, PROJECT, {}, 401, 'invalid_api_key'],
      ['an empty key', null, PROJECT, { authorization: 'Bearer ' }, 401, 'invalid_api_key'],
      ['a key without its scheme', null, PROJECT, { authorization: KEYS.all }, 401, 'invalid_api_key'],
      ['an unknown key', 'sk-unknown', PROJECT, {}, 401, 'invalid_api_key'],
      ['a key of another project', KEYS.other, PROJECT, {}, 401, 'invalid_api_key'],
      [
        'a key where the project is unknown',
        KEYS.all,
        OTHER_PROJECT.replace(/2$/, '9'),
        {},
        401,
        'invalid_api_key',
      ],
      ['a project that is no UUID', KEYS.all, 'demo', {}, 401, 'invalid_api_key'],
      ['a key without the scope', KEYS.logs, PROJECT, {}, 403, 'insufficient_scope'],
    ] as const)('is told for %s, and makes no log', async (_case, key, project, headers, status, code) => {
      for (const [method, path] of [
        ['POST', 'chat/completions'],
        ['GET', 'models'],
      ] as const) {
        const body = method === 'POST' ? { body: GOOD } : {};
        const answer = await gateway.call(method, `/${project}/openai/v1/${path}`, { key, headers, ...body });
        expect([answer.status, answer.json.error.code]).toEqual([status, code]);
        expect(uuidV7Time(answer.id)).toBeDefined();
        const later = await gateway.ask();
        await gateway.log(later.id);
        const found = await gateway.sluice.database
          .collection('logs')
          .countDocuments({ _id: answer.id as never });
        expect(found).toBe(0);
      }
    });

    it('does not tell which projects there are', async () => {
      const unknown = await gateway.call('POST', CHAT_PATH.replace(/1\/openai/, '9/openai'), { body: GOOD });
      const foreign = await gateway.ask({}, { key: KEYS.other });
      expect(unknown.json).toEqual(foreign.json);
    });
  });

  describe('of the path', () => {
    it.each([
      ['POST', '/'],
      ['POST', `/${PROJECT}`],
      ['POST', `/${PROJECT}/openai/v1/completions`],
      ['POST', `/${PROJECT}/openai/v1/chat/completions/`],
      ['POST', '/openai/v1/chat/completions'],
      ['GET', `/${PROJECT}/openai/v1/chat/completions`],
      ['DELETE', `/${PROJECT}/openai/v1/models`],
      ['GET', `/${PROJECT}/logs`],
      ['GET', '/api/projects'],
      ['GET', `/${PROJECT}/feedback/${PROJECT}`],
      ['POST', `/log/${PROJECT}`],
    ])('is 404 for %s %s, whatever the key', async (method, path) => {
      for (const key of [KEYS.all, null]) {
        const answer = await gateway.call(method, path, { key });
        expect([answer.status, answer.json.error]).toEqual([
          404,
          { message: expect.any(String), type: 'invalid_request_error', param: null, code: 'not_found' },
        ]);
        expect(uuidV7Time(answer.id)).toBeDefined();
      }
    });

    it("has Anthropic's shape below /anthropic/", async () => {
      const answer = await gateway.call('POST', `/${PROJECT}/anthropic/v1/unknown`, { body: {} });
      expect(answer.status).toBe(404);
      expect(answer.json).toEqual({
        type: 'error',
        error: { type: 'not_found_error', message: expect.stringMatching(/^not_found: /) },
        request_id: answer.id,
      });
    });
  });

  it('is the first in the order path, key, scope, size, JSON, request, endpoint, schema', async () => {
    const huge = 'x'.repeat(33_554_433);
    const codeOf = async (path: string, key: string, body: unknown) =>
      (await gateway.call('POST', path, { key, body })).json.error.code;
    const badSchema = { response_format: format({ type: 'integr' }) };
    expect([
      await codeOf('/x', 'sk-unknown', '{'),
      await codeOf(CHAT_PATH, 'sk-unknown', '{'),
      await codeOf(CHAT_PATH, KEYS.logs, '{'),
      await codeOf(CHAT_PATH, KEYS.all, huge),
      await codeOf(CHAT_PATH, KEYS.all, '{'),
      await codeOf(CHAT_PATH, KEYS.all, { model: 'nope', messages: 1, ...badSchema }),
      await codeOf(CHAT_PATH, KEYS.all, { model: 'nope', messages: MESSAGES, ...badSchema }),
      await codeOf(CHAT_PATH, KEYS.all, { model: 'checked', messages: MESSAGES, ...badSchema }),
    ]).toEqual([
      'not_found',
      'invalid_api_key',
      'insufficient_scope',
      'request_too_large',
      'invalid_request',
      'invalid_request',
      'model_not_found',
      'invalid_json_schema',
    ]);
  });

  describe('of the model', () => {
    it.each([
      [400, 'client_error'],
      [401, 'client_error'],
      [404, 'client_error'],
      [422, 'client_error'],
      [429, 'rate_limited'],
      [500, 'server_error'],
      [529, 'rate_limited'],
    ])('goes on as it came: %i', async (status, outcome) => {
      const body = `{"error": {"message":"no", "type":"odd","param":null,"code":"c1"}, "extra": 1.0}`;
      const headers = {
        'content-type': 'application/json',
        'x-should-retry': 'true',
        'x-request-id': 'req_1',
      };
      gateway.provider.enqueue(bytesReply(body, { status, headers }));
      const answer = await gateway.ask({ model: 'failing' });
      expect([answer.status, answer.text]).toEqual([status, body]);
      expect(answer.headers.get('x-should-retry')).toBe('true');
      expect(answer.headers.get('x-request-id')).toBe('req_1');
      expect(answer.headers.get('x-sluice-attempts')).toBe('1');
      expect(await gateway.log(answer.id)).toMatchObject({
        status: 'error',
        http_status: status,
        model: null,
        response: JSON.parse(body),
        error: { code: 'c1', message: 'no' },
        attempts: [{ model: 'failing', status: outcome, http_status: status, error: { message: 'no' } }],
      });
    });

    it('that is no JSON goes on as it came, and names no retry-after of ours', async () => {
      const headers = { 'content-type': 'text/html', 'retry-after': '1' };
      gateway.provider.enqueue(bytesReply('<h1>Bad gateway</h1>', { status: 502, headers }));
      const answer = await gateway.ask({ model: 'failing' });
      expect([answer.status, answer.text]).toEqual([502, '<h1>Bad gateway</h1>']);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect((await gateway.log(answer.id)).response).toBe('<h1>Bad gateway</h1>');
    });

    it('is 502 where there is no connection', async () => {
      const answer = await gateway.ask({ model: 'nobody' });
      expect([answer.status, answer.json]).toEqual([
        502,
        {
          error: {
            message: 'No connection to the model could be made.',
            type: 'server_error',
            param: null,
            code: 'upstream_unavailable',
          },
        },
      ]);
      expect(await gateway.log(answer.id)).toMatchObject({
        status: 'error',
        http_status: 502,
        attempts: [{ provider: 'nobody', status: 'connect', http_status: null }],
      });
    });

    it('is 502 where the connection breaks before an answer', async () => {
      gateway.provider.enqueue(resetReply);
      const answer = await gateway.ask({ model: 'failing' });
      expect([answer.status, answer.json.error.code]).toEqual([502, 'upstream_unavailable']);
      expect((await gateway.log(answer.id)).attempts[0].status).toBe('server_error');
    });

    it.each(['hasty', 'hasty-chain'])(
      'is 504 where it gives no answer in time, and the call is ended (%s)',
      async (model) => {
        gateway.provider.enqueue(hangReply);
        const answer = await gateway.ask({ model });
        expect([answer.status, answer.json.error.code, answer.json.error.type]).toEqual([
          504,
          'upstream_timeout',
          'server_error',
        ]);
        expect(await (await gateway.provider.received()).answered).toBe(false);
        expect(gateway.provider.requests).toHaveLength(1);
        expect(await gateway.log(answer.id)).toMatchObject({
          status: 'error',
          http_status: 504,
          attempts: [{ status: 'timeout' }],
        });
      },
    );

    it.each(['hasty', 'hasty-chain'])(
      'is 504 where its answer begins and does not get whole in time (%s)',
      async (model) => {
        const stream = new ControlledStream();
        gateway.provider.enqueue(stream.reply({ headers: { 'content-type': 'application/json' } }));
        const asked = gateway.ask({ model });
        await stream.send('{"choices":');
        const answer = await asked;
        expect([answer.status, answer.json.error.code]).toEqual([504, 'upstream_timeout']);
        expect(await (await gateway.provider.received()).answered).toBe(false);
      },
    );

    it.each(['garbled', 'garbled-chain'])(
      'is 502 where its answer is not what it says to be (%s)',
      async (model) => {
        for (const type of ['application/json', 'text/event-stream']) {
          const headers = { 'content-type': type, 'content-encoding': 'gzip' };
          gateway.provider.enqueue(bytesReply('no gzip', { headers }));
          const answer = await gateway.ask({ model });
          expect([answer.status, answer.json.error.code]).toEqual([502, 'upstream_unavailable']);
          expect((await gateway.log(answer.id)).attempts[0].status).toBe('server_error');
        }
      },
    );

    it('is 422 where its output does not satisfy the schema, and says where', async () => {
      gateway.provider.enqueue(jsonReply(completion('{"n":"one"}')));
      const answer = await gateway.ask({ model: 'checked', response_format: format(SCHEMA) });
      expect(answer.status).toBe(422);
      expect(answer.json.error).toMatchObject({
        type: 'invalid_output_error',
        code: 'output_validation_failed',
        message: expect.stringContaining('/n'),
      });
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(await gateway.log(answer.id)).toMatchObject({
        status: 'invalid_output',
        http_status: 422,
        attempts: [{ status: 'invalid_output', http_status: 200, error: { path: '/n' } }],
      });
    });

    it('is none where its output satisfies the schema', async () => {
      gateway.provider.enqueue(jsonReply(completion('{"n":1}')));
      const answer = await gateway.ask({ model: 'checked', response_format: format(SCHEMA) });
      expect([answer.status, answer.json.choices[0].message.content]).toEqual([200, '{"n":1}']);
      expect((await gateway.provider.received()).json().response_format).toEqual(format(SCHEMA));
    });
  });
});
