import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { answerReply, streamAnswerReply } from '../../support/chat.js';
import { type Answer, borrowGateway, CHAT_PATH, type Gateway, PROJECT } from '../../support/gateway.js';
import type { Reply } from '../../support/replies.js';
import { bytesReply, jsonReply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

const ADDRESS = 'anna.schmidt@example.org';
const MESSAGES_PATH = `/${PROJECT}/anthropic/v1/messages`;

/** Guards that would reject, mask, hold and change all that these tests send, none of which may show. */
const observers = (mode: string): JsonObject[] => [
  { plugin: 'pii_detection', mode },
  { plugin: 'pii_detection', mode, config: { reject_on_detection: false, mask: true } },
  // It needs the whole answer, and so would hold a stream.
  { plugin: 'pii_detection', mode, phases: ['response'], config: { deny_list: ['/a.*z/'] } },
  { plugin: 'webhook', mode, config: { url: 'http://127.0.0.1:9/' }, on_error: 'reject' },
];

describe.skipIf(missingPrograms !== null)('the mode of a plugin', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const models = [{ provider: 'fake', model: 'large' }];
    gateway = await borrowGateway({
      endpoints: [
        { name: 'guards-none', models },
        { name: 'guards-mute', models, plugins: observers('observe') },
        { name: 'guards-away', models, plugins: observers('off') },
        { name: 'guards-some', models, plugins: [{ plugin: 'pii_detection', sample: 0.5 }] },
      ],
    });
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => gateway.provider.reset());

  /** What a client gets and a provider got, without what differs from one request to the next. */
  async function wireOf(model: string, body: string, reply: Reply, path = CHAT_PATH) {
    gateway.provider.reset();
    gateway.provider.enqueue(reply);
    const answer = await gateway.call('POST', path, { body: body.replaceAll('MODEL', model) });
    const received = gateway.provider.requests.map(({ text }) => text);
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !['date', 'x-envoy-upstream-service-time'].includes(name)),
    );
    const wire = JSON.stringify({ status: answer.status, headers, text: answer.text, received });
    return { answer, wire: wire.replaceAll(answer.id, 'ID').replaceAll(model, 'MODEL') };
  }

  const chat = (content: string, more = '') =>
    `{"model":"MODEL",${more}"messages":[{"role":"user","content":"${content}"}]}`;
  const pieces = [`I am ${ADDRESS}, `, 'and abc', 'xyz', '.'];
  it.each<[string, string, () => Reply, string]>([
    ['a plain answer', chat(ADDRESS), () => answerReply(`I am ${ADDRESS}.`), CHAT_PATH],
    ['a stream', chat(ADDRESS, '"stream":true,'), () => streamAnswerReply(...pieces), CHAT_PATH],
    [
      'a request that says a key twice',
      `{"model":"MODEL","messages":[{"role":"user","content":"a","content":"${ADDRESS}"}],"n":1.0,"n":1.00}`,
      () => answerReply('Hello.'),
      CHAT_PATH,
    ],
    [
      'an answer that nobody can read',
      chat('a'),
      () => bytesReply('{"id":', { headers: { 'content-type': 'text/plain' } }),
      CHAT_PATH,
    ],
    [
      'an error of the provider',
      chat('a'),
      () => jsonReply({ error: { message: ADDRESS } }, { status: 400 }),
      CHAT_PATH,
    ],
    ['a bad request', '{"model":"MODEL","messages":3}', () => answerReply('Hello.'), CHAT_PATH],
    [
      'another dialect',
      `{"model":"MODEL","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"${ADDRESS}"}]}`,
      () => streamAnswerReply(...pieces),
      MESSAGES_PATH,
    ],
  ])('leaves every byte as without plugins where it is `observe`: %s', async (_, body, reply, path) => {
    const plain = await wireOf('guards-none', body, reply(), path);
    const observed = await wireOf('guards-mute', body, reply(), path);
    expect(observed.wire).toBe(plain.wire);
    expect((await wireOf('guards-away', body, reply(), path)).wire).toBe(plain.wire);
  });

  const runsOf = async (answer: Answer) => (await gateway.log(answer.id)).plugin_runs;

  it('adds to the log what an observing plugin would have done, and leaves the rest of it unchanged', async () => {
    const { answer } = await wireOf(
      'guards-mute',
      chat(ADDRESS, '"stream":true,'),
      streamAnswerReply(...pieces),
    );
    const log = await gateway.log(answer.id);
    const address = { type: 'EMAIL_ADDRESS' };
    expect(log.plugin_runs.slice(0, 7)).toMatchObject([
      { phase: 'request', outcome: 'rejected', observed: true, findings: [address] },
      { phase: 'request', outcome: 'modified', observed: true, findings: [address] },
      { plugin: 'webhook', phase: 'request', outcome: 'error', observed: true },
      { phase: 'response', outcome: 'rejected', observed: true, findings: [{ ...address, start: 5 }] },
      { phase: 'response', outcome: 'modified', observed: true },
      { phase: 'response', outcome: 'rejected', observed: true },
      { plugin: 'webhook', phase: 'response', outcome: 'error', observed: true },
    ]);
    expect(log.status).toBe('success');
    expect(JSON.stringify([log.request, log.response])).toContain(ADDRESS);
  });

  it('makes no run of a plugin that is off', async () => {
    const { answer } = await wireOf('guards-away', chat(ADDRESS), answerReply('Hello.'));
    expect(await runsOf(answer)).toEqual([]);
  });

  it('guards a share of the requests, and the log says which', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 40; index++) {
      const { answer } = await wireOf('guards-some', chat(ADDRESS), answerReply('Hello.'));
      statuses.push(answer.status);
      if (index < 5) expect((await runsOf(answer)).length > 0).toBe(answer.status === 400);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
  });
});
