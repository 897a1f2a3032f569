import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminApi, type CallOptions, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { missingMongod } from '../../support/mongod.js';

const ENDPOINT = { name: 'chat', models: [{ provider: 'local', model: 'large' }] };

describe.skipIf(missingMongod !== null)('administration of endpoints', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  const call = (method: string, path: string, options: CallOptions = {}) =>
    api.call(method, path, { key: KEYS.admin, ...options });

  async function makeProject(): Promise<string> {
    const answer = await call('POST', '/api/projects', { body: { name: v4() } });
    expect(answer.status).toBe(201);
    return answer.json.uid;
  }

  it('accepts an endpoint as it is written in sluice.yaml, and shows it with its defaults', async () => {
    const uid = await makeProject();
    const path = `/api/projects/${uid}/endpoints`;
    const made = await call('POST', path, { body: ENDPOINT });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      name: 'chat',
      timeout_ms: 60_000,
      log_content: 'masked',
      managed_by: 'api',
    });
    expect((await call('GET', `${path}/chat`)).json).toEqual(made.json);
    expect((await call('GET', path)).json.data).toEqual([made.json]);
    expect(api.directory.project(uid)?.endpoints.get('chat')).toMatchObject({ timeout_ms: 60_000 });
    const again = await call('POST', path, { body: ENDPOINT });
    expect([again.status, again.json.error.code]).toEqual([409, 'already_exists']);
    expect((await call('DELETE', `${path}/chat`)).status).toBe(204);
    expect(api.directory.project(uid)?.endpoints.size).toBe(0);
  });

  it('refuses an endpoint name that would make its URL that of the project, since deleting it would delete the project', async () => {
    const path = `/api/projects/${await makeProject()}/endpoints`;
    for (const name of ['.', '..']) {
      const answer = await call('POST', path, { body: { ...ENDPOINT, name } });
      expect(answer).toMatchObject({ status: 400, json: { error: { param: 'name' } } });
    }
    expect((await call('POST', path, { body: { ...ENDPOINT, name: '...' } })).status).toBe(201);
  });

  it('adds endpoints to a project of the file, but cannot change those from the file', async () => {
    const path = `/api/projects/${PROJECT}/endpoints`;
    expect((await call('POST', path, { body: ENDPOINT })).status).toBe(201);
    const listed: { name: string; managed_by: string }[] = (await call('GET', path)).json.data;
    expect(listed.map(({ name, managed_by }) => `${name} ${managed_by}`)).toEqual([
      'support file',
      'chat api',
    ]);
    const body = { ...ENDPOINT, name: 'support' };
    expect((await call('POST', path, { body })).json.error.code).toBe('already_exists');
    expect((await call('PUT', `${path}/support`, { body })).json.error.code).toBe('managed_by_file');
    expect((await call('DELETE', `${path}/support`)).json.error.code).toBe('managed_by_file');
  });

  it('refuses what the schema or a reference says is wrong', async () => {
    const post = (body: object) => call('POST', `/api/projects/${PROJECT}/endpoints`, { body });
    const wrong = await post({ ...ENDPOINT, name: 'w', timeout: 1, log_content: 'all' });
    const paths = wrong.json.error.details.map((detail: { path: string }) => detail.path);
    expect([wrong.status, paths.sort()]).toEqual([400, ['log_content', 'timeout']]);
    const reference = await post({ name: 'w', models: [{ provider: 'nobody', model: 'x' }] });
    expect([reference.status, reference.json.error.details[0].path]).toEqual([400, 'models.0.provider']);
  });

  it('never shows the secrets of a plugin, and keeps them when the client sends back the hidden form', async () => {
    const uid = await makeProject();
    const path = `/api/projects/${uid}/endpoints`;
    const config = { url: 'https://hook.example', headers: { authorization: 'Bearer s3cret' } };
    const made = await call('POST', path, {
      body: { ...ENDPOINT, plugins: [{ plugin: 'webhook', config }] },
    });
    expect(made.json.plugins[0].config).toEqual({ ...config, headers: { authorization: '[redacted]' } });
    const { managed_by, ...shown } = made.json;
    const changed = await call('PUT', `${path}/chat`, {
      body: { ...shown, timeout_ms: 5 },
      headers: { 'if-match': String(made.headers.etag) },
    });
    expect(changed.status).toBe(200);
    const everything = [made, changed, await call('GET', path), await call('GET', '/api/audit')];
    for (const { text } of everything) expect(text).not.toContain('s3cret');
    expect(api.directory.project(uid)?.endpoints.get('chat')?.plugins[0]?.config).toEqual(config);
  });

  it('keeps each secret with its own plugin when plugins before it are removed or moved', async () => {
    const uid = await makeProject();
    const path = `/api/projects/${uid}/endpoints`;
    const hook = (name: string) => ({
      plugin: 'webhook',
      config: { url: `https://${name}.example`, headers: { authorization: `secret of ${name}` } },
    });
    const made = await call('POST', path, { body: { ...ENDPOINT, plugins: ['a', 'b', 'c'].map(hook) } });
    const [, b, c] = made.json.plugins;
    const changed = { ...c, config: { ...c.config, headers: { ...c.config.headers, 'x-new': 'new' } } };
    await call('PUT', `${path}/chat`, {
      body: { ...ENDPOINT, plugins: [changed, b] },
      headers: { 'if-match': String(made.headers.etag) },
    });
    const [first, second] = api.directory.project(uid)?.endpoints.get('chat')?.plugins ?? [];
    expect(first?.config.headers).toEqual({ authorization: 'secret of c', 'x-new': 'new' });
    expect(second?.config).toEqual(hook('b').config);
  });

  it('sends no secret to an address other than the one that it was set for', async () => {
    const uid = await makeProject();
    const path = `/api/projects/${uid}/endpoints`;
    const config = { url: 'https://hook.example', headers: { authorization: 's3cret' } };
    const made = await call('POST', path, {
      body: { ...ENDPOINT, plugins: [{ plugin: 'webhook', config }] },
    });
    const moved = { url: 'https://other.example', headers: { authorization: '[redacted]' } };
    const changed = await call('PUT', `${path}/chat`, {
      body: { ...ENDPOINT, plugins: [{ plugin: 'webhook', config: moved }] },
      headers: { 'if-match': String(made.headers.etag) },
    });
    expect([changed.status, changed.json.error.details[0].path]).toEqual([400, 'plugins.0.config']);
    expect(api.directory.project(uid)?.endpoints.get('chat')?.plugins[0]?.config).toEqual(config);
  });

  it('refuses an endpoint whose name in the body is not that in the path', async () => {
    const uid = await makeProject();
    await call('POST', `/api/projects/${uid}/endpoints`, { body: ENDPOINT });
    const answer = await call('PUT', `/api/projects/${uid}/endpoints/chat`, {
      body: { ...ENDPOINT, name: 'other' },
      headers: { 'if-match': '*' },
    });
    expect([answer.status, answer.json.error.details[0].path]).toEqual([400, 'name']);
    const { name, ...nameless } = ENDPOINT;
    const changed = await call('PUT', `/api/projects/${uid}/endpoints/${name}`, {
      body: { ...nameless, timeout_ms: 5 },
      headers: { 'if-match': '*' },
    });
    expect(changed.json).toMatchObject({ name, timeout_ms: 5 });
  });
});
