import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../src/local/processes/wait.js';
import { type FakeProvider, startFakeProvider } from './fake-provider.js';
import { jsonReply } from './replies.js';
import { missingPrograms, type Sluice, startSluice } from './start-sluice.js';

const PROJECT = '00000000-0000-4000-8000-000000000001';
const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

describe.skipIf(missingPrograms !== null)('a system started for a test', () => {
  let provider: FakeProvider;
  let sluice: Sluice;

  beforeAll(async () => {
    provider = await startFakeProvider();
    sluice = await startSluice({
      config: `
providers:
  fake: { api: openai, base_url: "${provider.baseUrl}", api_key_env: FAKE_KEY }
projects:
  - uid: ${PROJECT}
    name: test
    api_keys: [{ name: test, key: sk-test, scopes: [inference, feedback, logs] }]
    endpoints: [{ name: chat, models: [{ provider: fake, model: m }] }]
admin_keys: [{ name: root, key_env: SLUICE_ADMIN_KEY }]
`,
      environment: { FAKE_KEY: 'provider-key' },
    });
  });
  afterAll(async () => {
    await sluice?.stop();
    await provider?.stop();
  });

  const ask = () =>
    fetch(`${sluice.gatewayUrl}/${PROJECT}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'Hello' }] }),
    });

  it('connects gateway, engine, fake provider and database', async () => {
    provider.enqueue(jsonReply(ANSWER));
    const response = await ask();
    expect(response.status).toBe(200);
    const received = await provider.received();
    expect(received.headers.authorization).toBe('Bearer provider-key');
    expect(received.json()).toMatchObject({ model: 'm' });
    const id = response.headers.get('x-inference-log-id') as string;
    const log = await waitFor(
      'the log lands',
      async () =>
        (await sluice.database.collection<{ _id: string }>('logs').findOne({ _id: id })) ?? undefined,
      { timeoutMs: 20_000 },
    );
    expect(log).toMatchObject({ project_uid: PROJECT, status: 'success' });
  });

  it('works again after its engine was killed and restarted', async () => {
    await sluice.engine.kill();
    expect((await ask()).status).toBe(503);
    await sluice.engine.start();
    await sluice.waitUntilReady();
    provider.always(jsonReply(ANSWER));
    await waitFor('it answers', async () => (await ask()).status === 200, { timeoutMs: 20_000 });
  });

  it('exits with 0, and leaves nothing behind', async () => {
    expect(await sluice.drain()).toEqual({ code: 0, signal: null });
    await sluice.stop();
    expect(existsSync(sluice.dataFolder)).toBe(false);
  });
});
