import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminApi, openAdminApi } from '../support/admin-api.js';
import { missingMongod } from '../support/mongod.js';

describe.skipIf(missingMongod !== null)('the description of the admin API', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  it('is OpenAPI 3.1, needs no key, and changes only on purpose', async () => {
    const { status, json } = await api.call('GET', '/openapi.json', { key: null });
    expect([status, json.openapi]).toEqual([200, '3.1.0']);
    await expect(`${JSON.stringify(json, null, 2)}\n`).toMatchFileSnapshot('../fixtures/openapi.json');
  });

  it('names every route with its answers and errors', async () => {
    const { json } = await api.call('GET', '/openapi.json', { key: null });
    const operations = Object.entries(
      json.paths as Record<string, Record<string, { responses: object }>>,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({ path, method, responses })),
    );
    expect(operations.length).toBeGreaterThan(30);
    for (const { path, method, responses } of operations) {
      if (path.startsWith('/healthz')) continue;
      expect(Object.keys(responses), `${method} ${path}`).toEqual(expect.arrayContaining(['4XX', '5XX']));
    }
  });

  it('says what each group of routes is for', async () => {
    const { json } = await api.call('GET', '/openapi.json', { key: null });
    const methods = Object.values(json.paths as Record<string, Record<string, { tags?: string[] }>>);
    const used = new Set(methods.flatMap((path) => Object.values(path).flatMap(({ tags = [] }) => tags)));
    const described = (json.tags as { name: string; description: string }[]).map(({ name }) => name);
    expect([...used].sort()).toEqual(described.sort());
  });

  it('has JSON Schemas of the bodies, which are not loaded when the service starts', async () => {
    const { json } = await api.call('GET', '/openapi.json', { key: null });
    const ajv = new Ajv2020({ strict: false });
    const schemas = [...schemasIn(json.paths)];
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of schemas) {
      expect(ajv.validateSchema(schema as object), JSON.stringify(schema)).toBe(true);
    }
  });

  it('has pages that load nothing from other hosts', async () => {
    const page = await api.call('GET', '/docs', { key: null });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https:|upgrade-insecure-requests|swagger\.io/);
    expect(page.status).toBe(200);
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(source).not.toMatch(/^(https?:)?\/\//);
  });

  it('is linked from the first page', async () => {
    const page = await api.call('GET', '/', { key: null });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('/docs');
  });
});

/** What stands under `schema`, at any depth. */
function* schemasIn(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'schema') yield member;
    else yield* schemasIn(member);
  }
}
