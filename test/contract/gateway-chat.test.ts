import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidV7Time } from '../../src/core/ids.js';
import { MODEL_CREATED } from '../../src/dialects/dialect.js';
import {
  borrowGateway,
  CHAT_PATH,
  COMPLETION,
  CREDENTIAL,
  type Gateway,
  KEYS,
  MESSAGES,
  PROJECT,
} from '../support/gateway.js';
import { bytesReply, jsonReply, streamReply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';

const ROUTES = ['support', 'chain'];

describe.skipIf(missingPrograms !== null)('a chat completion', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  it.each(ROUTES)('is the answer of the model with the log id in it (%s)', async (model) => {
    const answer = await gateway.ask({ model });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...COMPLETION, inference_log_id: answer.id });
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  it.each(ROUTES)('has an id of its own, a UUIDv7 of its time (%s)', async (model) => {
    const before = Date.now();
    const [one, two] = [await gateway.ask({ model }), await gateway.ask({ model })];
    expect(one.id).not.toBe(two.id);
    expect(uuidV7Time(one.id)).toBeGreaterThanOrEqual(before);
    expect(uuidV7Time(two.id)).toBeLessThanOrEqual(Date.now());
  });

  it('says which model answered, and how many were tried', async () => {
    const single = await gateway.ask();
    const chain = await gateway.ask({ model: 'chain' });
    const told = (answer: typeof single) => [
      answer.headers.get('x-sluice-model'),
      answer.headers.get('x-sluice-attempts'),
    ];
    expect([told(single), told(chain)]).toEqual([
      ['fake/large', '1'],
      ['fake/small', '1'],
    ]);
  });

  it.each(ROUTES)('keeps the headers of the provider, but none that is ours (%s)', async (model) => {
    const headers = {
      'x-request-id': 'req_provider',
      'openai-processing-ms': '12',
      'x-ratelimit-remaining-tokens': '5',
      'x-inference-log-id': 'forged',
      'x-sluice-model': 'forged',
      'x-sluice-attempts': '99',
    };
    gateway.provider.enqueue(jsonReply(COMPLETION, { headers }));
    const answer = await gateway.ask({ model });
    expect(answer.headers.get('x-request-id')).toBe('req_provider');
    expect(answer.headers.get('openai-processing-ms')).toBe('12');
    expect(answer.headers.get('x-ratelimit-remaining-tokens')).toBe('5');
    expect(answer.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('x-sluice-attempts')).toBe('1');
    expect(answer.headers.get('x-sluice-model')).toMatch(/^fake\//);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-envoy-'))).toEqual([]);
  });

  it.each(ROUTES)(
    'reaches the provider under its name for the model, all else as it was sent (%s)',
    async (model) => {
      const body = `{ "messages": [{"role":"user","content":"h\\u00e9llo"}],\n "model":"${model}", "seed": 1.0, "x_unknown": {"a":[1e2]}, "metadata":{"a":"b"}}`;
      await gateway.call('POST', `${CHAT_PATH}?beta=1`, { body });
      const received = await gateway.provider.received();
      expect([received.method, received.path]).toEqual(['POST', '/v1/chat/completions']);
      const sent = model === 'support' ? 'large' : 'small';
      expect(received.text).toBe(
        `{"messages": [{"role":"user","content":"h\\u00e9llo"}],"model":"${sent}","seed": 1.0, "x_unknown": {"a":[1e2]}}`,
      );
      expect(received.headers['content-type']).toBe('application/json');
      expect(received.headers.host).toBe(`127.0.0.1:${gateway.provider.port}`);
    },
  );

  it.each(ROUTES)(
    'brings the provider its credential, and nothing internal or secret of the client (%s)',
    async (model) => {
      await gateway.ask(
        { model, metadata: { tenant: 'acme' } },
        {
          headers: {
            'x-api-key': KEYS.all,
            'api-key': KEYS.all,
            'proxy-authorization': 'Basic abc',
            cookie: 'session=1',
            'x-sluice-route': 'single',
            'x-sluice-retry': 'server_error',
            'x-inference-log-id': '00000000-0000-7000-8000-000000000000',
            'x-envoy-max-retries': '7',
            'x-envoy-upstream-rq-timeout-ms': '1',
            'x-envoy-original-path': '/x',
            'x-forwarded-for': '10.0.0.1',
            'x-forwarded-host': 'internal',
            'x-forwarded-proto': 'https',
            forwarded: 'for=10.0.0.1',
            'openai-organization': 'org-1',
            'x-tenant': 'org-2',
            'user-agent': 'test/1',
          },
        },
      );
      const { headers, text } = await gateway.provider.received();
      expect(headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
      expect(headers['user-agent']).toBe('test/1');
      const internal =
        /^(x-sluice-|x-envoy-|x-forwarded-|x-inference-|forwarded$|x-api-key|api-key|cookie|proxy-|openai-organization|x-tenant)/;
      expect(Object.keys(headers).filter((name) => internal.test(name))).toEqual([]);
      const all = JSON.stringify(headers) + text;
      for (const secret of [KEYS.all, 'tenant', 'acme', PROJECT]) expect(all).not.toContain(secret);
    },
  );

  it.each(ROUTES)(
    'forwards metadata only with store, and only what fits the provider (%s)',
    async (model) => {
      await gateway.ask({ model, store: true, metadata: { tenant: 'acme' } });
      await gateway.ask({ model, store: true, metadata: { tenant: 1 } });
      await gateway.ask({ model, store: false, metadata: { tenant: 'acme' } });
      const sent = [0, 1, 2].map(async (index) => (await gateway.provider.received(index)).json().metadata);
      expect(await Promise.all(sent)).toEqual([{ tenant: 'acme' }, undefined, undefined]);
    },
  );

  it.each([
    ['x-api-key', KEYS.all],
    ['authorization', `bearer ${KEYS.all}`],
  ])('takes the key in %s: %s', async (name, value) => {
    expect((await gateway.ask({}, { key: null, headers: { [name]: value } })).status).toBe(200);
  });

  it('is served for a project written in capitals, and with a query', async () => {
    const path = `${CHAT_PATH.toUpperCase().replace('/OPENAI/V1/CHAT/COMPLETIONS', '/openai/v1/chat/completions')}?a=b`;
    const answer = await gateway.call('POST', path, { body: { model: 'support', messages: MESSAGES } });
    expect(answer.status).toBe(200);
  });

  it.each(ROUTES)('that the provider compressed arrives plain (%s)', async (model) => {
    gateway.provider.enqueue(jsonReply(COMPLETION, { gzip: true }));
    const answer = await gateway.ask({ model }, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(answer.json).toEqual({ ...COMPLETION, inference_log_id: answer.id });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect((await gateway.log(answer.id)).response.choices).toEqual(COMPLETION.choices);
    expect((await gateway.provider.received()).headers['accept-encoding'] ?? 'identity').toMatch(/^identity/);
  });

  it.each(ROUTES)('in an encoding that nobody can undo goes on in it (%s)', async (model) => {
    const odd = { 'content-type': 'application/vnd.odd+json', 'content-encoding': 'compress' };
    const reply = () => bytesReply('as it came', { headers: odd });
    gateway.provider.enqueue(reply(), reply());
    const answer = await gateway.ask({ model });
    expect([answer.status, answer.text]).toEqual([200, 'as it came']);
    expect(answer.headers.get('content-encoding')).toBe('compress');
    expect(answer.headers.get('x-sluice-model')).toBe('fake/large');
  });

  it.each(ROUTES)('is known whatever its server calls it (%s)', async (model) => {
    for (const type of ['text/plain; charset=utf-8', 'text/json', undefined]) {
      gateway.provider.enqueue(
        bytesReply(JSON.stringify(COMPLETION), {
          headers: type === undefined ? {} : { 'content-type': type },
        }),
      );
      const answer = await gateway.ask({ model });
      expect(answer.json).toEqual({ ...COMPLETION, inference_log_id: answer.id });
      expect((await gateway.log(answer.id)).usage).toMatchObject({ input_tokens: 7, output_tokens: 3 });
    }
  });

  it('of an unknown shape goes on as it came', async () => {
    gateway.provider.enqueue(
      bytesReply('<html>proxy</html>', { headers: { 'content-type': 'text/html' } }),
      jsonReply({ result: 'odd' }),
      bytesReply(Buffer.alloc(0), { status: 204 }),
    );
    const html = await gateway.ask();
    expect([html.status, html.text, html.headers.get('content-type')]).toEqual([
      200,
      '<html>proxy</html>',
      'text/html',
    ]);
    const odd = await gateway.ask();
    expect([odd.status, odd.json]).toEqual([200, { result: 'odd' }]);
    const empty = await gateway.ask();
    expect([empty.status, empty.text]).toEqual([204, '']);
  });

  it.each(ROUTES)('that asks for a stream may be answered by JSON (%s)', async (model) => {
    const answer = await gateway.ask({ model, stream: true });
    expect(answer.json).toEqual({ ...COMPLETION, inference_log_id: answer.id });
  });

  it('keeps numbers and unknown fields of the answer as they were written', async () => {
    const text =
      '{"choices":[{"message":{"role":"assistant","content":"1"},"x":1.0}],"id":"a","big":12345678901234567890}';
    gateway.provider.enqueue(
      bytesReply(text, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
    );
    const answer = await gateway.ask();
    expect(answer.text).toContain('"x":1.0');
    expect(answer.text).toContain('12345678901234567890');
    expect(answer.json.inference_log_id).toBe(answer.id);
  });

  it('is asked of one of the endpoints that the list of models names, in the shape of the provider', async () => {
    const answer = await gateway.call('GET', `/${PROJECT}/openai/v1/models`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      object: 'list',
      data: ['support', 'chain'].map((id) => ({
        id,
        object: 'model',
        created: MODEL_CREATED,
        owned_by: 'sluice',
      })),
    });
    expect(uuidV7Time(answer.id)).toBeDefined();
  });

  it('is asked of one endpoint, in the shape of each API, or of one that is not there', async () => {
    const openai = await gateway.call('GET', `/${PROJECT}/openai/v1/models/support`);
    expect(openai.json).toEqual({
      id: 'support',
      object: 'model',
      created: MODEL_CREATED,
      owned_by: 'sluice',
    });
    const anthropic = await gateway.call('GET', `/${PROJECT}/anthropic/v1/models/support/`);
    expect(anthropic.json).toEqual({
      id: 'support',
      type: 'model',
      display_name: 'support',
      created_at: '2026-01-01T00:00:00.000Z',
    });
    const none = await gateway.call('GET', `/${PROJECT}/openai/v1/models/other`);
    expect([none.status, none.json.error.code]).toEqual([404, 'model_not_found']);
    const keyless = await gateway.call('GET', `/${PROJECT}/openai/v1/models/support`, { key: null });
    expect(keyless.status).toBe(401);
  });

  it('may end its path with slashes', async () => {
    const body = { model: 'support', messages: MESSAGES };
    expect((await gateway.call('POST', `${CHAT_PATH}/`, { body })).status).toBe(200);
  });

  it.each([false, true])(
    'has the log id as the id of the request where the provider gave none (stream: %s)',
    async (stream) => {
      const chunks = ['data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n', 'data: [DONE]\n\n'];
      const reply = (headers: Record<string, string>) =>
        stream ? streamReply(chunks, { headers }) : jsonReply(COMPLETION, { headers });
      gateway.provider.enqueue(reply({}), reply({ 'x-request-id': 'req_1' }));
      const own = await gateway.ask({ stream });
      const idsOf = ({ headers }: typeof own) => [headers.get('x-request-id'), headers.get('request-id')];
      expect(idsOf(own)).toEqual([own.id, own.id]);
      const given = await gateway.ask({ stream });
      expect(idsOf(given)).toEqual(['req_1', given.id]);
      const failed = await gateway.ask({ model: 'other' });
      expect(idsOf(failed)).toEqual([failed.id, failed.id]);
    },
  );
});
