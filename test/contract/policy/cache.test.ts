import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { borrowGateway, type CallOptions, COMPLETION, type Gateway, PROJECT } from '../../support/gateway.js';
import { limitedGateway } from '../../support/limited-gateway.js';
import { jsonReply, type Reply, streamReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const STREAM = [
  'data: {"id":"a","choices":[{"index":0,"delta":{"content":"in "}}]}\n\n',
  'data: {"id":"a","choices":[{"index":0,"delta":{"content":"pieces"},"finish_reason":"stop"}]}\n\n',
  'data: {"id":"a","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}\n\n',
  'data: [DONE]\n\n',
];
const answering = (content: string) => {
  const [choice] = COMPLETION.choices;
  return jsonReply({ ...COMPLETION, choices: [{ ...choice!, message: { role: 'assistant', content } }] });
};

let cases = 0;
/** A request of its own. */
const fresh = () => ({ messages: [{ role: 'user', content: `Question ${++cases}` }] });

describe.skipIf(missingPrograms !== null)('the cache of answers', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const models = [{ provider: 'fake', model: 'large' }];
    const masking = {
      plugin: 'pii_detection',
      phases: ['response'],
      config: { entities: ['EMAIL_ADDRESS'], reject_on_detection: false, mask: true },
    };
    const rejecting = { ...masking, config: { entities: ['EMAIL_ADDRESS'] } };
    const cache = { ttl_s: 600 };
    gateway = await borrowGateway(
      limitedGateway([], {
        keys: [{ name: 'second', key: 'sk-second', scopes: ['inference'] }],
        endpoints: [
          { name: 'cached', models, cache },
          { name: 'for-all', models, cache: { ttl_s: 600, scope: 'project', vary_by: ['locale'] } },
          { name: 'masked', models, cache, plugins: [masking] },
          { name: 'rejected', models, cache, plugins: [rejecting] },
          { name: 'checked', models, cache, json_validation: true },
          { name: 'cached-chain', models: [...models, { provider: 'fake', model: 'small' }], cache },
        ],
      }),
    );
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  const ask = (model: string, body: object, options: CallOptions = {}) =>
    gateway.ask({ ...body, model }, options);
  const stateOf = (answer: { headers: Headers }) => answer.headers.get('x-sluice-cache');

  it('returns a stored answer for the same request, with a log of its own', async () => {
    const question = fresh();
    const first = await ask('cached', question);
    const again = await ask('cached', { ...question, metadata: { session: 2 } });
    expect([stateOf(first), stateOf(again)]).toEqual(['miss', 'hit']);
    expect(again.json).toMatchObject({ choices: first.json.choices, inference_log_id: again.id });
    expect(again.headers.get('x-sluice-model')).toBe('fake/large');
    expect(again.headers.get('x-sluice-attempts')).toBe('0');
    expect(again.headers.get('content-type')).toContain('application/json');
    expect(gateway.provider.requests).toHaveLength(1);
    expect(await gateway.log(again.id)).toMatchObject({
      status: 'success',
      cached_from: first.id,
      attempts: [],
      usage: null,
      cost: 0,
      model: 'fake/large',
      response: { choices: [{ message: { content: 'On its way.' } }] },
    });
    expect(await gateway.log(first.id)).not.toHaveProperty('cached_from');
  });

  it('replays a stream as a stream, in a chain too', async () => {
    for (const model of ['cached', 'cached-chain']) {
      const question = { ...fresh(), stream: true };
      gateway.provider.enqueue(streamReply(STREAM));
      const first = await ask(model, question);
      const again = await ask(model, question);
      expect(stateOf(again)).toBe('hit');
      expect(again.headers.get('content-type')).toContain('text/event-stream');
      const withoutIds = (text: string) => text.replace(/"inference_log_id":"[^"]*"/g, '""');
      expect(withoutIds(again.text)).toBe(withoutIds(first.text));
      expect(again.text).toContain(again.id);
      expect((await gateway.log(again.id)).response.choices[0].message.content).toBe('in pieces');
    }
  });

  it('never gives one key what another asked for, unless it is shared in the project', async () => {
    const question = fresh();
    await ask('cached', question);
    expect(stateOf(await ask('cached', question, { key: 'sk-second' }))).toBe('miss');
    await ask('for-all', question);
    expect(stateOf(await ask('for-all', question, { key: 'sk-second' }))).toBe('hit');
    expect(stateOf(await ask('for-all', { ...question, metadata: { locale: 'de' } }))).toBe('miss');
  });

  it('never gives the answer of a request to a different one', async () => {
    const question = fresh();
    await ask('cached', question);
    for (const other of [{ ...question, temperature: 1 }, { ...question, stream: true }, fresh()]) {
      gateway.provider.enqueue(
        (other as { stream?: boolean }).stream ? streamReply(STREAM) : jsonReply(COMPLETION),
      );
      expect(stateOf(await ask('cached', other))).toBe('miss');
    }
    const path = `/${PROJECT}/anthropic/v1/messages`;
    const body = { model: 'cached', max_tokens: 9, ...question };
    expect(stateOf(await gateway.call('POST', path, { body }))).toBe('miss');
    const again = await gateway.call('POST', path, { body });
    expect(stateOf(again)).toBe('hit');
    expect(again.json.content[0].text).toBe('On its way.');
  });

  it('shows a stored answer to guards as any other answer', async () => {
    const question = fresh();
    gateway.provider.enqueue(answering('Write to ann@example.com.'));
    const first = await ask('masked', question);
    const again = await ask('masked', question);
    expect(stateOf(again)).toBe('hit');
    for (const answer of [first, again]) expect(answer.text).not.toContain('ann@example.com');
    expect(again.text).toContain('<EMAIL_ADDRESS>');
    gateway.provider.enqueue(answering('Write to ann@example.com.'));
    expect((await ask('rejected', question)).status).toBe(400);
    expect(stateOf(await ask('rejected', question))).toBe('miss');
  });

  it('keeps only complete, valid and successful answers', async () => {
    const failing = fresh();
    gateway.provider.enqueue(jsonReply({ error: { message: 'no' } }, { status: 500 }));
    expect((await ask('cached', failing)).status).toBe(500);
    expect(stateOf(await ask('cached', failing))).toBe('miss');
    const schema = { type: 'object', required: ['a'] };
    const checked = {
      ...fresh(),
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    };
    gateway.provider.enqueue(answering('no JSON'));
    expect((await ask('checked', checked)).status).toBe(422);
    gateway.provider.enqueue(answering('{"a":1}'));
    expect(stateOf(await ask('checked', checked))).toBe('miss');
    const hit = await ask('checked', checked);
    expect(stateOf(hit)).toBe('hit');
    expect(hit.json.choices[0].message.content).toBe('{"a":1}');
    const broken = { ...fresh(), stream: true };
    gateway.provider.enqueue(streamReply(STREAM.slice(0, 1)));
    await ask('cached', broken);
    gateway.provider.enqueue(streamReply(STREAM));
    expect(stateOf(await ask('cached', broken))).toBe('miss');
  });

  it('does nothing for requests that decline it, and for endpoints without it', async () => {
    const question = fresh();
    await ask('cached', question);
    const headers = { 'cache-control': 'no-cache' };
    expect(stateOf(await ask('cached', question, { headers }))).toBe('bypass');
    expect(stateOf(await ask('support', question))).toBeNull();
  });

  it('asks a model only once for equal requests at the same time', async () => {
    const question = fresh();
    let open!: () => void;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const held: Reply = async (response, request) => {
      await opened;
      await jsonReply(COMPLETION)(response, request);
    };
    gateway.provider.enqueue(held);
    const asked = [ask('cached', question)];
    await gateway.provider.received();
    asked.push(ask('cached', question), ask('cached', question));
    open();
    const states = (await Promise.all(asked)).map(stateOf);
    expect(states.sort()).toEqual(['hit', 'hit', 'miss']);
    expect(gateway.provider.requests).toHaveLength(1);
  });
});
