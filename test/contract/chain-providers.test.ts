import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Chains, CREDENTIALS, chainEndpoint, startChains } from '../support/chains.js';
import { answerReply } from '../support/chat.js';
import { jsonReply, type Reply } from '../support/replies.js';
import { missingPrograms } from '../support/start-sluice.js';

let chains: Chains;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  chains = await startChains({
    endpoints: [
      chainEndpoint('one', ['first']),
      chainEndpoint('two', ['first', 'third'], { fallback_on: [] }),
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

describe.skipIf(missingPrograms !== null)(
  'a provider that moves to another host, path and credential',
  () => {
    test('takes effect without a restart; no request is lost, and none goes half to each', async () => {
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
  },
);
