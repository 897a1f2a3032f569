import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reservePort } from '../../../src/local/ports.js';
import { borrowGateway, type Gateway, MESSAGES, PROJECT } from '../../support/gateway.js';
import { bytesReply, ControlledStream, hangReply, jsonReply, resetReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const format = (schema: unknown) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema },
});
const completion = (content: string) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});

describe.skipIf(missingPrograms !== null)('an error of the model', () => {
  let gateway: Gateway;
  let closed: Awaited<ReturnType<typeof reservePort>>;

  beforeAll(async () => {
    closed = await reservePort();
    gateway = await borrowGateway({
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
        { name: 'hasty', models: [{ provider: 'fake', model: 'hasty' }], timeout_ms: 500 },
        {
          name: 'hasty-chain',
          models: ['hasty-one', 'hasty-two'].map((model) => ({ provider: 'fake', model })),
          fallback_on: ['connect'],
          timeout_ms: 500,
        },
        {
          name: 'checked',
          models: [{ provider: 'fake', model: 'checked', structured_output: true }],
          json_validation: true,
        },
      ],
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await closed.release();
  });
  beforeEach(() => gateway.provider.reset());

  it.each([
    [400, 'client_error'],
    [401, 'client_error'],
    [404, 'client_error'],
    [422, 'client_error'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [529, 'rate_limited'],
  ])('passes to the client unchanged: %i', async (status, outcome) => {
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

  it('that is not JSON passes unchanged, without a retry-after of ours', async () => {
    const headers = { 'content-type': 'text/html', 'retry-after': '1' };
    gateway.provider.enqueue(bytesReply('<h1>Bad gateway</h1>', { status: 502, headers }));
    const answer = await gateway.ask({ model: 'failing' });
    expect([answer.status, answer.text]).toEqual([502, '<h1>Bad gateway</h1>']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await gateway.log(answer.id)).response).toBe('<h1>Bad gateway</h1>');
  });

  it("without a body is told in the form of the client's API, with its headers", async () => {
    const headers = { 'content-length': 0, 'retry-after': '7' };
    gateway.provider.enqueue(bytesReply('', { status: 529, headers }));
    const answer = await gateway.call('POST', `/${PROJECT}/anthropic/v1/messages`, {
      body: { model: 'failing', max_tokens: 9, messages: MESSAGES },
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([529, '7']);
    expect(answer.json).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'The model answered with status 529.' },
      request_id: answer.id,
    });
  });

  it('with a status that allows no body is 502 where the client speaks another API', async () => {
    gateway.provider.enqueue(bytesReply('', { status: 304 }));
    const answer = await gateway.call('POST', `/${PROJECT}/anthropic/v1/messages`, {
      body: { model: 'failing', max_tokens: 9, messages: MESSAGES },
    });
    expect([answer.status, answer.json.error.message]).toEqual([
      502,
      'upstream_unavailable: The model answered with status 304.',
    ]);
    expect(await gateway.log(answer.id)).toMatchObject({ status: 'error', http_status: 502 });
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
    'is 504 where no answer comes in time, and the call is ended (%s)',
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
    'is 504 where an answer begins and is not complete in time (%s)',
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
    'is 502 where the answer is not of its declared type (%s)',
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

  it('does not happen where its output satisfies the schema', async () => {
    gateway.provider.enqueue(jsonReply(completion('{"n":1}')));
    const answer = await gateway.ask({ model: 'checked', response_format: format(SCHEMA) });
    expect([answer.status, answer.json.choices[0].message.content]).toEqual([200, '{"n":1}']);
    expect((await gateway.provider.received()).json().response_format).toEqual(format(SCHEMA));
  });
});
