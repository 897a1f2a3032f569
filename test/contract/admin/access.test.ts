import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declareAccess } from '../../../src/admin/access/access.js';
import type { AdminServer } from '../../../src/admin/admin-server.js';
import { SCOPES } from '../../../src/core/settings.js';
import { type AdminApi, KEYS, OTHER_PROJECT, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

interface Operation {
  'x-access': string;
  parameters?: { name: string; in: string }[];
}

const description = JSON.parse(
  readFileSync(new URL('../../fixtures/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, Operation>> };

const ROUTES = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    access: operation['x-access'],
  })),
);

const NOBODY_KNOWS = '018f0000-0000-7000-8000-000000000000';
const refusals = (status: number) => (status === 401 || status === 403 ? status : 'let in');

describe('a route that declares no access', () => {
  it('keeps the server from starting, and is named', async () => {
    const server = Fastify();
    declareAccess(server as unknown as AdminServer, undefined as never);
    server.get('/open', { config: { access: 'public' } }, async () => 'open');
    server.get('/forgotten', async () => 'secret');
    await expect(server.ready()).rejects.toThrow('routes that declare no access: GET /forgotten');
  });
});

describe.skipIf(missingMongod !== null)('who may call each route of the admin API', () => {
  let api: AdminApi;
  let logId: string;

  beforeAll(async () => {
    api = await openAdminApi({ rateLimit: { perKey: 1_000_000, perAddress: 1_000_000 } });
    const record = logRecord({ project_uid: PROJECT });
    logId = record._id;
    await api.store.logs.insertMany([record]);
  });

  afterAll(() => api.close());

  const askedBy = async ({ method, path }: (typeof ROUTES)[number], key: string | null) => {
    const url = path.replace('{project_uid}', PROJECT).replaceAll(/\{[^}]+\}/g, NOBODY_KNOWS);
    const { status, text, headers } = await api.call(method, url, { key });
    return { status, text, type: headers['content-type'] };
  };

  /** Whether a key is refused; what a route does beyond its door does not matter. The body fits a patch alone. */
  const knock = async (route: (typeof ROUTES)[number], key: string | null, project = PROJECT) => {
    const url = route.path
      .replace('{project_uid}', project)
      .replace('/log/{log_id}', `/log/${logId}`)
      .replaceAll(/\{[^}]+\}/g, NOBODY_KNOWS);
    const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : '{"quality_rating":null}';
    const answer = await api.call(route.method, url, {
      key,
      body,
      headers: { 'if-match': '"r0"' },
    });
    return refusals(answer.status);
  };

  /** By HEAD a route answers as by GET, without the body; what has no end, or is long, is for GET alone. */
  it.each(ROUTES.filter(({ method }) => method === 'GET'))(
    'is the same for HEAD as for GET: $name',
    async (route) => {
      const isLong = /\/(?:events|directory|[a-z]+[.]jsonl)$/.test(route.path);
      const head = { ...route, method: 'HEAD' };
      for (const key of [null, 'sk-wrong', ...SCOPES.map((scope) => KEYS[scope]), KEYS.other, KEYS.admin]) {
        if (isLong) expect(await askedBy(head, key)).toMatchObject({ text: '' });
        else expect(await askedBy(head, key)).toEqual({ ...(await askedBy(route, key)), text: '' });
      }
    },
  );

  it('is declared for every route, and there are many', () => {
    expect(ROUTES.length).toBeGreaterThan(35);
    for (const { name, access } of ROUTES) {
      expect(
        ['public', 'session', 'admin', 'engine', ...SCOPES.map((scope) => `scope ${scope}`)],
        name,
      ).toContain(access);
    }
  });

  describe.each(ROUTES)('$name ($access)', (route) => {
    const { access } = route;
    const isStream = route.path.endsWith('/events');
    const scope = SCOPES.find((name) => access === `scope ${name}`);

    it('without a key, or with a wrong one', async () => {
      // Signing in without a key that fits is refused by what the call does, not by its door.
      const expected = access === 'public' ? 'let in' : 401;
      expect(await knock(route, null)).toBe(expected);
      expect(await knock(route, 'sk-wrong')).toBe(expected);
      expect(await knock(route, `${KEYS.admin} `.trim().slice(0, -1))).toBe(expected);
    });

    it.each(SCOPES)('with a key of the scope %s', async (name) => {
      if (isStream && name === scope) return;
      const expected =
        { public: 'let in', session: 401, engine: 401, admin: 403 }[access] ??
        (name === scope ? 'let in' : 403);
      expect(await knock(route, KEYS[name])).toBe(expected);
    });

    it('with a key of another project', async () => {
      const expected = { public: 'let in', session: 401, engine: 401, admin: 403 }[access] ?? 401;
      if (route.path === '/log/{log_id}') {
        // The door cannot know yet whose log it is.
        const { status } = await api.call('PATCH', `/log/${logId}`, {
          key: KEYS.other,
          body: { quality_rating: '👎' },
        });
        expect([401, 404]).toContain(status);
        return;
      }
      expect(await knock(route, KEYS.other)).toBe(expected);
    });

    it('with the key of the administration', async () => {
      if (isStream) return;
      const expected = ['session', 'engine'].includes(access) ? 401 : 'let in';
      expect(await knock(route, KEYS.admin)).toBe(expected);
      expect(await knock(route, KEYS.admin, OTHER_PROJECT)).toBe(expected);
    });
  });
});
