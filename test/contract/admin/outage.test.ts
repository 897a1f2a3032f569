import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservePort } from '../../../src/local/ports.js';
import { connectStore, type Store } from '../../../src/store/store.js';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { missingMongod } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

describe.skipIf(missingMongod !== null)('the admin API while MongoDB is away', () => {
  let api: AdminApi;
  let away: Store;

  beforeAll(async () => {
    // Nobody listens on a port that is reserved.
    const { port } = await reservePort();
    away = connectStore({ uri: `mongodb://127.0.0.1:${port}/test`, logger: silentLogger });
    api = await openAdminApi({ store: away });
  });

  afterAll(async () => {
    await api.close();
    await away.close();
  });

  const id = v7();
  const calls: [string, string, object?][] = [
    ['POST', `/${PROJECT}/feedback/${id}`, { score: 1, weight: 1 }],
    ['GET', `/${PROJECT}/logs/${id}/feedback`],
    ['DELETE', `/${PROJECT}/logs/${id}/feedback/${id}`],
    ['PATCH', `/log/${id}`, { quality_rating: null }],
    ['PATCH', `/${PROJECT}/log/${id}`, { quality_rating: null }],
    ['GET', `/${PROJECT}/logs`],
    ['GET', `/${PROJECT}/logs/${id}`],
    ['POST', `/${PROJECT}/logs/bulk`, { filter: {}, add_tags: ['a'] }],
    ['GET', `/${PROJECT}/jobs/${id}`],
    ['GET', `/${PROJECT}/tags`],
    ['GET', `/${PROJECT}/exports/sft.jsonl`],
    ['GET', '/api/projects'],
    ['POST', '/api/projects', { name: 'x' }],
    ['POST', `/api/projects/${PROJECT}/api-keys`, { name: 'x', scopes: ['logs'] }],
    ['GET', '/api/audit'],
  ];

  it('answers every read and write with 503', async () => {
    const answers = await Promise.all(
      calls.map(async ([method, path, body]) => {
        const { status, json } = await api.call(method, path, { body, key: KEYS.admin });
        return `${method} ${path} ${status} ${json?.error.code}`;
      }),
    );
    expect(answers).toEqual(calls.map(([method, path]) => `${method} ${path} 503 storage_unavailable`));
  });

  it('still accepts keys, and shows what is in the file', async () => {
    expect((await api.call('GET', `/${PROJECT}/logs`, { key: 'sk-unknown' })).status).toBe(401);
    expect((await api.call('GET', `/api/projects/${PROJECT}`, { key: KEYS.admin })).status).toBe(200);
    expect((await api.call('GET', '/healthz/live', { key: null })).status).toBe(200);
  });
});
