import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminApi, type CallOptions, KEYS, openAdminApi } from '../../support/admin-api.js';
import { missingMongod } from '../../support/mongod.js';

const ENDPOINT = { name: 'chat', models: [{ provider: 'local', model: 'large' }] };
const listsOf = (uid: string) => [
  '/api/projects',
  `/api/projects/${uid}/api-keys`,
  `/api/projects/${uid}/endpoints`,
  '/api/plugins',
];

describe.skipIf(missingMongod !== null)('the lists of administration', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  const call = (method: string, path: string, options: CallOptions = {}) =>
    api.call(method, path, { key: KEYS.admin, ...options });

  async function makeProject(): Promise<string> {
    return (await call('POST', '/api/projects', { body: { name: v4() } })).json.uid;
  }

  async function pagesOf(path: string, limit: number): Promise<string[]> {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const behind: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, json } = await call('GET', `${path}?limit=${limit}${behind}`);
      expect(status).toBe(200);
      expect(json.data.length).toBeLessThanOrEqual(limit);
      seen.push(
        ...json.data.map((one: { id?: string; uid?: string; name: string }) => one.id ?? one.uid ?? one.name),
      );
      cursor = json.next_cursor;
    }
    return seen;
  }

  it('come in pages, which together are the list', async () => {
    const uid = await makeProject();
    for (const name of ['c', 'a', 'b', 'e', 'd']) {
      await call('POST', `/api/projects/${uid}/api-keys`, { body: { name, scopes: ['logs'] } });
      await call('POST', `/api/projects/${uid}/endpoints`, { body: { ...ENDPOINT, name } });
    }
    for (const path of listsOf(uid)) {
      const whole = await pagesOf(path, 200);
      expect(whole.length).toBeGreaterThan(0);
      expect(await pagesOf(path, 2), path).toEqual(whole);
    }
  });

  it('continue at the right place though the last item was deleted and others were added', async () => {
    const uid = await makeProject();
    const path = `/api/projects/${uid}/endpoints`;
    for (const name of ['c', 'a', 'b']) await call('POST', path, { body: { ...ENDPOINT, name } });
    const first = (await call('GET', `${path}?limit=2`)).json;
    await call('DELETE', `${path}/a`);
    await call('POST', path, { body: { ...ENDPOINT, name: 'd' } });
    const rest = (await call('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json;
    expect(rest.data.map(({ name }: { name: string }) => name)).toEqual(['b', 'd']);
    expect(rest.next_cursor).toBeNull();
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'cursor=x', 'cursor=', 'page=2'])(
    'refuse %s',
    async (query) => {
      const uid = await makeProject();
      for (const path of listsOf(uid)) {
        const { status, json } = await call('GET', `${path}?${query}`);
        expect([status, json.error?.code], path).toEqual([400, 'invalid_request']);
      }
    },
  );
});
