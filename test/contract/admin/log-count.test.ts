import { describe, expect, it } from 'vitest';
import { openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

describe.skipIf(missingMongod !== null)('counting logs', () => {
  it('accepts every filter, and counts only logs of the project', async () => {
    const api = await openAdminApi();
    await api.store.logs.insertMany([
      logRecord({ tags: ['a'] }),
      logRecord({ tags: ['a', 'b'] }),
      logRecord(),
    ]);
    const count = async (query: string) => (await api.call('GET', `/${PROJECT}/logs/count${query}`)).json;
    expect(await count('')).toEqual({ count: 3, at_least: false });
    expect(await count('?tags_all=a&tags_none=b')).toEqual({ count: 1, at_least: false });
    expect((await count('?limit=3')).error.code).toBe('invalid_request');
    await api.close();
  });
});
