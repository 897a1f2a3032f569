import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/core/log-record.js';
import { type AdminApi, openAdminApi, PROJECT } from '../support/admin-api.js';
import { logRecord } from '../support/log-record.js';
import { missingMongod } from '../support/mongod.js';

describe.skipIf(missingMongod !== null)('two people who change one log', () => {
  let api: AdminApi;
  let record: LogRecord;

  beforeAll(async () => {
    api = await openAdminApi();
    record = logRecord({ metadata: { 'a.b': 1 }, tags: ['x'] });
    await api.store.logs.insertMany([record]);
  });

  afterAll(() => api.close());

  const read = async () => {
    const { headers } = await api.call('GET', `/${PROJECT}/logs/${record._id}`);
    return headers.etag as string;
  };
  const patch = (body: unknown, version?: string, path = `/${PROJECT}/log/${record._id}`) =>
    api.call('PATCH', path, { body, headers: version === undefined ? {} : { 'if-match': version } });

  it('are told: the second change is 412 and changes nothing', async () => {
    const version = await read();
    const first = await patch({ quality_rating: '👍' }, version);
    expect([first.status, first.headers.etag]).toEqual([200, await read()]);
    const second = await patch({ metadata: {} }, version);
    expect([second.status, second.json.error.code]).toEqual([412, 'precondition_failed']);
    expect((await api.store.logs.get({ id: record._id }))?.metadata).toEqual({ 'a.b': 1 });
    expect((await patch({ metadata: {} }, first.headers.etag as string)).status).toBe(200);
  });

  it('change it one after the other, however close they come', async () => {
    const version = await read();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((tag) => patch({ metadata_tags: [tag] }, version)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 412, 412, 412]);
  });

  it('need not care: without a version the last change holds', async () => {
    expect((await patch({ quality_rating: null })).status).toBe(200);
    expect((await patch({ quality_rating: '👎' }, '*')).status).toBe(200);
    expect((await patch({ quality_rating: null }, '"no version"', `/log/${record._id}`)).status).toBe(412);
  });

  it('see feedback come without a conflict: it is no change of theirs', async () => {
    const version = await read();
    await api.call('POST', `/${PROJECT}/feedback/${record._id}`, { body: { score: 1, weight: 1 } });
    expect(await read()).toBe(version);
  });
});

describe.skipIf(missingMongod !== null)('counting logs', () => {
  it('takes every filter, and counts those of the project', async () => {
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
