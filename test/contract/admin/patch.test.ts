import { v4, v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7Time } from '../../../src/core/ids.js';
import type { LogRecord } from '../../../src/core/log-record.js';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

describe.skipIf(missingMongod !== null)('PATCH of a log', () => {
  let api: AdminApi;
  let record: LogRecord;

  beforeAll(async () => {
    api = await openAdminApi();
    record = logRecord({ metadata: { task: 'a' }, tags: ['task:a'] });
    await api.store.logs.insertMany([record]);
  });

  afterAll(() => api.close());

  const patch = (body: unknown, id = record._id, options = {}) =>
    api.call('PATCH', `/log/${id}`, { body, ...options });

  it('answers with the whole log', async () => {
    const answer = await patch({ metadata: { task: 'b' } });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      id: record._id,
      ...record,
      created_at: record.created_at.toISOString(),
      metadata: { task: 'b' },
    });
    expect(answer.headers['x-inference-log-id']).toBe(record._id);
  });

  it('works with the project in the path too', async () => {
    const answer = await api.call('PATCH', `/${PROJECT}/log/${record._id}`, {
      body: { quality_rating: '👎' },
    });
    expect([answer.status, answer.json.quality_rating]).toEqual([200, '👎']);
  });

  it('stores metadata with any kind of key', async () => {
    const metadata = '{"a.b":1,"$where":"x","__proto__":{"y":[1]},"👍":null,"":true}';
    const answer = await patch(`{"metadata":${metadata}}`);
    expect(JSON.stringify(answer.json.metadata)).toBe(metadata);
    const log = await api.call('GET', `/${PROJECT}/logs/${record._id}`);
    expect(log.text).toContain(`"metadata":${metadata}`);
  });

  it('sets the tags, without repeats, and the rating, also to null', async () => {
    const answer = await patch({ metadata_tags: ['x', 'y,z', 'x'], quality_rating: '👍' });
    expect(answer.json).toMatchObject({ tags: ['x', 'y,z'], quality_rating: '👍' });
    expect((await patch({ quality_rating: null })).json).toMatchObject({
      tags: ['x', 'y,z'],
      quality_rating: null,
    });
  });

  it.each([
    ['metadata', { metadata: 'x' }],
    ['metadata', { metadata: null }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: { 'a\0b': 1 } }],
    ['metadata', { metadata: { a: [{ 'b\0': 1 }] } }],
    ['metadata', { metadata: { a: 'x'.repeat(65_536) } }],
    ['metadata.a.0', '{"metadata":{"a":[1e400]}}'],
    ['metadata_tags', { metadata_tags: 'x' }],
    ['metadata_tags', { metadata_tags: null }],
    ['metadata_tags.1', { metadata_tags: ['x', 1] }],
    ['metadata_tags.0', { metadata_tags: [''] }],
    ['metadata_tags', { metadata_tags: Array(257).fill('x') }],
    ['metadata_tags.1', { metadata_tags: ['x', 'é'.repeat(32_769)] }],
    ['quality_rating', { quality_rating: 'good' }],
    ['quality_rating', { quality_rating: 1 }],
    ['tags', { tags: ['x'] }],
    ['body', {}],
    ['body', []],
  ])('refuses a wrong %s', async (path, body) => {
    const answer = await patch(body);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.json.error.details.map((detail: { path: string }) => detail.path)).toEqual([path]);
  });

  it('refuses a body that nests too deep to be worked with', async () => {
    const nested = (levels: number) => `{"metadata":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    expect((await patch(nested(998))).status).toBe(200);
    const answer = await patch(nested(5000));
    expect([answer.status, answer.json.error.details[0].path]).toEqual([400, 'body']);
  });

  it('reports only the first mistake of a body that is wrong in very many places', async () => {
    const answer = await patch({ metadata_tags: Array(100_000).fill(1) });
    expect([answer.status, answer.json.error.details.length]).toEqual([400, 1]);
  });

  it('explains what a rating may be', async () => {
    const { json } = await patch({ quality_rating: 'up' });
    expect(json.error.details).toEqual([{ path: 'quality_rating', message: 'must be "👍" or "👎" or null' }]);
  });

  it('refuses a malformed id, and explains the form of an id', async () => {
    const answer = await patch({ quality_rating: null }, 'x');
    expect([answer.status, answer.json.error.details[0].path]).toEqual([400, 'log_id']);
    expect(answer.json.error.message).toContain('a UUID');
    expect(uuidV7Time(answer.headers['x-inference-log-id'] as string)).toBeDefined();
  });

  it.each([
    ['no key', null, 401, 'invalid_api_key'],
    ['an unknown key', 'sk-unknown', 401, 'invalid_api_key'],
    ['a key without the scope', KEYS.feedback, 403, 'insufficient_scope'],
    ['a key with the scope', KEYS.logs, 200, undefined],
    ['an admin key', KEYS.admin, 200, undefined],
  ])('with %s', async (_case, key, status, code) => {
    for (const path of [`/log/${record._id}`, `/${PROJECT}/log/${record._id}`]) {
      const answer = await api.call('PATCH', path, { body: { quality_rating: null }, key });
      expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
      expect(answer.headers['x-inference-log-id']).toBe(record._id);
    }
  });

  it('with a key of another project is answered as if the log did not exist', async () => {
    const body = { quality_rating: null };
    const told = async (id: string) => {
      const { status, text } = await api.call('PATCH', `/log/${id}`, { body, key: KEYS.other });
      return [status, text.replaceAll(id, '<id>')];
    };
    expect((await told(record._id))[0]).toBe(404);
    expect(await told(record._id)).toEqual(await told(v7({ msecs: Date.now() - 3_600_000 })));
    const inProject = await api.call('PATCH', `/${PROJECT}/log/${record._id}`, { body, key: KEYS.other });
    expect(inProject.status).toBe(401);
  });

  it('does not wait for a log whose id is old or was not made by Sluice', async () => {
    for (const id of [v7({ msecs: Date.now() - 3_600_000 }), v4()]) {
      expect((await patch({ quality_rating: null }, id)).json.error.code).toBe('not_found');
    }
  });

  it('waits for a log that lands in time', async () => {
    const late = logRecord();
    const answer = patch({ quality_rating: '👍' }, late._id);
    await api.store.logs.insertMany([late]);
    expect((await answer).json).toMatchObject({ _id: late._id, quality_rating: '👍' });
  });

  it('gives up waiting for a log that does not land', async () => {
    expect((await patch({ quality_rating: '👍' }, v7())).status).toBe(404);
    const inProject = await api.call('PATCH', `/${PROJECT}/log/${v7()}`, { body: { quality_rating: '👍' } });
    expect(inProject.status).toBe(404);
  });

  describe('for two people who edit the same log', () => {
    const setUp = async () => {
      const { _id: id, project_uid } = logRecord();
      await api.store.logs.insertMany([logRecord({ _id: id, project_uid })]);
      const { headers } = await api.call('GET', `/${PROJECT}/logs/${id}`);
      return { id, etag: String(headers.etag) };
    };
    const byPath = (id: string) => [`/log/${id}`, `/${PROJECT}/log/${id}`];

    it('tells the second one that the log was changed, and changes nothing', async () => {
      for (const at of [0, 1]) {
        const { id, etag } = await setUp();
        const path = byPath(id)[at] as string;
        const edit = (body: object, version: string) =>
          api.call('PATCH', path, { body, headers: { 'if-match': version } });
        const first = await edit({ metadata_tags: ['first'] }, etag);
        expect([first.status, first.headers.etag === etag]).toEqual([200, false]);
        const second = await edit({ metadata_tags: ['second'] }, etag);
        expect([second.status, second.json.error.code]).toEqual([412, 'precondition_failed']);
        const now = await api.call('GET', `/${PROJECT}/logs/${id}`);
        expect([now.json.tags, now.headers.etag]).toEqual([['first'], first.headers.etag]);
        expect((await edit({ metadata_tags: ['second'] }, String(now.headers.etag))).status).toBe(200);
      }
    });

    it('lets exactly one of many at the same time succeed', async () => {
      const { id, etag } = await setUp();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          patch({ metadata: { index } }, id, { headers: { 'if-match': etag } }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    });

    it('is refused after a bulk change too, but not after feedback, which overwrites nothing', async () => {
      const { id, etag } = await setUp();
      await api.call('POST', `/${PROJECT}/feedback/${id}`, { body: { score: 1, weight: 1 } });
      expect((await api.call('GET', `/${PROJECT}/logs/${id}`)).headers.etag).toBe(etag);
      await api.call('POST', `/${PROJECT}/logs/bulk`, { body: { ids: [id], add_tags: ['many'] } });
      const late = await patch({ metadata_tags: [] }, id, { headers: { 'if-match': etag } });
      expect(late.status).toBe(412);
    });

    it('answers 404, and not 412, for a log that does not exist', async () => {
      const id = v7({ msecs: Date.now() - 3_600_000 });
      expect((await patch({ metadata_tags: [] }, id, { headers: { 'if-match': '"r0"' } })).status).toBe(404);
    });
  });
});
