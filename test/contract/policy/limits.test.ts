import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { borrowGateway, COMPLETION, type Gateway, MESSAGES, PROJECT } from '../../support/gateway.js';
import { COST_OF_ANSWER, limitedGateway } from '../../support/limited-gateway.js';
import { ControlledStream, jsonReply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const EVENT = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"half of it"}}]}\n\n';
const STREAM = [
  'data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n',
  'data: {"id":"a","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}\n\n',
  'data: [DONE]\n\n',
];

/** Each case has a value of its own, so that all of them share one engine. */
let cases = 0;
const subject = () => `case-${++cases}`;

describe.skipIf(missingPrograms !== null)('limits', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway(
      limitedGateway(
        [
          { per: 'metadata.requests', requests: 2, window: 'day' },
          { per: 'metadata.second', requests: 1, window: 'second' },
          { per: 'metadata.tokens', tokens: 25, window: 'day' },
          { per: 'metadata.cost', cost_usd: 2 * COST_OF_ANSWER, window: 'month' },
          { per: 'metadata.concurrent', concurrent: 1 },
          { per: 'metadata.fallback', requests: 1, window: 'day', action: 'fallback' },
          { per: 'key', requests: 1, window: 'day', when: { metadata: { once: true } } },
        ],
        {
          keys: [
            { name: 'one', key: 'sk-one', scopes: ['inference'] },
            { name: 'two', key: 'sk-two', scopes: ['inference'] },
          ],
        },
      ),
    );
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const ask = (metadata: object, changes: object = {}) => gateway.ask({ metadata, ...changes });

  it('on requests refuse the first one too many, and say how much is left', async () => {
    const requests = subject();
    const first = await ask({ requests });
    expect(first.status).toBe(200);
    expect(Object.fromEntries([...first.headers].filter(([name]) => name.startsWith('x-ratelimit')))).toEqual(
      {
        'x-ratelimit-limit-requests': '2',
        'x-ratelimit-remaining-requests': '1',
        'x-ratelimit-reset-requests': expect.stringMatching(/^(\d+h)?(\d+m)?\d+s$/),
      },
    );
    expect((await ask({ requests })).headers.get('x-ratelimit-remaining-requests')).toBe('0');
    const refused = await ask({ requests });
    expect(refused.status).toBe(429);
    expect(refused.json.error).toMatchObject({ code: 'rate_limited', type: 'rate_limit_error' });
    expect(refused.json.error.message).toMatch(
      /^The limit of 2 requests a day per metadata\.requests is reached/,
    );
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(gateway.provider.requests).toHaveLength(2);
    expect(await gateway.log(refused.id)).toMatchObject({
      status: 'rejected',
      http_status: 429,
      error: { code: 'rate_limited' },
      attempts: [],
      limits: [{ per: 'metadata.requests', kind: 'requests', window: 'day', limit: 2, outcome: 'rejected' }],
    });
    expect(await gateway.log(first.id)).toMatchObject({ limits: [{ outcome: 'passed' }] });
    expect(await gateway.log(first.id)).not.toHaveProperty('_engine');
    expect((await ask({ requests: subject() })).status).toBe(200);
  });

  it('hold on every path, in the form of each API', async () => {
    const requests = subject();
    const metadata = { requests };
    const call = (path: string, body: object) => gateway.call('POST', `/${PROJECT}/${path}`, { body });
    gateway.provider.enqueue(
      jsonReply({ object: 'list', data: [], model: 'm', usage: { prompt_tokens: 1 } }),
    );
    expect((await call('openai/v1/embeddings', { model: 'support', input: 'a', metadata })).status).toBe(200);
    expect((await call('openai/v1/responses', { model: 'support', input: 'a', metadata })).status).toBe(200);
    const anthropic = await call('anthropic/v1/messages', {
      model: 'support',
      max_tokens: 9,
      messages: MESSAGES,
      metadata,
    });
    expect(anthropic.status).toBe(429);
    expect(anthropic.json.error).toMatchObject({
      type: 'rate_limit_error',
      message: expect.stringContaining('rate_limited'),
    });
    const gemini = await call('gemini/v1beta/models/support:generateContent', {
      contents: [{ role: 'user', parts: [{ text: 'a' }] }],
      metadata,
    });
    expect(gemini.status).toBe(429);
    expect(gemini.json.error).toMatchObject({ code: 429 });
    for (const [path, body] of [
      ['openai/v1/chat/completions', { messages: MESSAGES, stream: true }],
      ['openai/v1/completions', { prompt: 'a' }],
      ['openai/v1/moderations', { input: 'a' }],
      ['openai/v1/embeddings', { input: 'a' }],
    ] as const) {
      expect((await call(path, { model: 'support', metadata, ...body })).status, path).toBe(429);
    }
  });

  it('refuse nobody for a window that has passed', async () => {
    const second = subject();
    await ask({ second });
    await waitFor('the window is over', async () => (await ask({ second })).status === 200, {
      timeoutMs: 20_000,
    });
  });

  it('on tokens count what the provider reported, plain and streamed', async () => {
    const tokens = subject();
    expect((await ask({ tokens })).headers.get('x-ratelimit-limit-tokens')).toBe('25');
    gateway.provider.enqueue(streamReply(STREAM));
    const streamed = await ask({ tokens }, { stream: true });
    expect(streamed.status).toBe(200);
    expect(await gateway.log(streamed.id)).toMatchObject({ usage: { input_tokens: 7, output_tokens: 3 } });
    // 20 of 25 are used: an estimate refuses nobody where nothing is under way.
    expect((await ask({ tokens })).status).toBe(200);
    const refused = await ask({ tokens });
    expect(refused.json.error.code).toBe('rate_limited');
    expect(refused.headers.get('x-ratelimit-remaining-tokens')).toBe('0');
  });

  it('on costs are budgets', async () => {
    const cost = subject();
    for (let i = 0; i < 2; i++) expect((await ask({ cost })).status).toBe(200);
    const refused = await ask({ cost });
    expect(refused.status).toBe(429);
    expect(refused.json.error).toMatchObject({ code: 'budget_exceeded', type: 'insufficient_quota' });
    expect(refused.headers.get('x-sluice-help')).toBe('docs/errors.md#budget_exceeded');
  });

  it('on concurrency free their place when a stream is aborted', async () => {
    const concurrent = subject();
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const client = new AbortController();
    const opened = gateway.open({ metadata: { concurrent }, stream: true }, { signal: client.signal });
    await stream.send(EVENT);
    const response = await opened;
    await response.body!.getReader().read();
    const refused = await ask({ concurrent });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    client.abort();
    await waitFor('it is free', async () => (await ask({ concurrent })).status === 200, {
      timeoutMs: 20_000,
    });
  });

  it('on tokens return what an aborted stream reserved and did not use', async () => {
    const tokens = subject();
    const stream = new ControlledStream();
    gateway.provider.enqueue(stream.reply());
    const client = new AbortController();
    const opened = gateway.open(
      { metadata: { tokens }, max_tokens: 20, stream: true },
      { signal: client.signal },
    );
    await stream.send(EVENT);
    const response = await opened;
    await response.body!.getReader().read();
    // Another one does not fit beside what is reserved.
    expect((await ask({ tokens }, { max_tokens: 20 })).status).toBe(429);
    client.abort();
    await waitFor(
      'it is given back',
      async () => (await ask({ tokens }, { max_tokens: 20 })).status === 200,
      {
        timeoutMs: 20_000,
      },
    );
    expect(await gateway.log(response.headers.get('x-inference-log-id')!)).toMatchObject({
      status: 'aborted',
    });
  });

  it('count a request with a fallback only once', async () => {
    const requests = subject();
    gateway.provider.enqueue(jsonReply({ error: { message: 'no' } }, { status: 500 }));
    const fell = await ask({ requests }, { model: 'chain' });
    expect(fell.headers.get('x-sluice-attempts')).toBe('2');
    expect(fell.headers.get('x-ratelimit-remaining-requests')).toBe('1');
  });

  it('may skip the first model instead of refusing, where there is another', async () => {
    const fallback = subject();
    const model = async (endpoint: string) =>
      (await ask({ fallback }, { model: endpoint })).headers.get('x-sluice-model');
    expect(await model('chain')).toBe('fake/small');
    const second = await ask({ fallback }, { model: 'chain' });
    expect(second.headers.get('x-sluice-model')).toBe('fake/large');
    expect(await gateway.log(second.id)).toMatchObject({ limits: [{ outcome: 'fallback' }] });
    expect((await ask({ fallback }, { model: 'support' })).status).toBe(429);
  });

  it('count for each key alone, even for a key that is made again under the same name', async () => {
    const once = (key: string) => gateway.ask({ metadata: { once: true } }, { key });
    expect((await once('sk-one')).status).toBe(200);
    expect((await once('sk-one')).status).toBe(429);
    expect((await once('sk-two')).status).toBe(200);
    const keys = `/api/projects/${PROJECT}/api-keys`;
    const name = subject();
    const made = await gateway.admin('POST', keys, { name, scopes: ['inference'] });
    expect((await once(made.json.key)).status).toBe(200);
    expect((await once(made.json.key)).status).toBe(429);
    await gateway.admin('DELETE', `${keys}/${made.json.id}`, undefined, { 'if-match': '*' });
    const anew = await gateway.admin('POST', keys, { name, scopes: ['inference'] });
    expect((await once(anew.json.key)).status).toBe(200);
  });

  it('set by the API apply within two seconds, and a raised budget keeps what was used', async () => {
    const limits = (requests: number) => [{ per: 'project', requests, window: 'month' }];
    const body = { name: subject(), limits: limits(1) };
    const { json: project } = await gateway.admin('POST', '/api/projects', body);
    const path = `/api/projects/${project.uid}`;
    await gateway.admin('POST', `${path}/endpoints`, {
      name: 'support',
      models: [{ provider: 'fake', model: 'large' }],
    });
    const { json: key } = await gateway.admin('POST', `${path}/api-keys`, {
      name: 'a',
      scopes: ['inference'],
    });
    const call = () =>
      gateway.call('POST', `/${project.uid}/openai/v1/chat/completions`, {
        key: key.key,
        body: { model: 'support', messages: MESSAGES },
      });
    await waitFor('the project is known', async () => (await call()).status === 200, { timeoutMs: 20_000 });
    expect((await call()).status).toBe(429);
    const { headers } = await gateway.admin('GET', path);
    const changed = await gateway.admin(
      'PUT',
      path,
      { ...body, limits: limits(2) },
      { 'if-match': headers.get('etag')! },
    );
    expect(changed.json.limits).toMatchObject([{ requests: 2, action: 'reject', shared: false }]);
    await waitFor('the budget is raised', async () => (await call()).status === 200, {
      timeoutMs: 20_000,
      intervalMs: 20,
    });
    expect((await call()).status).toBe(429);
  });

  it('with mistakes are refused by the API, with the place of each', async () => {
    const refused = await gateway.admin('POST', '/api/projects', {
      name: subject(),
      limits: [
        { per: 'key', requests: 1 },
        { per: 'key', window: 'day' },
      ],
    });
    expect(refused.status).toBe(400);
    expect(refused.json.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'limits.0.window',
      'limits.1',
    ]);
  });

  it('let answers pass whose usage was not reported', async () => {
    const cost = subject();
    const { usage: _none, ...silent } = COMPLETION;
    gateway.provider.enqueue(jsonReply(silent));
    expect((await ask({ cost })).status).toBe(200);
  });
});
