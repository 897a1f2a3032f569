import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { borrowChains, type Chains, chainEndpoint, GOOD, wanting } from '../../support/chains.js';
import { answerReply } from '../../support/chat.js';
import { bytesReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const models = (list: [provider: string, when?: JsonObject][]) =>
  list.map(([provider, when]) => ({ provider, model: 'm', ...(when === undefined ? {} : { when }) }));

const WEIGHTED = ['first', 'second'].map((provider, index) => ({
  provider,
  model: 'm',
  weight: 3 - 2 * index,
}));

const ENDPOINTS: JsonObject[] = [
  { name: 'any', models: models([['first', { tags_any: ['tier:pro', 'beta'] }], ['second']]) },
  { name: 'all', models: models([['first', { tags_all: ['tier:pro', 'beta'] }], ['second']]) },
  { name: 'not', models: models([['first', { tags_none: ['tier:free'] }], ['second']]) },
  { name: 'typed', models: models([['first', { metadata: { level: 3, deep: { on: true } } }], ['second']]) },
  { name: 'repeated', models: models([['first', { tags_any: ['beta'] }], ['second'], ['first']]) },
  { name: 'closed', models: models([['first', { tags_any: ['tier:pro'] }]]) },
  { name: 'weighted', models: WEIGHTED },
  chainEndpoint('one', ['first']),
  chainEndpoint('two', ['first', 'second']),
  chainEndpoint('one-checked', ['first'], { json_validation: true }),
];

let chains: Chains;

beforeAll(async () => {
  if (missingPrograms === null) chains = await borrowChains({ endpoints: ENDPOINTS });
});
afterAll(() => chains?.stop());
beforeEach(() => {
  chains?.reset();
  for (const provider of chains?.providers ?? []) provider.always(answerReply(GOOD));
});

const chosen = async (endpoint: string, metadata?: JsonObject) => {
  const answer = await chains.ask(endpoint, metadata === undefined ? {} : { metadata });
  return answer.headers.get('x-sluice-model')?.split('/')[0] ?? answer.status;
};

describe.skipIf(missingPrograms !== null)('a model with `when`', () => {
  test.each<[string, string, JsonObject | undefined, string]>([
    ['any of the tags', 'any', { tier: 'pro' }, 'first'],
    ['any of the tags, a key alone', 'any', { beta: null }, 'first'],
    ['none of the tags that it wants', 'any', { tier: 'free' }, 'second'],
    ['no metadata', 'any', undefined, 'second'],
    ['all of the tags', 'all', { beta: null, tier: 'pro' }, 'first'],
    ['one tag of two', 'all', { tier: 'pro' }, 'second'],
    ['a tag that shuts it out', 'not', { tier: 'free' }, 'second'],
    ['no tag that shuts it out', 'not', { tier: 'pro' }, 'first'],
    ['metadata with their types', 'typed', { level: 3, deep: { on: true }, more: 1 }, 'first'],
    ['a string for a number', 'typed', { level: '3', deep: { on: true } }, 'second'],
    ['another value deep inside', 'typed', { level: 3, deep: { on: 'true' } }, 'second'],
  ])('meets %s', async (_what, endpoint, metadata, provider) => {
    expect(await chosen(endpoint, metadata)).toBe(provider);
  });

  test('that does not fit, where no other model is left, is a 404 that says why', async () => {
    const answer = await chains.ask('closed', { metadata: { tier: 'free' } });
    expect(answer.status).toBe(404);
    const { error } = answer.json as { error: JsonObject };
    expect(error).toMatchObject({ code: 'model_not_found', param: 'model' });
    expect(error.message).toMatch(/"closed".*tags and metadata.*"when"/);
    expect(await chains.log(answer)).toMatchObject({ status: 'error', http_status: 404, attempts: [] });
    expect(chains.tries).toEqual([0, 0, 0]);
  });
});

describe.skipIf(missingPrograms !== null)('a chain', () => {
  test('tries a provider/model that is listed twice only once', async () => {
    for (const provider of chains.providers) provider.always(bytesReply('', { status: 500 }));
    const answer = await chains.ask('repeated', { metadata: { beta: null } });
    expect(answer.headers.get('x-sluice-attempts')).toBe('2');
    expect((await chains.log(answer)).attempts.map(({ provider }: JsonObject) => provider)).toEqual([
      'first',
      'second',
    ]);
  });

  test('is drawn by weight, anew for each request', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => chosen('weighted')));
    const firsts = answers.filter((provider) => provider === 'first').length;
    // 45 are expected; further off than this is one run in a hundred million.
    expect(firsts).toBeGreaterThan(24);
    expect(firsts).toBeLessThan(60);
  });
});

describe.skipIf(missingPrograms !== null)('the way through Envoy', () => {
  /** Envoy's streams to the engine: one for a request, and one for each try that is judged. */
  const streams = async () => {
    const stats = await chains.sluice.envoyAdmin.stats('^cluster\\.engine(-attempts)?\\.upstream_rq_total$');
    return [...stats.values()].reduce((sum, count) => sum + count, 0);
  };

  test.each<[string, string, JsonObject, number]>([
    ['one model and nothing to validate: one stream', 'one', {}, 1],
    ['one model and a schema that nobody validates: the same', 'one', wanting(), 1],
    ['one model and no schema in the request: the same', 'one-checked', {}, 1],
    ['one model and a schema: its answer is judged on the same stream', 'one-checked', wanting(), 1],
    ['two models: their answers are judged', 'two', {}, 2],
  ])('%s', async (_what, endpoint, body, expected) => {
    const before = await streams();
    expect((await chains.ask(endpoint, body)).status).toBe(200);
    expect((await streams()) - before).toBe(expected);
  });
});
