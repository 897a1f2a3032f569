import { v4 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashKey } from '../../../src/directory/keys.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { COMPLETION, type Gateway, PROJECT, startGateway } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

/** As the first version wrote them: without a version, and without all keys that came later. */
const DOCUMENT = { revision: 1, created_at: new Date(), updated_at: new Date() };
const KEY = 'sk-of-an-older-version';

let gateway: Gateway;

beforeAll(async () => {
  if (missingPrograms !== null) return;
  gateway = await startGateway();
});

afterAll(() => gateway?.stop());

const admin = (method: string, path: string) =>
  fetch(`${gateway.sluice.adminUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${gateway.sluice.adminKey}` },
  });

it.skipIf(missingPrograms !== null)(
  'an endpoint and a key of an older version work with the defaults of this one, though another one is broken',
  async () => {
    const { database } = gateway.sluice;
    const settings = { name: 'old', models: [{ provider: 'fake', model: 'small' }] };
    const store = (name: string, text: string) =>
      database
        .collection<{ _id: string }>('endpoints')
        .insertOne({ ...DOCUMENT, _id: v4(), project_uid: PROJECT, name, settings: text } as never);
    await store('broken', '{"name":"broken","models":7}');
    await store('old', JSON.stringify(settings));
    await database.collection<{ _id: string }>('api_keys').insertOne({
      ...DOCUMENT,
      _id: v4(),
      project_uid: PROJECT,
      name: 'old',
      hash: hashKey(KEY),
      prefix: 'sk-of',
      scopes: ['inference'],
    } as never);
    const answer = await waitFor(
      'the endpoint serves',
      async () => {
        const answered = await gateway.ask({ model: 'old' }, { key: KEY });
        if (answered.status !== 200) throw new Error(answered.text);
        return answered;
      },
      { timeoutMs: 20_000, intervalMs: 50 },
    );
    expect(answer.json.choices).toEqual(COMPLETION.choices);
    const shown = await admin('GET', `/api/projects/${PROJECT}/endpoints/old`);
    expect(await shown.json()).toMatchObject({
      ...settings,
      timeout_ms: 60_000,
      log_content: 'masked',
      plugins: [],
    });
    const broken = await gateway.ask({ model: 'broken' }, { key: KEY });
    expect([broken.status, broken.json.error.code]).toEqual([404, 'model_not_found']);
    const all = await admin('GET', `/api/projects/${PROJECT}/endpoints`);
    expect(((await all.json()) as { data: { name: string }[] }).data.map(({ name }) => name)).toContain(
      'old',
    );
    expect((await admin('DELETE', `/api/projects/${PROJECT}/endpoints/broken`)).status).toBe(204);
  },
);
