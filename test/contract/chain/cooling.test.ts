import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { BAD, type Chains, chainEndpoint, startChains, wanting } from '../../support/chains.js';
import { answerReply, chunk } from '../../support/chat.js';
import { bytesReply, ControlledStream, hangReply, jsonReply, type Reply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

/** Ten such failures take the ten seconds after which a model cools. */
const SLOW_MS = 1_100;

const slowly =
  (reply: Reply): Reply =>
  async (response, request) => {
    await setTimeout(SLOW_MS);
    await reply(response, request);
  };

const refused = bytesReply('', { status: 503 });
const brokenOff: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"id":', () => response.socket?.resetAndDestroy());
};
/** Begins well, and breaks off when the client has its beginning. */
const brokenStream: Reply = async (response, request) => {
  const stream = new ControlledStream();
  const sent = stream.reply()(response, request);
  await stream.send(chunk({ role: 'assistant', content: 'Hel' }));
  await stream.send('data: {"error":{"message":"lost"}}\n\n');
  await stream.end();
  await sent;
};

const ENDPOINTS = ['refusing', 'breaking', 'streaming', 'busy', 'invalid', 'faulty', 'rising', 'quick'];

let chains: Chains;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  chains = await startChains({
    endpoints: [
      ...ENDPOINTS.map((name) => chainEndpoint(name, ['first', 'second'], { json_validation: true })),
      chainEndpoint('silent', ['first', 'second'], { json_validation: true, timeout_ms: 1_500 }),
      chainEndpoint('lone', ['first']),
    ],
  });
});
afterAll(() => chains?.stop());
beforeEach(() => {
  chains?.reset();
  chains?.second.always(answerReply('{"name":"Ann"}'));
});

/** Sends requests at once, and gives how many of them the first provider got. */
async function asked(endpoint: string, times: number, body = {}): Promise<number> {
  // A stream that breaks off after its beginning is an error for its client.
  await Promise.all(Array.from({ length: times }, () => chains.ask(endpoint, body).catch(() => undefined)));
  return chains.first.requests.length;
}

const metric = async (model: string) => {
  const text = await (await fetch(`${chains.sluice.adminUrl}/metrics`)).text();
  const line = text
    .split('\n')
    .find((row) => row.startsWith('sluice_coolings_total{') && row.includes(`"${model}"`));
  return line === undefined ? 0 : Number(line.split(' ')[1]);
};

describe.skipIf(missingPrograms !== null)('a model that keeps failing is left out of new chains', () => {
  test.each<[string, string, Reply, JsonObject]>([
    ['by its status', 'refusing', slowly(refused), {}],
    ['by answers that break off', 'breaking', slowly(brokenOff), {}],
    ['by streams that break off after their beginning', 'streaming', slowly(brokenStream), { stream: true }],
    ['by not answering in time', 'silent', hangReply, {}],
    [
      'by asking for a pause, however quickly',
      'busy',
      jsonReply({}, { status: 429, headers: { 'retry-after': '60' } }),
      {},
    ],
  ])('%s', async (_what, endpoint, reply, body) => {
    chains.first.always(reply);
    expect(await asked(endpoint, 10, body)).toBe(10);
    const answer = await chains.ask(endpoint, body);
    expect(chains.first.requests.length).toBe(10);
    expect(answer.headers.get('x-sluice-attempts')).toBe('1');
    expect(answer.headers.get('x-sluice-model')).toBe(`second/${endpoint}`);
    expect(await metric(endpoint)).toBe(1);
    await expect.poll(() => chains.sluice.engineLog()).toContain(`"model":"${endpoint}","cooling_ms":`);
  });

  test('and comes back for one try, which decides whether it stays', async () => {
    chains.first.always(slowly(refused));
    await asked('rising', 10);
    expect(await metric('rising')).toBe(1);
    const returned = () =>
      waitFor(
        'the model is tried again',
        async () => {
          const before = chains.first.requests.length;
          await chains.ask('rising');
          return chains.first.requests.length > before;
        },
        { timeoutMs: 20_000 },
      );
    await returned();
    expect(await metric('rising')).toBe(2);
    chains.first.always(answerReply('well again'));
    await returned();
    for (let at = 0; at < 3; at++) {
      expect((await chains.ask('rising')).headers.get('x-sluice-model')).toBe('first/rising');
    }
  });
});

describe.skipIf(missingPrograms !== null)('a model stays in its chains', () => {
  test('where only its output is invalid', async () => {
    chains.first.always(answerReply(BAD));
    expect(await asked('invalid', 12, wanting())).toBe(12);
  });

  test('where the request was wrong', async () => {
    chains.first.always(jsonReply({ error: { message: 'no' } }, { status: 400 }));
    expect(await asked('faulty', 12)).toBe(12);
  });

  test('where it fails at once, which costs nobody anything', async () => {
    chains.first.always(refused);
    for (let at = 0; at < 30; at++) {
      expect((await chains.ask('quick')).headers.get('x-sluice-attempts')).toBe('2');
    }
  });

  test('where no other is left', async () => {
    chains.first.always(slowly(refused));
    expect(await asked('lone', 10)).toBe(10);
    expect(await asked('lone', 1)).toBe(11);
  });
});
