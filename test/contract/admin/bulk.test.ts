import { v4, v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSignal } from '../../../src/admin/schemas/feedback-signal.js';
import { systemClock } from '../../../src/core/clock.js';
import { MOST_TAGS } from '../../../src/logs/tags.js';
import { type AdminApi, KEYS, OTHER_PROJECT, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

/** A change takes ten transactions then. */
const MOST_AT_ONCE = 2_000;

describe.skipIf(missingMongod !== null)('a bulk change', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi({}, systemClock, undefined, { mostChangedAtOnce: MOST_AT_ONCE });
  });

  afterAll(() => api.close());

  const bulk = (body: unknown) => api.call('POST', `/${PROJECT}/logs/bulk`, { body });
  const read = (id: string) => api.store.logs.get({ id });

  async function land(count: number, changes = {}): Promise<string[]> {
    const records = Array.from({ length: count }, () => logRecord(changes));
    await api.store.logs.insertMany(records);
    return records.map((record) => record._id);
  }

  it('changes the logs that are named, and answers how many were changed', async () => {
    const [first, second] = (await land(2, { tags: ['old', 'x'], metadata: { a: 1, b: 2 } })) as [
      string,
      string,
    ];
    await api.store.logs.patch({ id: second }, { tags: ['new'], metadata: { c: 3 } });
    const [foreign] = await land(1, { project_uid: OTHER_PROJECT });
    const body = {
      ids: [first, second, first, foreign, v7()],
      add_tags: ['new'],
      remove_tags: ['old'],
      set_metadata: { c: 3 },
      unset_metadata: ['a'],
    };
    expect((await bulk(body)).json).toEqual({ matched: 2, changed: 1 });
    expect(await read(first)).toMatchObject({ tags: ['x', 'new'], metadata: { b: 2, c: 3 } });
    expect((await bulk(body)).json).toEqual({ matched: 2, changed: 0 });
  });

  it('accepts empty lists, which change nothing', async () => {
    const [id] = (await land(1, { tags: ['old'] })) as [string];
    const empty = await bulk({ ids: [id], add_tags: [], remove_tags: [], unset_metadata: [] });
    expect(empty.json).toEqual({ matched: 1, changed: 0 });
    expect((await bulk({ ids: [id], add_tags: [], remove_tags: ['old'] })).json).toEqual({
      matched: 1,
      changed: 1,
    });
  });

  it('sets and takes keys of every kind', async () => {
    const [id] = (await land(1, { metadata: JSON.parse('{"__proto__":1,"a.b":2,"$c":3}') })) as [string];
    const set = '{"__proto__":{"x":1},"👍":null,"":"\\ud800"}';
    await bulk(`{"ids":["${id}"],"set_metadata":${set},"unset_metadata":["a.b","$c"]}`);
    expect(JSON.stringify((await read(id))?.metadata)).toBe(set);
    const found = await api.call('GET', `/${PROJECT}/logs?metadata.${encodeURIComponent('👍')}=null`);
    expect(found.json.data).toHaveLength(1);
  });

  it('changes each log that a filter finds once, in several batches, though the change makes them leave the filter', async () => {
    await land(1203, { tags: ['batch'], metadata: { n: 5 } });
    const body = {
      filter: { tags_any: ['batch'], 'metadata.n': 5 },
      remove_tags: ['batch'],
      quality_rating: '👍',
    };
    expect((await bulk(body)).json).toEqual({ matched: 1203, changed: 1203 });
    expect((await bulk(body)).json).toEqual({ matched: 0, changed: 0 });
    await api.store.tags.apply();
    const tags = await api.call('GET', `/${PROJECT}/tags?prefix=batch`);
    expect(tags.json.data).toEqual([]);
  });

  it.each([
    ['ids', { add_tags: ['x'] }],
    ['ids', { ids: [v7()], filter: {}, add_tags: ['x'] }],
    ['ids.0', { ids: ['x'], add_tags: ['x'] }],
    ['body', { filter: {} }],
    ['filter.tag', { filter: { tag: 'x' }, add_tags: ['x'] }],
    ['filter.from', { filter: { from: 'x' }, add_tags: ['x'] }],
    ['filter.from', { filter: { from: '2026-01-02', to: '2026-01-01' }, add_tags: ['x'] }],
    ['filter.q', { filter: { q: '...' }, add_tags: ['x'] }],
    ['add_tags', { filter: {}, add_tags: 'x' }],
    ['add_tags.0', { filter: {}, add_tags: ['é'.repeat(32_769)] }],
    ['set_metadata', { filter: {}, set_metadata: { 'a\0': 1 } }],
    ['quality_rating', { filter: {}, quality_rating: 'good' }],
    ['tags', { filter: {}, tags: ['x'] }],
  ])('is refused with a wrong %s: %j', async (path, body) => {
    const answer = await bulk(body);
    expect(answer.status).toBe(400);
    expect(answer.json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('gives each log feedback: a score, an improvement, and a place among the logs with feedback', async () => {
    await land(120, { tags: ['unsure'] });
    const feedback = {
      score: 0.5,
      weight: 1,
      improvement: { role: 'assistant', content: 'Better.' },
      qualitative_feedback: 'All the same.',
    };
    expect((await bulk({ filter: { tags_any: 'unsure' }, feedback })).json).toEqual({
      matched: 120,
      changed: 120,
    });
    const { json } = await api.call('GET', `/${PROJECT}/logs?tags_any=unsure&has_feedback=true&limit=200`);
    expect(json.data.map((log: { score: number }) => log.score)).toEqual(Array(120).fill(0.5));
    const signals = await api.call('GET', `/${PROJECT}/logs/${json.data[7].id}/feedback`);
    expect(signals.json.data).toMatchObject([feedback]);
  });

  it('gives no feedback to a log that has the most it may have, nor with a key without the scope', async () => {
    const [id] = (await land(1)) as [string];
    const store = api.store.jobs;
    const feedback = toSignal({ score: 1, weight: 1 });
    const give = () =>
      store.changeLogs(PROJECT, { target: { ids: [id] }, change: { feedback }, maxSignals: 2 });
    expect([await give(), await give(), await give()]).toEqual([
      { matched: 1, changed: 1 },
      { matched: 1, changed: 1 },
      { matched: 1, changed: 0, skipped: { feedback: 1 } },
    ]);
    const body = { ids: [id], feedback: { score: 1, weight: 1 } };
    const refused = await api.call('POST', `/${PROJECT}/logs/bulk`, { key: KEYS.logs, body });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'insufficient_scope']);
  });

  it('leaves a log unchanged that would exceed a limit, and counts such logs', async () => {
    const [small, full] = (await land(2, { tags: [], metadata: { a: 1 } })) as [string, string];
    const tags = Array.from({ length: MOST_TAGS }, (_, index) => `t${index}`);
    await api.store.logs.patch({ id: full }, { tags, metadata: { a: 'x'.repeat(65_000) } });
    const body = { ids: [small, full], add_tags: ['b'], set_metadata: { b: 'x'.repeat(1_000) } };
    const skipped = { tags: 1, metadata: 1 };
    expect((await bulk(body)).json).toEqual({ matched: 2, changed: 1, skipped });
    expect(await read(full)).toMatchObject({ tags, metadata: { a: 'x'.repeat(65_000) } });
    const rated = { ...body, quality_rating: '👍' };
    expect((await bulk(rated)).json).toEqual({ matched: 2, changed: 2, skipped });
    const smaller = { ids: [full], remove_tags: ['t0'], add_tags: ['b'], unset_metadata: ['a'] };
    expect((await bulk(smaller)).json).toEqual({ matched: 1, changed: 1 });
  });

  it('with a filter by words that no index has changes the logs that had them when it began', async () => {
    const body = { messages: [{ role: 'user', content: 'a rhinoceros' }] };
    await land(150, { request: body });
    const asked = { filter: { q: 'rhinoceros' }, add_tags: ['rhino'], undoable: true };
    expect((await bulk(asked)).json).toMatchObject({ matched: 150, changed: 150 });
  });

  it('of more logs than are changed at once is a job, which another process continues after a crash', async () => {
    const total = MOST_AT_ONCE + 1;
    await land(total - 1, { endpoint: 'huge' });
    await land(1, { endpoint: 'huge', tags: Array.from({ length: MOST_TAGS }, (_, index) => `t${index}`) });
    const answer = await bulk({ filter: { endpoint: 'huge' }, add_tags: ['marked'] });
    expect(answer.status).toBe(202);
    const path = `/${PROJECT}/jobs/${answer.json.job_id}`;
    expect((await api.call('GET', path)).json).toMatchObject({
      state: 'queued',
      total,
      matched: 0,
      changed: 0,
    });

    const stopping = new AbortController();
    const work = api.store.jobs.work(stopping.signal);
    await expect
      .poll(async () => (await api.call('GET', path)).json.matched, { timeout: 30_000, interval: 5 })
      .toBeGreaterThan(0);
    stopping.abort();
    await work;
    await land(1, { endpoint: 'huge' });

    await api.store.jobs.work(new AbortController().signal);
    expect((await api.call('GET', path)).json).toMatchObject({
      state: 'done',
      matched: total,
      changed: total - 1,
      skipped: { tags: 1 },
    });
    const marked = await api.test.database.collection('logs').countDocuments({ tags: 'marked' });
    expect(marked).toBe(total - 1);
  });

  it('does not show jobs of another project', async () => {
    expect((await api.call('GET', `/${PROJECT}/jobs/${v4()}`)).status).toBe(404);
  });
});
