import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminApi, openAdminApi } from '../../support/admin-api.js';
import { missingMongod } from '../../support/mongod.js';
import { at, CountedProject, MARCH, pick, run } from '../../support/stats.js';

describe.skipIf(missingMongod !== null)('what happened, by hour and by day', () => {
  let api: AdminApi;
  let project: CountedProject;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  beforeEach(() => {
    project = new CountedProject(api);
  });

  it('has one row with all figures for each hour that has logs', async () => {
    await project.land(
      {
        created_at: at('02T10:00:00'),
        timing: { total_ms: 100, time_to_first_token_ms: 10, engine_ms: 1 },
        cost: 0.1,
      },
      {
        created_at: at('02T10:59:59.999'),
        timing: { total_ms: 200, time_to_first_token_ms: null, engine_ms: 1 },
        cost: 0.2,
      },
      { created_at: at('02T11:00:00'), status: 'error', usage: null, attempts: [] },
    );
    const [ten, eleven, ...rest] = await project.stats();
    expect(rest).toEqual([]);
    expect(ten).toEqual({
      at: '2026-03-02T10:00:00.000Z',
      key: null,
      requests: 2,
      errors: 0,
      fallbacks: 0,
      invalid: 0,
      rejected: 0,
      input_tokens: 10,
      output_tokens: 8,
      cost: 0.3,
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
      p99_ms: expect.any(Number),
      ttft_p50_ms: expect.any(Number),
      score: null,
      feedback: 0,
    });
    for (const [name, exact] of [
      ['p50_ms', 100],
      ['p95_ms', 200],
      ['p99_ms', 200],
      ['ttft_p50_ms', 10],
    ] as const) {
      expect(Math.abs(ten[name] - exact) / exact).toBeLessThan(0.05);
    }
    expect(eleven).toMatchObject({ requests: 1, errors: 1, cost: null, ttft_p50_ms: null });
  });

  it('has one row for each day in UTC, with the first day complete', async () => {
    await project.land(
      { created_at: at('02T00:00:00') },
      { created_at: at('02T23:59:59') },
      { created_at: at('03T00:00:00') },
    );
    expect(pick(await project.stats('bucket=day'), 'at', 'requests')).toEqual([
      ['2026-03-02T00:00:00.000Z', 2],
      ['2026-03-03T00:00:00.000Z', 1],
    ]);
    const late = await project.ask('bucket=day&from=2026-03-02T12:00:00Z&to=2026-03-03');
    expect(pick(late.json.data, 'requests')).toEqual([[2]]);
  });

  it('has one row for the whole time, exact to the hour, the busiest key first', async () => {
    await project.land(
      { created_at: at('01T22:59:59'), endpoint: 'a' },
      { created_at: at('01T23:00:00'), endpoint: 'a', cost: 1 },
      {
        created_at: at('02T10:00:00'),
        endpoint: 'a',
        cost: 2,
        timing: { total_ms: 100, time_to_first_token_ms: null, engine_ms: 1 },
      },
      { created_at: at('03T00:30:00'), endpoint: 'b', cost: 4 },
      { created_at: at('03T01:00:00'), endpoint: 'b' },
    );
    const time = 'bucket=total&from=2026-03-01T23:15:00Z&to=2026-03-03T01:00:00Z';
    const { data } = (await project.ask(`${time}&by=endpoint`)).json;
    expect(pick(data, 'at', 'key', 'requests', 'cost')).toEqual([
      ['2026-03-01T23:00:00.000Z', 'a', 2, 3],
      ['2026-03-01T23:00:00.000Z', 'b', 1, 4],
    ]);
    const hours = 'bucket=total&from=2026-03-02T10:00:00Z&to=2026-03-02T11:00:00Z';
    const [row] = (await project.ask(hours)).json.data;
    expect(Math.abs(row.p95_ms - 100)).toBeLessThan(5);
  });

  it('can be grouped by endpoint, model and status, in order of the keys', async () => {
    const created_at = at('02T10:00:00');
    const tried = (...models: string[]) => models.map((model) => ({ provider: 'local', model })) as never;
    await project.land(
      { created_at, endpoint: 'b' },
      { created_at, endpoint: 'a', model: 'local/small', attempts: [{}, {}] as never },
      {
        created_at,
        endpoint: 'b',
        model: null,
        status: 'invalid_output',
        attempts: tried('large', 'large', 'broken'),
      },
      { created_at, endpoint: null, model: null, status: 'rejected', attempts: [] },
    );
    const shown = async (by: string) =>
      pick(await project.stats(`by=${by}`), 'key', 'requests', 'fallbacks', 'invalid', 'rejected');
    expect(await shown('endpoint')).toEqual([
      [null, 1, 0, 0, 1],
      ['a', 1, 1, 0, 0],
      ['b', 2, 2, 1, 0],
    ]);
    expect(await shown('model')).toEqual([
      [null, 1, 0, 0, 1],
      ['local/broken', 1, 2, 1, 0],
      ['local/large', 1, 0, 0, 0],
      ['local/small', 1, 1, 0, 0],
    ]);
    expect(await shown('status')).toEqual([
      ['invalid_output', 1, 2, 1, 0],
      ['rejected', 1, 0, 0, 1],
      ['success', 2, 1, 0, 0],
    ]);
  });

  it('can be grouped by plugin: what each rejected and failed at, LOG phase included', async () => {
    const created_at = at('02T10:00:00');
    const [first] = await project.land(
      {
        created_at,
        plugin_runs: [
          run({}),
          run({ phase: 'response', outcome: 'modified' }),
          run({ plugin: 'webhook', outcome: 'timeout', duration_ms: 1000 }),
        ],
      },
      {
        created_at,
        status: 'rejected',
        plugin_runs: [
          run({ outcome: 'rejected' }),
          run({ plugin: 'webhook', outcome: 'skipped' }),
          run({ outcome: 'rejected', observed: true }),
        ],
      },
    );
    const shown = async () =>
      pick(await project.stats('by=plugin'), 'key', 'requests', 'rejected', 'errors', 'input_tokens');
    const before = [
      ['pii_detection', 2, 1, 0, 10],
      ['webhook', 1, 0, 1, 5],
    ];
    expect(await shown()).toEqual(before);
    const late = run({ plugin: 'archive', phase: 'log' });
    const amendment = { log_id: first?._id as string, plugin_runs: [late, late], add_tags: [] };
    await api.store.logs.amend(amendment);
    await api.store.logs.amend(amendment);
    expect(await shown()).toEqual([['archive', 1, 0, 0, 5], ...before]);
    expect(pick(await project.stats(), 'requests')).toEqual([[2]]);
  });

  it('can be grouped by error and by reason for a fallback, where a log counts once for each reason', async () => {
    const created_at = at('02T10:00:00');
    const tries = (...statuses: string[]) => statuses.map((status) => ({ status })) as never;
    const error = (code: string) => ({ code, message: 'x' });
    await project.land(
      { created_at, attempts: tries('timeout', 'timeout', 'rate_limited', 'success') },
      {
        created_at,
        attempts: tries('timeout', 'server_error'),
        status: 'error',
        error: error('upstream_unavailable'),
      },
      { created_at, attempts: tries('connect'), status: 'error', error: error('upstream_unavailable') },
      { created_at, status: 'rejected', attempts: [], error: error('pii_detected') },
      { created_at },
    );
    expect(pick(await project.stats('by=fallback'), 'key', 'requests', 'fallbacks', 'errors')).toEqual([
      ['rate_limited', 1, 1, 0],
      ['timeout', 2, 3, 1],
    ]);
    expect(pick(await project.stats('by=error'), 'key', 'requests', 'errors', 'rejected')).toEqual([
      ['pii_detected', 1, 0, 1],
      ['upstream_unavailable', 2, 2, 0],
    ]);
  });

  it('can be grouped by tag: a log counts for each of its tags, with its feedback, even after its tags were changed', async () => {
    const created_at = at('02T10:00:00');
    const [first] = await project.land(
      { created_at, tags: ['tier:pro', 'beta'], cost: 1 },
      { created_at, tags: ['tier:free'], cost: 2 },
    );
    const shown = async () =>
      pick(await project.stats('by=tag'), 'key', 'requests', 'cost', 'feedback', 'score');
    expect(await shown()).toEqual([
      ['beta', 1, 1, 0, null],
      ['tier:free', 1, 2, 0, null],
      ['tier:pro', 1, 1, 0, null],
    ]);
    await project.call('POST', `feedback/${first?._id}`, { score: 0.5, weight: 1 });
    await project.call('PATCH', `log/${first?._id}`, { metadata_tags: ['tier:free'] });
    expect(await shown()).toEqual([['tier:free', 2, 3, 1, 0.5]]);
    await project.call('POST', 'logs/bulk', { filter: {}, add_tags: ['seen'] });
    expect(await shown()).toEqual([
      ['seen', 2, 3, 1, 0.5],
      ['tier:free', 2, 3, 1, 0.5],
    ]);
  });

  it('leaves out tags of keys with too many values, without saying that they were counted', async () => {
    const created_at = at('02T10:00:00');
    const users = Array.from({ length: 30 }, (_, index) => ({
      created_at,
      tags: ['tier:pro', `user:${index}`],
    }));
    await project.land(...users.slice(0, 10));
    expect(await project.stats('by=tag')).toHaveLength(11);
    await project.land(...users.slice(10));
    await project.land(...users.slice(0, 2));
    expect(pick(await project.stats('by=tag'), 'key', 'requests')).toEqual([['tier:pro', 32]]);
  });

  it.each([
    ['from=2026-03-02&to=2026-03-02', 'from'],
    ['from=yesterday', 'from'],
    ['bucket=week', 'bucket'],
    ['by=user', 'by'],
  ])('refuses %s', async (query, path) => {
    const { status, json } = await project.ask(query);
    expect([status, json.error.details[0].path]).toEqual([400, path]);
  });

  it('refuses a query with too many rows', async () => {
    const documents = Array.from({ length: 2_501 }, (_, index) => ({
      _id: `${project.uid}${index}`,
      project_uid: project.uid,
      bucket: 'hour',
      by: 'model',
      key: `m${index}`,
      at: at('02T10:00:00'),
      requests: 1,
    }));
    await api.test.database.collection<{ _id: string }>('hourly_counts').insertMany(documents);
    const { status, json } = await project.ask(`${MARCH}&by=model`);
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('more than 2500 rows')]);
    expect(await project.stats('by=endpoint')).toEqual([]);
  });

  it('covers the last day by hours unless something else is asked for', async () => {
    await project.land({}, { created_at: new Date(Date.now() - 25 * 3_600_000) });
    expect(pick((await project.ask('')).json.data, 'requests')).toEqual([[1]]);
  });
});
