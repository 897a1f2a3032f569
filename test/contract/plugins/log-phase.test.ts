import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerReply, chat, KEY, landedLog, PROJECT } from '../../support/chat.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { missingPrograms, type Sluice, startSluice } from '../../support/start-sluice.js';

/** Its first run in a process whose environment says so never ends: that engine is killed in the middle of it. */
const STUCK_PLUGIN = `
import { existsSync, writeFileSync } from 'node:fs';
export default {
  name: 'stuck_once',
  configSchema: { type: 'object', properties: { marker: { type: 'string' } } },
  log: ({ config }) => {
    if (existsSync(config.marker)) return { addTags: ['looked-at'] };
    writeFileSync(config.marker, '');
    return new Promise(() => {});
  },
};
`;

let sluice: Sluice;
let provider: FakeProvider;
let directory: string;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  provider = await startFakeProvider();
  provider.always(answerReply('Hi'));
  directory = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  const plugin = join(directory, 'stuck-once.mjs');
  await writeFile(plugin, STUCK_PLUGIN);
  sluice = await startSluice({
    config: `
plugins: ["${plugin}"]
providers: { local: { api: openai, base_url: "${provider.baseUrl}" } }
projects:
  - uid: ${PROJECT}
    name: test
    api_keys: [{ name: test, key: ${KEY}, scopes: [inference, logs] }]
    endpoints:
      - name: watched
        models: [{ provider: local, model: m }]
        plugins: [{ plugin: stuck_once, timeout_ms: 600000, config: { marker: "${join(directory, 'marker')}" } }]
`,
  });
});

afterAll(async () => {
  await sluice?.stop();
  await provider?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true });
});

describe.skipIf(missingPrograms !== null)('a LOG plugin', () => {
  test('that a crash of the engine interrupted runs after the next start', async () => {
    const answer = await chat(sluice, 'watched');
    expect(answer.status).toBe(200);
    await landedLog(sluice, answer.id);
    await sluice.engine.kill();
    await sluice.engine.start();
    const logs = sluice.database.collection<{ _id: string }>('logs');
    await expect
      .poll(() => logs.findOne({ _id: answer.id }), { timeout: 20_000 })
      .toMatchObject({
        tags: ['looked-at'],
        plugin_runs: [{ plugin: 'stuck_once', phase: 'log', outcome: 'passed' }],
      });
  });
});
