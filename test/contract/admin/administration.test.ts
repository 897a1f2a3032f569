import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectStore } from '../../../src/store/store.js';
import { type AdminApi, type CallOptions, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

const baseUrlsOf = (uid: string) => ({
  openai: `http://127.0.0.1:1/${uid}/openai/v1`,
  anthropic: `http://127.0.0.1:1/${uid}/anthropic`,
  gemini: `http://127.0.0.1:1/${uid}/gemini`,
});
const ENDPOINT = { name: 'chat', models: [{ provider: 'local', model: 'large' }] };

describe.skipIf(missingMongod !== null)('administration', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  const call = (method: string, path: string, options: CallOptions = {}) =>
    api.call(method, path, { key: KEYS.admin, ...options });

  async function makeProject(name = v4()): Promise<string> {
    const answer = await call('POST', '/api/projects', { body: { name } });
    expect(answer.status).toBe(201);
    return answer.json.uid;
  }

  describe('of projects', () => {
    it('makes, shows, changes and removes one', async () => {
      const uid = v4();
      const made = await call('POST', '/api/projects', { body: { uid: uid.toUpperCase(), name: 'mine' } });
      const project = {
        uid,
        name: 'mine',
        enabled: true,
        retention_days: null,
        search: 'recent',
        limits: null,
        cors: null,
        managed_by: 'api',
        base_urls: baseUrlsOf(uid),
      };
      expect([made.status, made.json]).toEqual([201, project]);
      const shown = await call('GET', `/api/projects/${uid}`);
      expect(shown.json).toEqual(project);
      expect(shown.headers.etag).toBe(made.headers.etag);
      const changed = await call('PUT', `/api/projects/${uid}`, {
        body: { name: 'ours', enabled: false, retention_days: 30, search: 'words' },
        headers: { 'if-match': String(shown.headers.etag) },
      });
      expect(changed.json).toEqual({
        ...project,
        name: 'ours',
        enabled: false,
        retention_days: 30,
        search: 'words',
      });
      expect((await call('DELETE', `/api/projects/${uid}`)).status).toBe(204);
      expect((await call('GET', `/api/projects/${uid}`)).status).toBe(404);
    });

    it('shows projects of the file, and does not change them', async () => {
      const { data } = (await call('GET', '/api/projects')).json;
      expect(data[0]).toEqual({
        uid: PROJECT,
        name: 'demo',
        enabled: true,
        retention_days: null,
        search: 'recent',
        limits: null,
        cors: null,
        managed_by: 'file',
        base_urls: baseUrlsOf(PROJECT),
      });
      for (const method of ['PUT', 'DELETE']) {
        const body = method === 'PUT' ? { name: 'x' } : undefined;
        const answer = await call(method, `/api/projects/${PROJECT}`, { body });
        expect([answer.status, answer.json.error.code]).toEqual([409, 'managed_by_file']);
      }
    });

    it('refuses a name or uid in use', async () => {
      const uid = await makeProject('taken');
      for (const [param, body] of [
        ['name', { name: 'taken' }],
        ['name', { name: 'demo' }],
        ['uid', { name: 'x', uid }],
        ['uid', { name: 'x', uid: PROJECT }],
      ] as const) {
        const answer = await call('POST', '/api/projects', { body });
        expect(answer).toMatchObject({ status: 409, json: { error: { code: 'already_exists', param } } });
      }
    });

    it('refuses to rename one to a name in use, of the file or not', async () => {
      await makeProject('first');
      const uid = await makeProject();
      for (const name of ['first', 'demo']) {
        const answer = await call('PUT', `/api/projects/${uid}`, {
          body: { name },
          headers: { 'if-match': '*' },
        });
        expect(answer).toMatchObject({ status: 409, json: { error: { code: 'already_exists' } } });
      }
    });

    it('removes the keys and endpoints of a project with it, and leaves its logs', async () => {
      const uid = await makeProject();
      const key = (
        await call('POST', `/api/projects/${uid}/api-keys`, { body: { name: 'k', scopes: ['logs'] } })
      ).json;
      const record = logRecord({ project_uid: uid });
      await api.store.logs.insertMany([record]);
      expect((await api.call('GET', `/${uid}/logs`, { key: key.key })).status).toBe(200);
      await call('DELETE', `/api/projects/${uid}`);
      expect((await api.call('GET', `/${uid}/logs`, { key: key.key })).status).toBe(401);
      expect((await call('GET', `/${uid}/logs/${record._id}`)).status).toBe(200);
    });
  });

  describe('of keys', () => {
    it('shows when a key was last used, and does not confuse keys with the same beginning', async () => {
      const path = `/api/projects/${PROJECT}/api-keys`;
      const { json: before } = await call('GET', path);
      expect(new Set(before.data.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(
        before.data.length,
      );
      const record = logRecord({ caller: `key:${KEYS.logs}` });
      await api.store.logs.insertMany([record]);
      const { json } = await call('GET', path);
      const used = json.data.filter(
        ({ last_used_at }: { last_used_at: string | null }) => last_used_at !== null,
      );
      expect(used).toMatchObject([{ name: KEYS.logs, last_used_at: record.created_at.toISOString() }]);
    });

    it('makes a key that expires, and no longer works from then on', async () => {
      const uid = await makeProject();
      const path = `/api/projects/${uid}/api-keys`;
      const body = { name: 'short', scopes: ['logs'] };
      expect((await call('POST', path, { body: { ...body, expires_at: '2020-01-01' } })).status).toBe(400);
      const soon = new Date(Date.now() + 60_000).toISOString();
      const { json } = await call('POST', path, { body: { ...body, expires_at: soon } });
      expect(json.expires_at).toBe(soon);
      expect((await api.call('GET', `/${uid}/logs`, { key: json.key })).status).toBe(200);
      const { headers } = await call('GET', `${path}/${json.id}`);
      const past = { ...body, expires_at: '2020-01-01T00:00:00Z' };
      const changed = await call('PUT', `${path}/${json.id}`, {
        body: past,
        headers: { 'if-match': String(headers.etag) },
      });
      expect(changed.json.expires_at).toBe('2020-01-01T00:00:00.000Z');
      expect((await api.call('GET', `/${uid}/logs`, { key: json.key })).status).toBe(401);
    });

    it('shows a new key once, keeps only its hash, and allows what its scopes say', async () => {
      const uid = await makeProject();
      const path = `/api/projects/${uid}/api-keys`;
      const made = await call('POST', path, { body: { name: 'ci', scopes: ['logs'] } });
      expect(made.status).toBe(201);
      const { key, ...shown } = made.json;
      expect(shown).toEqual({
        id: expect.any(String),
        name: 'ci',
        prefix: key.slice(0, 14),
        fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
        scopes: ['logs'],
        endpoints: null,
        created_at: expect.any(String),
        last_used_at: null,
        expires_at: null,
        managed_by: 'api',
      });
      expect((await call('GET', `${path}/${shown.id}`)).json).toEqual(shown);
      expect((await call('GET', path)).text).not.toContain(key);
      const stored = await api.test.database
        .collection<{ _id: string }>('api_keys')
        .findOne({ _id: shown.id });
      expect(JSON.stringify(stored)).not.toContain(key);
      expect((await api.call('GET', `/${uid}/logs`, { key })).status).toBe(200);

      const etag = String((await call('GET', `${path}/${shown.id}`)).headers.etag);
      const body = { name: 'ci', scopes: ['feedback'] };
      expect((await call('PUT', `${path}/${shown.id}`, { body, headers: { 'if-match': etag } })).status).toBe(
        200,
      );
      expect((await api.call('GET', `/${uid}/logs`, { key })).status).toBe(403);
      expect((await call('DELETE', `${path}/${shown.id}`)).status).toBe(204);
      expect((await api.call('GET', `/${uid}/logs`, { key })).status).toBe(401);
    });

    it('adds keys to a project of the file, but cannot change those from the file', async () => {
      const path = `/api/projects/${PROJECT}/api-keys`;
      const made = await call('POST', path, { body: { name: 'more', scopes: ['logs'] } });
      expect(made.status).toBe(201);
      const taken = await call('POST', path, { body: { name: KEYS.all, scopes: ['logs'] } });
      expect([taken.status, taken.json.error.code]).toEqual([409, 'already_exists']);
      const listed: { id: string; name: string; managed_by: string }[] = (await call('GET', path)).json.data;
      const ofFile = listed.find(({ name }) => name === KEYS.all);
      expect(ofFile?.managed_by).toBe('file');
      const answer = await call('DELETE', `${path}/${encodeURIComponent(String(ofFile?.id))}`);
      expect([answer.status, answer.json.error.code]).toEqual([409, 'managed_by_file']);
    });

    it.each([
      ['name', { scopes: ['logs'] }],
      ['scopes', { name: 'x' }],
      ['scopes', { name: 'x', scopes: [] }],
      ['scopes.0', { name: 'x', scopes: ['all'] }],
      ['key', { name: 'x', scopes: ['logs'], key: 'sk-mine' }],
    ])('refuses a wrong %s', async (path, body) => {
      const answer = await call('POST', `/api/projects/${PROJECT}/api-keys`, { body });
      expect([answer.status, answer.json.error.details[0].path]).toEqual([400, path]);
    });
  });

  it('accepts what it showed, and ignores the fields that are read-only', async () => {
    const project = `/api/projects/${await makeProject()}`;
    const key = await call('POST', `${project}/api-keys`, { body: { name: 'app', scopes: ['logs'] } });
    await call('POST', `${project}/endpoints`, { body: ENDPOINT });
    const paths = [project, `${project}/api-keys/${key.json.id}`, `${project}/endpoints/${ENDPOINT.name}`];
    for (const path of paths) {
      const shown = await call('GET', path);
      const headers = { 'if-match': String(shown.headers.etag) };
      const body = { ...shown.json, managed_by: 'file' };
      const answer = await call('PUT', path, { body, headers });
      expect([answer.status, answer.json]).toEqual([200, shown.json]);
      expect((await call('GET', path)).json).toEqual(shown.json);
    }
  });

  it('refuses to overwrite what somebody else changed in the meantime', async () => {
    const uid = await makeProject();
    const path = `/api/projects/${uid}`;
    const etag = String((await call('GET', path)).headers.etag);
    const put = (name: string, headers?: Record<string, string>) =>
      call('PUT', path, { body: { name }, headers });
    expect((await put(v4())).json.error.code).toBe('precondition_required');
    expect((await put(v4(), { 'if-match': etag })).status).toBe(200);
    for (const stale of [etag, '"x"']) {
      const answer = await put(v4(), { 'if-match': stale });
      expect([answer.status, answer.json.error.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await call('DELETE', path, { headers: { 'if-match': etag } })).status).toBe(412);
    const fresh = String((await call('GET', path)).headers.etag);
    const both = await Promise.all([1, 2].map(async () => put(v4(), { 'if-match': fresh })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('refuses the version of something that was deleted and made again under the same name', async () => {
    const endpoints = `/api/projects/${await makeProject()}/endpoints`;
    const make = () => call('POST', endpoints, { body: ENDPOINT });
    const headers = { 'if-match': String((await make()).headers.etag) };
    const path = `${endpoints}/${ENDPOINT.name}`;
    await call('DELETE', path);
    await make();
    expect((await call('PUT', path, { body: ENDPOINT, headers })).json.error.code).toBe(
      'precondition_failed',
    );
    expect((await call('DELETE', path, { headers })).json.error.code).toBe('precondition_failed');
  });

  it('records who changed what', async () => {
    const uid = await makeProject('audited');
    await call('PUT', `/api/projects/${uid}`, { body: { name: 'renamed' }, headers: { 'if-match': '*' } });
    const first = await call('GET', `/api/audit?project_uid=${uid}&limit=1`);
    const rest = await call('GET', `/api/audit?project_uid=${uid}&cursor=${first.json.next_cursor}`);
    const entries = [...first.json.data, ...rest.json.data];
    expect(entries.map(({ action, before, after }) => [action, before?.name, after?.name])).toEqual([
      ['project.update', 'audited', 'renamed'],
      ['project.create', undefined, 'audited'],
    ]);
    expect(entries[0]).toMatchObject({ actor: 'root', target: uid, project_uid: uid });
  });

  it('lists plugins, but cannot change them, since they are code', async () => {
    const { data } = (await call('GET', '/api/plugins')).json;
    expect(data[0]).toMatchObject({
      name: 'webhook',
      phases: ['request', 'response', 'log'],
      managed_by: 'file',
    });
    expect((await call('POST', '/api/plugins', { body: {} })).json.error.code).toBe('managed_by_file');
  });

  it('needs an admin key', async () => {
    for (const [key, status] of [
      [null, 401],
      ['sk-unknown', 401],
      [KEYS.all, 403],
    ] as const) {
      for (const path of [
        '/api/projects',
        `/api/projects/${PROJECT}/endpoints`,
        '/api/plugins',
        '/api/audit',
      ]) {
        expect((await call('GET', path, { key })).status).toBe(status);
      }
    }
  });

  it('answers 404 for what does not exist', async () => {
    const paths = [v4(), 'x', `${PROJECT}/api-keys/x`, `${PROJECT}/endpoints/none`, `${v4()}/endpoints`];
    for (const path of paths) expect((await call('GET', `/api/projects/${path}`)).status).toBe(404);
    expect((await call('GET', '/nothing/here/at/all')).json.error.code).toBe('not_found');
  });

  it('makes its changes known to other processes', async () => {
    const elsewhere = connectStore({ uri: api.test.uri, logger: silentLogger });
    const stopping = new AbortController();
    let changes = 0;
    elsewhere.directory.watch(() => {
      changes++;
    }, stopping.signal);
    await expect.poll(() => changes, { timeout: 20_000 }).toBe(1);
    const uid = await makeProject();
    await expect.poll(() => changes, { timeout: 20_000 }).toBe(2);
    const { projects } = await elsewhere.directory.load();
    expect(projects.some((project) => project.uid === uid)).toBe(true);
    stopping.abort();
    await elsewhere.close();
  });
});
