import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { borrowGateway, COMPLETION, CREDENTIAL, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { ControlledStream, jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const REQUEST = { model: 'support', messages: [{ role: 'user' as const, content: 'Where is my parcel?' }] };
const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'large', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
const STREAM = [
  chunk('On ').replace('"content"', '"role":"assistant","content"'),
  chunk('its '),
  chunk('way.', 'stop'),
  'data: [DONE]\n\n',
];
type WithLogId = { inference_log_id?: string };

describe.skipIf(missingPrograms !== null)("OpenAI's own client", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway({
      endpoints: [
        { name: 'failing', models: [{ provider: 'fake', model: 'failing' }] },
        { name: 'breaking', models: [{ provider: 'fake', model: 'breaking' }] },
        {
          name: 'checked',
          models: [{ provider: 'fake', model: 'checked', structured_output: true }],
          json_validation: true,
        },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const client = (options: { apiKey?: string; maxRetries?: number } = {}) =>
    new OpenAI({
      baseURL: `${gateway.sluice.gatewayUrl}/${PROJECT}/openai/v1`,
      apiKey: KEYS.all,
      maxRetries: 0,
      ...options,
    });

  it('gets a completion, its log id and the raw headers', async () => {
    const { data, response, request_id } = await client().chat.completions.create(REQUEST).withResponse();
    expect(data.choices[0]!.message.content).toBe('On its way.');
    expect((data as WithLogId).inference_log_id).toBe(response.headers.get('x-inference-log-id'));
    expect(request_id).toBe(response.headers.get('x-inference-log-id'));
    expect((await gateway.provider.received()).headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
  });

  it('gets a stream, with the log id in the first chunk', async () => {
    gateway.provider.enqueue(streamReply(STREAM));
    const chunks = [];
    for await (const part of await client().chat.completions.create({ ...REQUEST, stream: true }))
      chunks.push(part);
    expect(chunks.map(({ choices }) => choices[0]!.delta.content).join('')).toBe('On its way.');
    const ids = chunks.map((part) => (part as WithLogId).inference_log_id);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), undefined, undefined]);
  });

  it('collects a stream with its own helper', async () => {
    gateway.provider.enqueue(streamReply(STREAM));
    const runner = client().chat.completions.stream(REQUEST);
    expect(await runner.finalContent()).toBe('On its way.');
  });

  it('lists the models', async () => {
    const names = [];
    for await (const { id } of client().models.list()) names.push(id);
    expect(names).toEqual(['support', 'chain', 'failing', 'breaking', 'checked']);
  });

  it('sends metadata and reads a parsed output', async () => {
    gateway.provider.enqueue(
      jsonReply({
        ...COMPLETION,
        choices: [{ index: 0, message: { role: 'assistant', content: '{"n":1}' }, finish_reason: 'stop' }],
      }),
    );
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const parsed = await client().chat.completions.parse({
      ...REQUEST,
      model: 'checked',
      metadata: { task: 'faq' },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
    });
    expect(parsed.choices[0]!.message.content).toBe('{"n":1}');
    expect(await gateway.log((parsed as WithLogId).inference_log_id!)).toMatchObject({ tags: ['task:faq'] });
  });

  it('throws its own class for each kind of error', async () => {
    const ask = (key: string, changes: object) =>
      client({ apiKey: key }).chat.completions.create({ ...REQUEST, ...changes });
    const format = { type: 'json_schema' as const, json_schema: { name: 'n', schema: { type: 'number' } } };
    await expect(ask('sk-unknown', {})).rejects.toThrow(AuthenticationError);
    await expect(ask(KEYS.logs, {})).rejects.toThrow(PermissionDeniedError);
    await expect(ask(KEYS.all, { model: 'nope' })).rejects.toThrow(NotFoundError);
    await expect(ask(KEYS.all, { messages: [] })).rejects.toThrow(BadRequestError);
    await expect(ask(KEYS.all, { model: 'checked', response_format: format })).rejects.toThrow(
      UnprocessableEntityError,
    );
    gateway.provider.enqueue(
      jsonReply({ error: { message: 'slow down', type: 'requests', code: 'rate' } }, { status: 429 }),
    );
    await expect(ask(KEYS.all, { model: 'failing' })).rejects.toThrow(RateLimitError);
    gateway.provider.enqueue(jsonReply({}, { status: 500 }));
    await expect(ask(KEYS.all, { model: 'failing' })).rejects.toThrow(InternalServerError);
  });

  it('finds code, type and param of an error', async () => {
    const error = await client()
      .chat.completions.create({ ...REQUEST, model: 'nope' })
      .catch((thrown) => thrown);
    expect([error.code, error.type, error.param]).toEqual([
      'model_not_found',
      'invalid_request_error',
      'model',
    ]);
    expect(error.headers.get('x-inference-log-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('retries calls that may succeed later, and no others', async () => {
    gateway.provider.enqueue(jsonReply({}, { status: 500, headers: { 'retry-after-ms': '1' } }));
    const answer = await client({ maxRetries: 2 }).chat.completions.create({ ...REQUEST, model: 'failing' });
    expect(answer.choices[0]!.message.content).toBe('On its way.');
    expect(gateway.provider.requests).toHaveLength(2);
    const format = { type: 'json_schema' as const, json_schema: { name: 'n', schema: { type: 'number' } } };
    const refused = client({ maxRetries: 2 }).chat.completions.create({
      ...REQUEST,
      model: 'checked',
      response_format: format,
    });
    await expect(refused).rejects.toThrow(UnprocessableEntityError);
    expect(gateway.provider.requests).toHaveLength(3);
  });

  it('aborts a stream, which is aborted at the provider too', async () => {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opened = client().chat.completions.create({ ...REQUEST, stream: true });
    await stream.send(STREAM[0]!);
    const events = await opened;
    for await (const _part of events) break;
    events.controller.abort();
    expect(await (await gateway.provider.received()).answered).toBe(false);
  });

  it('aborts a call, which is aborted at the provider too', async () => {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const abort = new AbortController();
    const asked = client().chat.completions.create(REQUEST, { signal: abort.signal });
    const received = await gateway.provider.received();
    abort.abort();
    await expect(asked).rejects.toThrow(APIUserAbortError);
    expect(await received.answered).toBe(false);
  });

  it('notices a stream that the provider cut off', async () => {
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const opened = client().chat.completions.create({ ...REQUEST, model: 'breaking', stream: true });
    await stream.send(STREAM[0]!);
    const events = (await opened)[Symbol.asyncIterator]();
    await events.next();
    await stream.reset();
    await expect(events.next()).rejects.toThrow();
  });
});
