import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidV7Time } from '../../../src/core/ids.js';
import {
  borrowGateway,
  CHAT_PATH,
  type Gateway,
  KEYS,
  MESSAGES,
  OTHER_PROJECT,
  PROJECT,
} from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

const GOOD = { model: 'support', messages: MESSAGES };
const format = (schema: unknown) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema },
});

describe.skipIf(missingPrograms !== null)('an error of the gateway', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway({
      endpoints: [
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
  afterAll(() => gateway?.stop());
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
    ])('is 400 for %s, and says what is wrong and where', async (_case, body, message) => {
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

    it('is 400 for a body that is not UTF-8', async () => {
      const body = Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
      const response = await fetch(`${gateway.sluice.gatewayUrl}${CHAT_PATH}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.all}`, 'content-type': 'application/json' },
        body,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { message: 'The body is not valid UTF-8.' } });
    });

    it.each(['gzip', 'br'])(
      'does not happen for a body that its client compressed with %s',
      async (encoding) => {
        const text = JSON.stringify({ model: 'support', messages: [{ role: 'user', content: 'Hi' }] });
        const send = (body: Buffer, as: string) =>
          fetch(`${gateway.sluice.gatewayUrl}${CHAT_PATH}`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${KEYS.all}`,
              'content-type': 'application/json',
              'content-encoding': as,
            },
            body,
          });
        const packed = encoding === 'gzip' ? gzipSync(text) : brotliCompressSync(text);
        expect((await send(packed, encoding)).status).toBe(200);
        expect(gateway.provider.requests.at(-1)!.headers['content-encoding']).toBeUndefined();
        expect((await send(Buffer.from(text), encoding)).status).toBe(400);
        expect((await send(packed, 'snappy')).status).toBe(415);
      },
    );

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

    it('is 404 where no "when" of the endpoint applies', async () => {
      const answer = await gateway.ask({ model: 'vip', metadata: { tier: 'free' } });
      expect([answer.status, answer.json.error.code]).toEqual([404, 'model_not_found']);
      expect((await gateway.ask({ model: 'vip', metadata: { tier: 'pro' } })).status).toBe(200);
    });

    it.each([
      ['that is not JSON Schema', { type: 'number', minimum: 'a' }],
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
    ] as const)(
      'is answered for %s, and makes no log',
      async (_case, key, project, headers, status, code) => {
        for (const [method, path] of [
          ['POST', 'chat/completions'],
          ['GET', 'models'],
        ] as const) {
          const body = method === 'POST' ? { body: GOOD } : {};
          const answer = await gateway.call(method, `/${project}/openai/v1/${path}`, {
            key,
            headers,
            ...body,
          });
          expect([answer.status, answer.json.error.code]).toEqual([status, code]);
          expect(uuidV7Time(answer.id)).toBeDefined();
          const later = await gateway.ask();
          await gateway.log(later.id);
          const found = await gateway.sluice.database
            .collection('logs')
            .countDocuments({ _id: answer.id as never });
          expect(found).toBe(0);
        }
      },
    );

    it('does not reveal which projects exist', async () => {
      const unknown = await gateway.call('POST', CHAT_PATH.replace(/1\/openai/, '9/openai'), { body: GOOD });
      const foreign = await gateway.ask({}, { key: KEYS.other });
      expect(unknown.json).toEqual(foreign.json);
    });
  });

  describe('of the path', () => {
    it.each([
      ['POST', '/'],
      ['POST', `/${PROJECT}`],
      ['POST', `/${PROJECT}/openai/v1/audio/speech`],
      ['POST', `/${PROJECT}/openai/v1/chat/completions/x`],
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

    it('lists the paths of the API where the API is known', async () => {
      const answer = await gateway.call('POST', `/${PROJECT}/openai/chat/completions`, { body: GOOD });
      expect(answer.json.error.message).toContain('POST /openai/v1/chat/completions');
      const other = await gateway.call('POST', `/${PROJECT}/v1/other`, { body: GOOD });
      expect(other.json.error.message).not.toContain('/openai');
    });

    it("has the form of Anthropic's errors below /anthropic/", async () => {
      const answer = await gateway.call('POST', `/${PROJECT}/anthropic/v1/unknown`, { body: {} });
      expect(answer.status).toBe(404);
      expect(answer.json).toEqual({
        type: 'error',
        error: { type: 'not_found_error', message: expect.stringMatching(/^not_found: /) },
        request_id: answer.id,
      });
    });
  });

  it('is the first that applies of path, key, scope, size, JSON, request, endpoint, schema', async () => {
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
});
