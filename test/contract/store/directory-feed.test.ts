import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findingsOf } from '../../../src/commands/doctor.js';
import { Secret } from '../../../src/core/secret.js';
import { createDirectory } from '../../../src/directory/directory.js';
import { createAdminSource } from '../../../src/directory/feed/admin-source.js';
import { DirectoryFeed } from '../../../src/directory/feed/feed.js';
import { generateApiKey } from '../../../src/directory/keys.js';
import { mongodUri } from '../../../src/local/parts/mongod.js';
import { KEYS as ADMIN_KEYS, type AdminApi, openAdminApi } from '../../support/admin-api.js';
import { type FakeProvider, startFakeProvider } from '../../support/fake-provider.js';
import { COMPLETION, Gateway, gatewayConfig, PROJECT } from '../../support/gateway.js';
import { missingMongod } from '../../support/mongod.js';
import { jsonReply } from '../../support/replies.js';
import { silentLogger } from '../../support/silent-logger.js';
import { missingPrograms, type Sluice, startSluice } from '../../support/start-sluice.js';

const ENGINE_KEY = 'engines-alone';

describe.skipIf(missingPrograms)('engines that follow the directory of an admin service', () => {
  let provider: FakeProvider;
  let admin: Sluice;
  let gateway: Gateway;

  beforeAll(async () => {
    provider = await startFakeProvider();
    provider.always(jsonReply(COMPLETION));
    const environment = { FAKE_KEY: 'secret', ENGINE_KEY };
    const config = (directory: object, engine = {}) =>
      JSON.stringify(
        gatewayConfig(provider.baseUrl, {
          settings: { directory: { key_env: 'ENGINE_KEY', ...directory }, engine },
        }),
      );
    admin = await startSluice({ config: config({}), environment, role: 'admin', envoy: false });
    const engine = await startSluice({
      config: config({ from: admin.adminUrl }, { workers: 2 }),
      environment: { ...environment, SLUICE_ADMIN_URL: admin.adminUrl },
      role: 'engine',
      mongodbUri: admin.mongodbUri,
    });
    gateway = new Gateway(engine, provider);
  });

  afterAll(async () => {
    await gateway?.stop();
    await admin?.stop();
  });

  /** A call of the API with the admin's key. */
  const manage = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await fetch(`${admin.adminUrl}/api/projects/${PROJECT}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${admin.adminKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(300);
    return { etag: answer.headers.get('etag') ?? '', json: text === '' ? undefined : JSON.parse(text) };
  };
  const makeKey = async (): Promise<{ id: string; key: string }> =>
    (await manage('POST', 'api-keys', { name: randomUUID(), scopes: ['inference'] })).json;
  const statusWith = async (key: string) => (await gateway.ask({}, { key })).status;
  const stateOfDirectory = async () => {
    const answer = await fetch(`${gateway.sluice.adminUrl}/healthz/ready`);
    const { parts } = (await answer.json()) as { parts: Record<string, string> };
    return [answer.status, parts.directory];
  };

  it('use what was made there, and forget what was deleted', async () => {
    await manage('POST', 'endpoints', { name: 'new', models: [{ provider: 'fake', model: 'large' }] });
    await expect.poll(async () => (await gateway.ask({ model: 'new' })).status).toBe(200);
    const { id, key } = await makeKey();
    await expect.poll(() => statusWith(key)).toBe(200);
    await manage('DELETE', `api-keys/${id}`, undefined, { 'if-match': '*' });
    await expect.poll(() => statusWith(key)).toBe(401);
    await manage('DELETE', 'endpoints/new', undefined, { 'if-match': '*' });
    await expect.poll(async () => (await gateway.ask({ model: 'new' })).status).toBe(404);
  });

  it('learn from `sluice doctor` whether it can be reached', async () => {
    const { configPath, adminUrl, dataFolder, mongodbUri, adminKey } = gateway.sluice;
    const environment = {
      ...process.env,
      FAKE_KEY: 'secret',
      ENGINE_KEY,
      SLUICE_ADMIN_KEY: adminKey,
      SLUICE_ADMIN_PORT: new URL(adminUrl).port,
      SLUICE_DATA_DIR: dataFolder,
      MONGODB_URI: mongodbUri,
    };
    expect(await findingsOf(configPath, 'engine', environment)).toContainEqual({
      check: 'directory',
      status: 'ok',
      detail: `${admin.adminUrl} accepts connections`,
    });
  });

  it('need no watcher of their own at MongoDB', async () => {
    const client = await MongoClient.connect(mongodUri(inject('mongodPort')!, 'admin'));
    try {
      const watchers = async () => {
        const operations = await client
          .db('admin')
          .aggregate([{ $currentOp: { allUsers: true, idleCursors: true } }])
          .toArray();
        const commands = operations.map(({ cursor }) => cursor?.originatingCommand);
        return commands.filter(
          (command) =>
            command?.$db === admin.database.databaseName &&
            command.pipeline?.[0]?.$changeStream !== undefined,
        );
      };
      // Between two looks of a watcher MongoDB does not always tell of its cursor.
      await expect.poll(watchers).toHaveLength(1);
    } finally {
      await client.close();
    }
  });

  it('continue without it, even after a restart from the last copy, and catch up later', async () => {
    const kept = await makeKey();
    const gone = await makeKey();
    for (const { key } of [kept, gone]) await expect.poll(() => statusWith(key)).toBe(200);
    expect((await admin.engine.stop()).code).toBe(0);
    await expect.poll(stateOfDirectory, { timeout: 20_000 }).toEqual([200, 'degraded']);
    expect(await statusWith(kept.key)).toBe(200);

    await gateway.sluice.engine.stop();
    await gateway.sluice.engine.start();
    await gateway.sluice.waitUntilReady();
    expect(await statusWith(kept.key)).toBe(200);
    expect(await stateOfDirectory()).toEqual([200, 'degraded']);

    await admin.database.collection('api_keys').deleteOne({ _id: gone.id as never });
    await admin.engine.start();
    await expect.poll(() => statusWith(gone.key), { timeout: 20_000 }).toBe(401);
    expect(await statusWith(kept.key)).toBe(200);
    await expect.poll(stateOfDirectory, { timeout: 20_000 }).toEqual([200, 'ready']);
  });

  it('report why they get no updates, and serve what the file says', async () => {
    const config = gatewayConfig(provider.baseUrl, {
      settings: { directory: { from: admin.adminUrl, key: 'a-wrong-key' } },
    });
    const engine = await startSluice({
      config: JSON.stringify(config),
      environment: { FAKE_KEY: 'secret' },
      role: 'engine',
      mongodbUri: admin.mongodbUri,
      envoy: false,
    });
    try {
      await expect.poll(() => engine.engineLog()).toContain('it answered 401 invalid_api_key');
      expect(await engine.engineLog()).not.toContain('a-wrong-key');
      const answer = await fetch(`${engine.adminUrl}/healthz/ready`);
      expect([answer.status, ((await answer.json()) as { parts: object }).parts]).toMatchObject([
        503,
        { directory: 'starting' },
      ]);
    } finally {
      await engine.stop();
    }
  });
});

describe.skipIf(missingMongod !== null)('the directory for engines', () => {
  let api: AdminApi;
  let url: string;
  let key: string | undefined = ENGINE_KEY;
  const feed = new DirectoryFeed();
  const EMPTY = { projects: [], keys: [], endpoints: [], remembered: [] };

  beforeAll(async () => {
    api = await openAdminApi({
      beatMs: 20,
      engineFeed: { isKey: (text) => text === key, follow: (known, send) => feed.follow(known, send) },
    });
    url = await api.server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => api.close());

  const get = (authorization?: string) =>
    fetch(`${url}/api/directory`, { headers: authorization === undefined ? {} : { authorization } });

  it('is accessible with the key of engines only, and to nobody where there is none', async () => {
    for (const other of [
      undefined,
      'Bearer wrong',
      `Bearer ${ADMIN_KEYS.admin}`,
      `Bearer ${ADMIN_KEYS.all}`,
    ]) {
      const answer = await get(other);
      expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
        401,
        'invalid_api_key',
      ]);
    }
    key = undefined;
    expect((await get(`Bearer ${ENGINE_KEY}`)).status).toBe(401);
    key = ENGINE_KEY;
  });

  it('is not sent before MongoDB was read', async () => {
    const answer = await get(`Bearer ${ENGINE_KEY}`);
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.stringContaining('storage_unavailable'),
    ]);
  });

  it('ends for an engine whose key was withdrawn', async () => {
    feed.replace(EMPTY);
    const answer = await get(`Bearer ${ENGINE_KEY}`);
    expect(answer.status).toBe(200);
    key = undefined;
    // It ends by itself: an endless answer would end the test.
    expect((await answer.text()).split('\n')[0]).toContain('"whole":true');
    key = ENGINE_KEY;
  });

  it('reaches many engines, and each one whose connection broke comes back', async () => {
    feed.replace(EMPTY);
    const directories = Array.from({ length: 30 }, () =>
      createDirectory({
        file: { providers: new Map(), projects: [], adminKeys: [] },
        source: createAdminSource({
          from: url,
          key: () => new Secret(ENGINE_KEY),
          remember: async () => undefined,
          logger: silentLogger,
        }),
        logger: silentLogger,
      }),
    );
    const know = (text: string) =>
      expect
        .poll(() => directories.filter((directory) => directory.authenticate(PROJECT, text)).length)
        .toBe(directories.length);
    try {
      await Promise.all(directories.map((directory) => directory.start()));
      const project = { uid: PROJECT, name: 'demo', enabled: true };
      const keys = [generateApiKey(), generateApiKey()].map(({ hash, prefix, key: text }, index) => ({
        ...{
          id: String(index),
          project_uid: PROJECT,
          name: `k${index}`,
          hash,
          prefix,
          scopes: ['inference' as const],
        },
        text,
      }));
      const stored = (count: number) => ({
        ...EMPTY,
        projects: [project],
        keys: keys.slice(0, count).map(({ text: _text, ...kept }) => kept),
      });
      feed.replace(stored(1));
      await know(keys[0]!.text);
      api.server.server.closeAllConnections();
      feed.replace(stored(2));
      await know(keys[1]!.text);
      expect(directories.map((directory) => directory.state())).toEqual(
        directories.map(() => ({ origin: 'store' })),
      );
    } finally {
      await Promise.all(directories.map((directory) => directory.stop()));
    }
  });
});
