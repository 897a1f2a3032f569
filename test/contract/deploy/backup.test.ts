import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { mongodUri } from '../../../src/local/parts/mongod.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { connectStore } from '../../../src/store/store.js';
import { dump, restore } from '../../support/dump.js';
import { gatewayConfig, KEYS, PROJECT, startGateway } from '../../support/gateway.js';
import { silentLogger } from '../../support/silent-logger.js';
import { missingPrograms, type Sluice, startSluice } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const COUNT = 12;

async function get(sluice: Sluice, path: string, key: string = KEYS.all) {
  const answer = await fetch(`${sluice.adminUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

describe.skipIf(missingPrograms !== null)('a restored backup', () => {
  it('has every log as it was, its feedback, its bodies of many megabytes, and all made through the admin API', async () => {
    const gateway = await startGateway();
    onTestFinished(() => gateway.stop());
    const { sluice } = gateway;
    const made = await fetch(`${sluice.adminUrl}/api/projects/${PROJECT}/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sluice.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'made', scopes: ['logs'] }),
    });
    const { key } = (await made.json()) as { key: string };
    const ids: string[] = [];
    for (let index = 0; index < COUNT; index++) {
      const content = index === 0 ? 'long '.repeat(600_000) : 'Where is my parcel?';
      const metadata = { 'a.b$': index, kind: index % 2 === 0 ? 'even' : 'odd', big: 2 ** 53 - 1, half: 0.5 };
      const { id } = await gateway.ask({ messages: [{ role: 'user', content }], metadata });
      await gateway.log(id);
      ids.push(id);
    }
    const rated = await gateway.call('POST', `/${PROJECT}/feedback/${ids[1]}`, {
      body: { score: 0.5, weight: 1, improvement: { role: 'assistant', content: 'Better.' } },
    });
    expect(rated.status).toBe(200);
    const logOf = async (of: Sluice, id: string) => (await get(of, `/${PROJECT}/logs/${id}`)).json;
    await waitFor('the feedback is joined', async () => (await logOf(sluice, ids[1]!)).feedback_count === 1, {
      timeoutMs: 20_000,
    });
    const before = await Promise.all(ids.map((id) => logOf(sluice, id)));

    const folder = await temporaryFolder();
    await dump(sluice.mongodbUri, folder);
    const uri = mongodUri(inject('mongodPort') as number, `test-${randomUUID()}`);
    onTestFinished(async () => {
      const client = await MongoClient.connect(uri);
      await client.db().dropDatabase();
      await client.close();
    });
    await restore(folder, sluice.database.databaseName, uri);
    const restored = await startSluice({
      config: JSON.stringify(gatewayConfig(gateway.provider.baseUrl)),
      environment: { FAKE_KEY: 'secret' },
      mongodbUri: uri,
      role: 'admin',
      envoy: false,
    });
    onTestFinished(() => restored.stop());

    await restored.waitUntilReady();
    expect(await Promise.all(ids.map((id) => logOf(restored, id)))).toEqual(before);
    const feedback = await get(restored, `/${PROJECT}/logs/${ids[1]}/feedback`);
    expect(feedback.json.data).toMatchObject([{ score: 0.5, improvement: { content: 'Better.' } }]);
    expect((await get(restored, `/${PROJECT}/logs/${ids[2]}`, key)).status).toBe(200);
    await waitFor(
      'the search finds them, by the indexes that were made again',
      async () => {
        const store = connectStore({ uri, logger: silentLogger });
        try {
          const { missingIndexes } = await store.diagnose();
          if (missingIndexes.length > 0) throw new Error(`missing: ${missingIndexes.join(', ')}`);
        } finally {
          await store.close();
        }
        const { json } = await get(restored, `/${PROJECT}/logs?tags_any=kind:even`);
        return json.data.length === COUNT / 2;
      },
      { timeoutMs: 60_000 },
    );
  });
});
