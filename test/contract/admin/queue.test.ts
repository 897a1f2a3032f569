import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.js';
import { type AdminApi, KEYS, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const OWN_PAGE = { 'x-sluice-csrf': '1', 'sec-fetch-site': 'same-origin' };

describe.skipIf(missingMongod !== null)('a queue of logs to judge', () => {
  let api: AdminApi;
  let passedMs = 0;
  let tag: string;
  const clock = { now: () => Date.now() + passedMs, monotonic: systemClock.monotonic };

  beforeAll(async () => {
    api = await openAdminApi({}, clock);
  });

  afterAll(() => api.close());

  beforeEach(() => {
    tag = `queue:${Math.random()}`;
  });

  /** Logs of this test, newest first. */
  async function land(count: number): Promise<string[]> {
    const records = Array.from({ length: count }, (_, index) =>
      logRecord({ tags: [tag], created_at: new Date(Date.now() - 1000 * index) }),
    );
    await api.store.logs.insertMany(records);
    return records.map(({ _id }) => _id);
  }

  async function person(): Promise<string> {
    const { headers } = await api.call('POST', '/api/session', { key: null, body: { key: KEYS.logs } });
    return String(headers['set-cookie']).split(';')[0] as string;
  }

  const as = (cookie: string) => ({ key: null, headers: { cookie, ...OWN_PAGE } });
  const next = async (cookie: string, body: object = {}) => {
    const filter = { tags_any: [tag] };
    const answer = await api.call('POST', `/${PROJECT}/queue/next`, {
      body: { filter, ...body },
      ...as(cookie),
    });
    return { status: answer.status, id: answer.json?.log?.id, left: answer.json?.left, answer };
  };
  const rate = (id: string) => api.call('PATCH', `/log/${id}`, { body: { quality_rating: '👍' } });

  it('gives the newest log as a whole, with how many are left and how long it is reserved', async () => {
    const [newest] = await land(3);
    const { status, answer } = await next(await person());
    expect([status, answer.json.left]).toEqual([200, 3]);
    expect(answer.json.log).toMatchObject({ id: newest, request: { model: 'support' } });
    expect(answer.headers.etag).toBe('"r0"');
    const leasedMs = Date.parse(answer.json.leased_until) - clock.now();
    expect(leasedMs).toBeGreaterThan(4 * 60_000);
    expect(leasedMs).toBeLessThanOrEqual(5 * 60_000);
  });

  it('gives several people different logs, however fast they ask', async () => {
    const ids = await land(6);
    const people = await Promise.all(Array.from({ length: 6 }, person));
    const given = await Promise.all(people.map((cookie) => next(cookie)));
    expect(given.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect((await next(await person())).status).toBe(204);
  });

  it('gives a person the same log again after a reload, and another one after a skip', async () => {
    const [first, second] = await land(2);
    const cookie = await person();
    expect((await next(cookie)).id).toBe(first);
    expect((await next(cookie)).id).toBe(first);
    expect(await next(cookie, { skip: [first] })).toMatchObject({ id: second, left: 1 });
    expect((await next(cookie, { skip: [first, second] })).status).toBe(204);
  });

  it('drops a log at once when anybody judged it, by a rating or by feedback', async () => {
    const [first, second, third] = await land(3);
    const cookie = await person();
    await rate(first as string);
    expect(await next(cookie)).toMatchObject({ id: second, left: 2 });
    await api.call('POST', `/${PROJECT}/feedback/${second}`, { body: { score: 1, weight: 1 } });
    expect(await next(cookie)).toMatchObject({ id: third, left: 1 });
    await rate(third as string);
    expect((await next(cookie)).status).toBe(204);
  });

  it('includes judged logs where the filter asks for them', async () => {
    const [first] = await land(2);
    await rate(first as string);
    const filter = { tags_any: [tag], quality_rating: '👍' };
    expect(await next(await person(), { filter })).toMatchObject({ id: first, left: 1 });
  });

  it('offers a log again that was given back, or that was not judged within five minutes', async () => {
    const [first] = await land(1);
    const [one, other] = [await person(), await person()];
    await next(one);
    expect((await next(other)).status).toBe(204);
    const release = (cookie: string) => api.call('DELETE', `/${PROJECT}/queue/${first}`, as(cookie));
    expect((await release(other)).status).toBe(404);
    expect((await release(one)).status).toBe(204);
    expect((await next(other)).id).toBe(first);
    expect((await next(one)).status).toBe(204);
    passedMs += 5 * 60_000;
    expect((await next(one)).id).toBe(first);
  });

  it('gives successful answers only, unless the filter names a status', async () => {
    const failed = logRecord({
      tags: [tag],
      status: 'error',
      error: { code: 'upstream_timeout', message: 'x' },
    });
    await api.store.logs.insertMany([failed]);
    const cookie = await person();
    expect((await next(cookie)).status).toBe(204);
    for (const more of [{ status: 'error' }, { error_code: 'upstream_timeout' }]) {
      expect(await next(cookie, { filter: { tags_any: [tag], ...more } })).toMatchObject({ id: failed._id });
    }
  });

  it('refuses a wrong filter', async () => {
    const { answer } = await next(await person(), { filter: { status: 'good' } });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_request']);
  });
});
