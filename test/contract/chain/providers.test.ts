import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../../src/local/processes/wait.js';
import { borrowChains, type Chains, CREDENTIALS, chainEndpoint } from '../../support/chains.js';
import { answerReply } from '../../support/chat.js';
import { jsonReply, type Reply } from '../../support/replies.js';
import { missingPrograms } from '../../support/start-sluice.js';

let chains: Chains;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  chains = await borrowChains({
    endpoints: [
      chainEndpoint('one', ['first']),
      chainEndpoint('two', ['first', 'third'], { fallback_on: [] }),
      chainEndpoint('three', ['second', 'third']),
    ],
  });
});
afterAll(() => chains?.stop());

/** Answers only what is meant for it: its own path with its own credential. */
const strict =
  (name: keyof typeof CREDENTIALS, path: string): Reply =>
  (response, request) => {
    const own =
      request.path.startsWith(path) && request.headers.authorization === `Bearer ${CREDENTIALS[name]}`;
    const reply = own ? answerReply(name) : jsonReply({ error: { message: 'not mine' } }, { status: 401 });
    return reply(response, request);
  };

describe.skipIf(missingPrograms !== null)('a provider that moves', () => {
  test('to another host, path and credential needs no restart, loses no request, and sends none to a mixture of both', async () => {
    chains.first.always(strict('first', '/v1/'));
    chains.second.always(strict('second', '/v2/'));
    const seen: string[] = [];
    const failures: string[] = [];
    let moved = false;
    const worker = async (endpoint: string) => {
      while (!moved) {
        const answer = await chains.ask(endpoint);
        if (answer.status !== 200) failures.push(`${answer.status} ${answer.text}`);
        seen.push(answer.text.includes('"second"') ? 'second' : 'first');
        moved = moved || seen.slice(-20).every((name) => name === 'second');
      }
    };
    const running = ['one', 'one', 'two', 'two'].map(worker);
    const base_url = `http://127.0.0.1:${chains.second.port}/v2`;
    const changed = { first: { api: 'openai', base_url, api_key_env: 'SECOND_KEY' } };
    await chains.ask('one');
    await chains.sluice.writeConfig(chains.configWith(changed));
    await Promise.all(running);
    expect(failures).toEqual([]);
    expect(seen).toContain('first');
  });

  test('keeps its old place for requests that began before', async () => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    chains.reset();
    chains.second.enqueue(jsonReply({ error: { message: 'no' } }, { status: 500, after: released }));
    chains.third.always(answerReply('the old place'));
    const asked = chains.ask('three');
    await chains.second.received();
    const base_url = `http://127.0.0.1:${chains.second.port}/v2`;
    const third = { api: 'openai', base_url, api_key_env: 'SECOND_KEY' };
    const changes = async () =>
      (await chains.sluice.engineLog()).split('the changed configuration is active').length;
    const before = await changes();
    await chains.sluice.writeConfig(chains.configWith({ third }));
    await waitFor('the change is in force', async () => (await changes()) > before, { timeoutMs: 20_000 });
    release();
    expect((await asked).text).toContain('the old place');
    expect((await chains.third.received()).headers.authorization).toBeUndefined();
  });
});
