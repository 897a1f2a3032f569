import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.js';
import { type AdminApi, KEYS, OTHER_PROJECT, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { missingMongod } from '../../support/mongod.js';

const OWN_PAGE = { 'x-sluice-csrf': '1', 'sec-fetch-site': 'same-origin' };
const HOUR_MS = 3_600_000;

describe.skipIf(missingMongod !== null)('signing in with a key', () => {
  let api: AdminApi;
  let passedMs = 0;
  const clock = { now: () => Date.now() + passedMs, monotonic: () => systemClock.monotonic() + passedMs };

  beforeAll(async () => {
    api = await openAdminApi({ clock, rateLimit: { perKey: 1_000_000, perAddress: 1_000_000 } }, clock);
  });

  afterAll(() => api.close());

  const signIn = (key: string, headers = {}) =>
    api.call('POST', '/api/session', { key: null, body: { key }, headers });
  const cookieOf = async (key: string) =>
    String((await signIn(key)).headers['set-cookie']).split(';')[0] ?? '';
  const withCookie = (cookie: string, headers = {}) => ({ key: null, headers: { cookie, ...headers } });

  it('sets a cookie that scripts and other sites cannot use, and that contains no information', async () => {
    const { status, text, headers } = await signIn(KEYS.admin);
    expect([status, text]).toEqual([204, '']);
    expect(headers['set-cookie']).toMatch(
      /^sluice_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect((await signIn(KEYS.admin, { 'x-forwarded-proto': 'https' })).headers['set-cookie']).toMatch(
      /; Secure$/,
    );
    const kept = await api.test.database.collection('sessions').find().toArray();
    const secret = String(headers['set-cookie']).slice(15, 58);
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(JSON.stringify(kept)).not.toContain(KEYS.admin);
  });

  it('says who is signed in', async () => {
    const admin = await api.call('GET', '/api/session', withCookie(await cookieOf(KEYS.admin)));
    expect(admin.json).toMatchObject({
      kind: 'admin',
      name: 'root',
      scopes: ['inference', 'feedback', 'logs'],
    });
    expect(admin.json.project_uid).toBeUndefined();
    const project = await api.call('GET', '/api/session', withCookie(await cookieOf(KEYS.logs)));
    expect(project.json).toMatchObject({
      kind: 'project',
      project_uid: PROJECT,
      project_name: 'demo',
      endpoints: ['support'],
      name: KEYS.logs,
      scopes: ['logs'],
    });
    expect(Date.parse(project.json.expires_at)).toBeGreaterThan(clock.now());
    expect((await api.call('GET', '/api/session', { key: null })).status).toBe(401);
  });

  it('allows what the key allows, and no more', async () => {
    const admin = await cookieOf(KEYS.admin);
    expect((await api.call('GET', '/api/projects', withCookie(admin))).status).toBe(200);
    const project = await cookieOf(KEYS.logs);
    expect((await api.call('GET', `/${PROJECT}/logs`, withCookie(project))).status).toBe(200);
    expect((await api.call('GET', `/${OTHER_PROJECT}/logs`, withCookie(project))).status).toBe(401);
    expect((await api.call('GET', '/api/projects', withCookie(project))).status).toBe(403);
  });

  it('needs a key that reads logs', async () => {
    const { status, json } = await signIn(KEYS.inference);
    expect([status, json.error.code]).toEqual([403, 'insufficient_scope']);
  });

  describe('a change with a session', () => {
    const bulk = { ids: ['018f0000-0000-7000-8000-000000000000'], add_tags: ['a'] };
    const change = async (headers: Record<string, string>) => {
      const { key, ...options } = withCookie(await cookieOf(KEYS.logs), headers);
      return api.call('POST', `/${PROJECT}/logs/bulk`, { key, body: bulk, ...options });
    };

    it.each([
      ['of our page', OWN_PAGE],
      [
        'of our page, over plain http',
        { 'x-sluice-csrf': '1', origin: 'http://here:8081', host: 'here:8081' },
      ],
      // Browsers say where a change comes from.
      ['of a program, such as curl', {}],
    ])('succeeds where it is %s', async (_, headers) => {
      expect((await change(headers)).status).toBe(200);
    });

    it.each([
      ['without the header', { 'sec-fetch-site': 'same-origin' }],
      ['of another site', { 'x-sluice-csrf': '1', 'sec-fetch-site': 'cross-site' }],
      ['of another port of this machine', { 'x-sluice-csrf': '1', 'sec-fetch-site': 'same-site' }],
      ['of another origin', { 'x-sluice-csrf': '1', origin: 'http://there:8081', host: 'here:8081' }],
      ['of no origin', { 'x-sluice-csrf': '1', origin: 'null', host: 'here:8081' }],
      ['of another site that sends a form', { origin: 'https://evil.example' }],
      ['of a page that hides its origin', { referer: 'https://evil.example/' }],
    ])('is refused where it is one %s', async (_, headers) => {
      const { status, json } = await change(headers);
      expect([status, json.error.code]).toEqual([403, 'cross_site_request']);
    });

    it('needs none of these headers with a key instead of a session', async () => {
      expect((await api.call('POST', `/${PROJECT}/logs/bulk`, { body: bulk })).status).toBe(200);
    });
  });

  it('is refused from a page of another site', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await signIn(KEYS.admin, headers)).status).toBe(403);
  });

  it('ends with signing out', async () => {
    const cookie = await cookieOf(KEYS.admin);
    const out = await api.call('DELETE', '/api/session', withCookie(cookie, OWN_PAGE));
    expect([out.status, out.headers['set-cookie']]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    const { status, json } = await api.call('GET', '/api/projects', withCookie(cookie));
    expect([status, json.error.message]).toEqual([401, 'The session has ended. Sign in again.']);
  });

  it('ends with its key', async () => {
    const path = `/api/projects/${PROJECT}/api-keys`;
    const made = await api.call('POST', path, { key: KEYS.admin, body: { name: 'brief', scopes: ['logs'] } });
    const cookie = await cookieOf(made.json.key);
    expect((await api.call('GET', `/${PROJECT}/logs`, withCookie(cookie))).status).toBe(200);
    await api.call('DELETE', `${path}/${made.json.id}`, { key: KEYS.admin });
    expect((await api.call('GET', `/${PROJECT}/logs`, withCookie(cookie))).status).toBe(401);
  });

  it('outlives a restart', async () => {
    const cookie = await cookieOf(KEYS.admin);
    const second = await openAdminApi({}, systemClock, api.test);
    expect((await second.call('GET', '/api/projects', withCookie(cookie))).status).toBe(200);
    await second.close();
  });

  it('lasts as long as it is used, 12 hours without use, and a week at most', async () => {
    const [idle, used] = [await cookieOf(KEYS.admin), await cookieOf(KEYS.admin)];
    const look = async (cookie: string) => (await api.call('GET', '/api/session', withCookie(cookie))).status;
    passedMs += 11 * HOUR_MS;
    expect(await look(used)).toBe(200);
    passedMs += 2 * HOUR_MS;
    expect([await look(idle), await look(used)]).toEqual([401, 200]);
    for (let hours = 13; hours < 7 * 24 - 11; hours += 11) {
      passedMs += 11 * HOUR_MS;
      expect(await look(used)).toBe(200);
    }
    passedMs += 11 * HOUR_MS;
    expect(await look(used)).toBe(401);
  });

  it('keeps at most a hundred sessions of a key', async () => {
    const first = await cookieOf(KEYS.other);
    for (let count = 0; count < 100; count++) await cookieOf(KEYS.other);
    expect((await api.call('GET', '/api/session', withCookie(first))).status).toBe(401);
    expect(await api.test.database.collection('sessions').countDocuments()).toBeLessThan(150);
  });

  it('is slowed down for an address with many wrong keys, and never for a right one', async () => {
    for (let count = 0; count < 5; count++) expect((await signIn(`sk-wrong-${count}`)).status).toBe(401);
    const { status, json, headers } = await signIn('sk-wrong');
    expect([status, json.error.code, headers['retry-after']]).toEqual([429, 'rate_limited', '1']);
    expect((await signIn(KEYS.admin)).status).toBe(204);
  });
});
