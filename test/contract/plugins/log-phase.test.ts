import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerReply, chat, KEY, landedLogs, PROJECT } from '../../support/chat.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { missingPrograms, type Sluice, startSluice } from '../../support/start-sluice.js';

/** Notes that it began, waits for a file, and then notes that it ran. */
const NOTING_PLUGIN = `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
export default {
  name: 'noting',
  configSchema: {
    type: 'object',
    properties: { begun: { type: 'string' }, gate: { type: 'string' }, notes: { type: 'string' } },
  },
  log: async ({ config, record }) => {
    appendFileSync(config.begun, record._id + '\\n');
    while (!existsSync(config.gate)) await sleep(20);
    appendFileSync(config.notes, record._id + '\\n');
    return { addTags: ['noted'] };
  },
};
`;

let sluice: Sluice;
let config: string;
let provider: FakeProvider;
let folder: string;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  provider = await startFakeProvider();
  provider.always(answerReply('Hi'));
  folder = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  const noting = join(folder, 'noting.mjs');
  await writeFile(noting, NOTING_PLUGIN);
  config = `
plugins: ["${noting}"]
providers: { local: { api: openai, base_url: "${provider.baseUrl}" } }
projects:
  - uid: ${PROJECT}
    name: test
    api_keys: [{ name: test, key: ${KEY}, scopes: [inference, logs] }]
    endpoints:
      - name: noted
        models: [{ provider: local, model: m }]
        plugins: [{ plugin: noting, timeout_ms: 600000, config: { begun: "${begun()}", gate: "${gate()}", notes: "${notes()}" } }]
`;
  sluice = await startSluice({ config });
});

const begun = () => join(folder, 'begun');
const gate = () => join(folder, 'gate');
const notes = () => join(folder, 'notes');

afterAll(async () => {
  await sluice?.stop();
  await provider?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

describe.skipIf(missingPrograms !== null)('a LOG plugin', () => {
  test('that an engine is still running is left to it by one that starts meanwhile', async () => {
    const ids = await runningLogs(3);
    const other = await startSluice({ config, envoy: false, mongodbUri: sluice.mongodbUri });
    await other.waitUntilReady();
    await writeFile(gate(), '');
    // What it had begun it ends.
    await other.stop();
    await allNoted(ids);
    expect(await notedIn(notes(), ids)).toEqual(ids.sort());
  });

  test('that a crash interrupted, or left undone, runs after the next start, and in no other engine', async () => {
    await rm(gate(), { force: true });
    const ids = await runningLogs(12);
    await expect.poll(() => notedIn(begun(), ids)).not.toEqual([]);
    await sluice.engine.kill();
    const other = await startSluice({ config, envoy: false, mongodbUri: sluice.mongodbUri });
    try {
      await other.waitUntilReady();
      await sluice.engine.start();
      await writeFile(gate(), '');
      await allNoted(ids);
    } finally {
      await other.stop();
    }
    expect(await notedIn(notes(), ids)).toEqual(ids.sort());
    for (const log of await landedLogs(sluice, ids))
      expect(log).toMatchObject({ plugin_runs: [{ plugin: 'noting', phase: 'log', outcome: 'passed' }] });
  });
});

/** Ids of logs that have landed, and whose plugin waits for the gate. */
async function runningLogs(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) ids.push((await chat(sluice, 'noted')).id);
  await landedLogs(sluice, ids);
  return ids;
}

async function allNoted(ids: string[]): Promise<void> {
  const noted = { _id: { $in: ids }, tags: 'noted' };
  const logs = sluice.database.collection<{ _id: string }>('logs');
  await expect.poll(() => logs.countDocuments(noted), { timeout: 20_000 }).toBe(ids.length);
}

/** One for each run of the plugin. */
async function notedIn(file: string, ids: readonly string[]): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.filter((id) => ids.includes(id)).sort();
}
