import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  borrowGateway,
  CHAT_PATH,
  COMPLETION,
  CREDENTIAL,
  type Gateway,
  KEYS,
  MESSAGES,
  PROJECT,
} from '../../support/gateway.js';
import { jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const ROUTES = ['support', 'chain'];
const TRACE = '0af7651916cd43dd8448eb211c80319c';

describe.skipIf(missingPrograms !== null)('the log of a request', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const models = [{ provider: 'fake', model: 'large' }];
    gateway = await borrowGateway({
      providers: (base_url) => ({
        priced: { api: 'openai', base_url, prices: { large: { input_per_mtok: 2, output_per_mtok: 10 } } },
      }),
      endpoints: [
        { name: 'full', models, log_content: 'full' },
        { name: 'none', models, log_content: 'none' },
        { name: 'priced', models: [{ provider: 'priced', model: 'large' }] },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  it.each(ROUTES)('holds all fields of a log (%s)', async (model) => {
    const headers = { 'x-client-request-id': 'client-1', traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    const before = Date.now();
    const answer = await gateway.ask({ model, metadata: { task: 'faq', n: 1 } }, { headers });
    const log = await gateway.log(answer.id);
    const name = model === 'support' ? 'large' : 'small';
    expect(log).toMatchObject({
      _id: answer.id,
      project_uid: PROJECT,
      endpoint: model,
      api: 'openai.chat',
      status: 'success',
      http_status: 200,
      client_request_id: 'client-1',
      request: { model, messages: MESSAGES },
      response: { ...COMPLETION, inference_log_id: answer.id },
      metadata: { task: 'faq', n: 1 },
      tags: ['task:faq', 'n:1'],
      quality_rating: null,
      attempts: [
        {
          provider: 'fake',
          model: name,
          status: 'success',
          http_status: 200,
          error: null,
          duration_ms: expect.any(Number),
          usage: { input_tokens: 7, output_tokens: 3 },
        },
      ],
      plugin_runs: [],
      model: `fake/${name}`,
      usage: { input_tokens: 7, output_tokens: 3 },
      cost: null,
      trace_id: TRACE,
      feedback_count: 0,
      score: null,
    });
    expect(log.request).not.toHaveProperty('metadata');
    expect(Date.parse(log.created_at)).toBeGreaterThanOrEqual(before);
    const { total_ms, engine_ms, time_to_first_token_ms } = log.timing;
    expect(engine_ms).toBeGreaterThan(0);
    expect(total_ms).toBeGreaterThanOrEqual(engine_ms);
    expect(time_to_first_token_ms).toBeLessThanOrEqual(total_ms);
  });

  it.each(ROUTES.flatMap((model) => [6_000, 60_000].map((bytes) => [model, bytes] as const)))(
    'holds a long request as its client wrote it, without its metadata (%s, %i bytes)',
    async (model, bytes) => {
      const content = 'Grüße, 世界 😀 "and" more\n'.repeat(bytes / 30);
      const messages = [
        { role: 'system', content },
        { role: 'user', content: 'How far is it to 上海?' },
      ];
      const answer = await gateway.ask({ model, metadata: { task: 'long' }, messages, temperature: 0.5 });
      const log = await gateway.log(answer.id);
      expect(log).toMatchObject({ status: 'success', metadata: { task: 'long' }, tags: ['task:long'] });
      expect(log.request).toEqual({ model, messages, temperature: 0.5 });
      expect(log.preview.input).toBe('How far is it to 上海?');
    },
  );

  it.each([
    ['the keys of a tree', { 'a.b': 1, 'c.d.e': 'x' }, ['a.b:1', 'c.d.e:x']],
    ['dollar signs', { $set: 'x', a$: 1, $where: null }, ['$set:x', 'a$:1', '$where']],
    ['emoji and other letters', { '🎉': '🥳', größe: 'ß' }, ['🎉:🥳', 'größe:ß']],
    ['commas and colons', { 'a:b': 'c:d', e: 'f,g' }, ['a:b:c:d', 'e:f,g']],
    ['null', { vip: null }, ['vip']],
    [
      'numbers and booleans',
      { n: 1.5, yes: true, no: false, zero: 0 },
      ['n:1.5', 'yes:true', 'no:false', 'zero:0'],
    ],
    ['objects and lists, which give none', { a: { b: 1 }, c: ['d'] }, []],
    ['an empty key, which gives none', { '': 'x', a: '' }, ['a:']],
    ['two keys of one tag', { 'a:b': null, a: 'b' }, ['a:b']],
    ['NUL in a value', { a: 'x\0y' }, ['a:x\0y']],
    ['nothing', {}, []],
  ])('has the metadata as it was sent, and its tags: %s', async (_case, metadata, tags) => {
    const answer = await gateway.ask({ metadata });
    const log = await gateway.log(answer.id);
    expect([answer.status, log.metadata, log.tags]).toEqual([200, metadata, tags]);
  });

  it('has metadata with keys that are special in JavaScript', async () => {
    const metadata = '{"__proto__":"x","constructor":null,"toString":1,"hasOwnProperty":{"__proto__":[1]}}';
    const body = `{"model":"support","messages":${JSON.stringify(MESSAGES)},"metadata":${metadata}}`;
    const answer = await gateway.call('POST', CHAT_PATH, { body });
    const log = await gateway.log(answer.id);
    expect(JSON.stringify(log.metadata)).toBe(metadata);
    expect(log.tags).toEqual(['__proto__:x', 'constructor', 'toString:1']);
  });

  it('has no metadata where the client gave none or null', async () => {
    for (const body of [{}, { metadata: null }]) {
      const log = await gateway.log((await gateway.ask(body)).id);
      expect([log.metadata, log.tags]).toEqual([{}, []]);
    }
  });

  it('has messages only as far as the endpoint says', async () => {
    const full = await gateway.log((await gateway.ask({ model: 'full', metadata: { a: 'b' } })).id);
    expect([full.request, full.response.choices]).toEqual([
      { model: 'full', messages: MESSAGES },
      COMPLETION.choices,
    ]);
    const none = await gateway.log((await gateway.ask({ model: 'none', metadata: { a: 'b' } })).id);
    expect([none.request, none.response, none.tags]).toEqual([null, null, ['a:b']]);
    expect(none.usage).toEqual({ input_tokens: 7, output_tokens: 3 });
  });

  it.each([
    [
      'with cached input',
      { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
      {
        input_tokens: 9,
        output_tokens: 2,
        cached_input_tokens: 4,
      },
    ],
    ['an estimate where it told none', undefined, { input_tokens: 9, output_tokens: 3, estimated: true }],
  ])('has the token counts that the provider reported: %s', async (_case, usage, expected) => {
    gateway.provider.enqueue(jsonReply({ ...COMPLETION, usage }));
    expect((await gateway.log((await gateway.ask()).id)).usage).toEqual(expected);
  });

  it('has the cost where the price is known', async () => {
    const { cost } = await gateway.log((await gateway.ask({ model: 'priced' })).id);
    expect(cost).toBeCloseTo((7 * 2 + 3 * 10) / 1_000_000, 12);
    expect((await gateway.provider.received()).headers.authorization).toBeUndefined();
  });

  it.each(ROUTES)(
    'belongs to the trace of the client, as the call of the provider does (%s)',
    async (model) => {
      const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: 'vendor=1' };
      const answer = await gateway.ask({ model }, { headers });
      expect((await gateway.log(answer.id)).trace_id).toBe(TRACE);
      const received = await gateway.provider.received();
      expect(received.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
      expect(received.headers.tracestate).toBe('vendor=1');
    },
  );

  it.each([
    undefined,
    'garbage',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `ff-${TRACE}-b7ad6b7169203331-01`,
  ])('has a trace of its own where the client sent no valid one: %j', async (traceparent) => {
    const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent };
    headers.tracestate = 'vendor=1';
    const log = await gateway.log((await gateway.ask({}, { headers })).id);
    const received = await gateway.provider.received();
    expect(received.headers.tracestate).toBeUndefined();
    expect(log.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(log.trace_id).not.toBe(TRACE);
    expect(received.headers.traceparent).toContain(log.trace_id);
  });

  it('has a request id of the client only where one was sent, and never a log id chosen by a client', async () => {
    const chosen = '01900000-0000-7000-8000-000000000000';
    const answer = await gateway.ask({}, { headers: { 'x-inference-log-id': chosen } });
    expect(answer.id).not.toBe(chosen);
    expect(await gateway.log(answer.id)).toMatchObject({ _id: answer.id, client_request_id: null });
  });

  it('contains no key, and neither does the output of the engine', async () => {
    gateway.provider.enqueue(jsonReply({ error: { message: 'wrong key' } }, { status: 401 }));
    const answers = [await gateway.ask(), await gateway.ask()];
    const logs = await Promise.all(answers.map(({ id }) => gateway.log(id)));
    const stored = await gateway.sluice.database.collection('logs').find().toArray();
    const printed = await gateway.sluice.engineLog();
    const all = JSON.stringify([logs, stored]) + printed;
    for (const secret of [CREDENTIAL, KEYS.all, gateway.sluice.adminKey]) expect(all).not.toContain(secret);
  });

  it('is made for each model call, and not for the list of models', async () => {
    const before = await gateway.ask();
    await gateway.log(before.id);
    const count = await gateway.logCount();
    await gateway.call('GET', `/${PROJECT}/openai/v1/models`);
    await gateway.log((await gateway.ask()).id);
    expect(await gateway.logCount()).toBe(count + 1);
  });
});
