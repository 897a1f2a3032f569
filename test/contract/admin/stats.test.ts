import { v4 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord, PluginRun } from '../../../src/core/log-record.js';
import { UNCOUNTED } from '../../../src/store/logs/counts/stat-deltas.js';
import { type AdminApi, KEYS, openAdminApi } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';

const at = (time: string) => new Date(`2026-03-${time}Z`);
const run = (changes: Partial<PluginRun>): PluginRun => ({
  plugin: 'pii_detection',
  phase: 'request',
  outcome: 'passed',
  duration_ms: 2,
  findings: [],
  ...changes,
});

const SIGNAL = {
  score: 0.5,
  weight: 1,
  improvement: null,
  qualitative_feedback: null,
  signal_name: null,
  signal_source: 'user',
  signal_type: 'explicit',
  metadata: null,
} as const;

/** Sums of the same numbers in another order differ in their last digits. */
function inDigits(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(10)) : one)),
  );
}

describe.skipIf(missingMongod !== null)('what happened, by hour and by day', () => {
  let api: AdminApi;
  let project: string;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  beforeEach(() => {
    project = v4();
  });

  const record = (changes: Partial<LogRecord>) => logRecord({ project_uid: project, ...changes });
  const land = async (...changes: Partial<LogRecord>[]) => {
    const records = changes.map(record);
    await api.store.logs.insertMany(records);
    return records;
  };
  const ask = (query: string) => api.call('GET', `/${project}/stats?${query}`, { key: KEYS.admin });
  const MARCH = 'from=2026-03-01&to=2026-04-01';
  const stats = async (query = '') => (await ask(`${MARCH}&${query}`)).json.data;
  const pick = (rows: Record<string, unknown>[], ...names: string[]) =>
    rows.map((row) => names.map((name) => row[name]));

  it('is one row for each hour that has logs, with all that there is to say', async () => {
    await land(
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
    const [ten, eleven, ...rest] = await stats();
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

  it('is one row for each day, in UTC, from the whole of the first on', async () => {
    await land(
      { created_at: at('02T00:00:00') },
      { created_at: at('02T23:59:59') },
      { created_at: at('03T00:00:00') },
    );
    expect(pick(await stats('bucket=day'), 'at', 'requests')).toEqual([
      ['2026-03-02T00:00:00.000Z', 2],
      ['2026-03-03T00:00:00.000Z', 1],
    ]);
    const late = await ask('bucket=day&from=2026-03-02T12:00:00Z&to=2026-03-03');
    expect(pick(late.json.data, 'requests')).toEqual([[2]]);
  });

  it('is one row for the whole time, exact to the hour, the busiest key first', async () => {
    await land(
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
    const { data } = (await ask(`${time}&by=endpoint`)).json;
    expect(pick(data, 'at', 'key', 'requests', 'cost')).toEqual([
      ['2026-03-01T23:00:00.000Z', 'a', 2, 3],
      ['2026-03-01T23:00:00.000Z', 'b', 1, 4],
    ]);
    const hours = 'bucket=total&from=2026-03-02T10:00:00Z&to=2026-03-02T11:00:00Z';
    const [row] = (await ask(hours)).json.data;
    expect(Math.abs(row.p95_ms - 100)).toBeLessThan(5);
  });

  it('is asked by endpoint, model and status, in order of the keys', async () => {
    const created_at = at('02T10:00:00');
    await land(
      { created_at, endpoint: 'b' },
      { created_at, endpoint: 'a', model: 'local/small', attempts: [{}, {}] as never },
      { created_at, endpoint: 'b', model: null, status: 'invalid_output', attempts: [{}, {}, {}] as never },
      { created_at, endpoint: null, model: null, status: 'rejected', attempts: [] },
    );
    const shown = async (by: string) =>
      pick(await stats(`by=${by}`), 'key', 'requests', 'fallbacks', 'invalid', 'rejected');
    expect(await shown('endpoint')).toEqual([
      [null, 1, 0, 0, 1],
      ['a', 1, 1, 0, 0],
      ['b', 2, 2, 1, 0],
    ]);
    expect(await shown('model')).toEqual([
      [null, 2, 2, 1, 1],
      ['local/large', 1, 0, 0, 0],
      ['local/small', 1, 1, 0, 0],
    ]);
    expect(await shown('status')).toEqual([
      ['invalid_output', 1, 2, 1, 0],
      ['rejected', 1, 0, 0, 1],
      ['success', 2, 1, 0, 0],
    ]);
  });

  it('is asked by plugin: what each rejected and failed at, those of the LOG phase too', async () => {
    const created_at = at('02T10:00:00');
    const [first] = await land(
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
      pick(await stats('by=plugin'), 'key', 'requests', 'rejected', 'errors', 'input_tokens');
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
    expect(pick(await stats(), 'requests')).toEqual([[2]]);
  });

  it('is asked by error and by reason to fall back, where a log counts once for each reason', async () => {
    const created_at = at('02T10:00:00');
    const tries = (...statuses: string[]) => statuses.map((status) => ({ status })) as never;
    const error = (code: string) => ({ code, message: 'x' });
    await land(
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
    expect(pick(await stats('by=fallback'), 'key', 'requests', 'fallbacks', 'errors')).toEqual([
      ['rate_limited', 1, 1, 0],
      ['timeout', 2, 3, 1],
    ]);
    expect(pick(await stats('by=error'), 'key', 'requests', 'errors', 'rejected')).toEqual([
      ['pii_detected', 1, 0, 1],
      ['upstream_unavailable', 2, 2, 0],
    ]);
  });

  it('is asked by tag: a log counts for each that it has, with its feedback, also after its tags were changed', async () => {
    const created_at = at('02T10:00:00');
    const [first] = await land(
      { created_at, tags: ['tier:pro', 'beta'], cost: 1 },
      { created_at, tags: ['tier:free'], cost: 2 },
    );
    const shown = async () => pick(await stats('by=tag'), 'key', 'requests', 'cost', 'feedback', 'score');
    expect(await shown()).toEqual([
      ['beta', 1, 1, 0, null],
      ['tier:free', 1, 2, 0, null],
      ['tier:pro', 1, 1, 0, null],
    ]);
    const key = KEYS.admin;
    await api.call('POST', `/${project}/feedback/${first?._id}`, { key, body: { score: 0.5, weight: 1 } });
    await api.call('PATCH', `/${project}/log/${first?._id}`, { key, body: { metadata_tags: ['tier:free'] } });
    expect(await shown()).toEqual([['tier:free', 2, 3, 1, 0.5]]);
    await api.call('POST', `/${project}/logs/bulk`, { key, body: { filter: {}, add_tags: ['seen'] } });
    expect(await shown()).toEqual([
      ['seen', 2, 3, 1, 0.5],
      ['tier:free', 2, 3, 1, 0.5],
    ]);
  });

  it('leaves tags of keys with many values out, and says nothing of the part that was counted', async () => {
    const created_at = at('02T10:00:00');
    const users = Array.from({ length: 30 }, (_, index) => ({
      created_at,
      tags: ['tier:pro', `user:${index}`],
    }));
    await land(...users.slice(0, 10));
    expect(await stats('by=tag')).toHaveLength(11);
    await land(...users.slice(10));
    await land(...users.slice(0, 2));
    expect(pick(await stats('by=tag'), 'key', 'requests')).toEqual([['tier:pro', 32]]);
  });

  it('follows feedback, given and taken back', async () => {
    const [first, second] = await land({ created_at: at('02T10:00:00') }, { created_at: at('02T10:00:01') });
    const give = async (log: LogRecord | undefined, score: number) =>
      (
        await api.call('POST', `/${project}/feedback/${log?._id}`, {
          key: KEYS.admin,
          body: { score, weight: 1 },
        })
      ).json.id;
    await give(first, 1);
    await stats();
    const id = await give(first, 0);
    await give(second, -1);
    expect(pick(await stats(), 'requests', 'feedback', 'score')).toEqual([[2, 3, -0.25]]);
    await api.call('DELETE', `/${project}/logs/${first?._id}/feedback/${id}`, { key: KEYS.admin });
    expect(pick(await stats('by=endpoint'), 'requests', 'feedback', 'score')).toEqual([[2, 2, 0]]);
  });

  it('counts a log once, however often it is sent and whoever counts at the same time', async () => {
    const records = Array.from({ length: 300 }, () => record({ created_at: at('05T10:00:00') }));
    await Promise.all([api.store.logs.insertMany(records), api.store.logs.insertMany(records)]);
    await Promise.all([api.store.tags.apply(), api.store.tags.apply(), stats()]);
    await api.store.logs.insertMany(records);
    await api.store.tags.apply();
    expect(pick(await stats('by=status'), 'requests')).toEqual([[300]]);
  });

  it('holds what the version before left to be counted', async () => {
    await land({ created_at: at('06T10:00:00'), endpoint: 'old' });
    await stats();
    const place = (bucket: 'hour' | 'day', start: Date) => {
      const document = { project_uid: project, bucket, by: 'endpoint', at: start, key: 'old' };
      const _id = JSON.stringify([project, bucket, start.getTime(), 'endpoint', 'old']);
      const additions = [
        ['requests', 2],
        ['latency.40', 2],
      ];
      return { document: { ...document, _id }, additions };
    };
    await api.test.database.collection<{ _id: string }>('count_changes').insertOne({
      _id: v4(),
      tags: [{ project_uid: project, tag: 'left', count: 2 }],
      stats: [place('hour', at('06T10:00:00')), place('day', at('06T00:00:00'))],
    } as never);
    for (const bucket of ['hour', 'day']) {
      const rows = await stats(`by=endpoint&bucket=${bucket}`);
      expect(pick(rows, 'key', 'requests')).toEqual([['old', 3]]);
    }
    const tags = await api.call('GET', `/${project}/tags`, { key: KEYS.admin });
    expect(tags.json.data).toEqual([{ tag: 'left', count: 2 }]);
  });

  it('stays when logs are deleted, also those that nobody had counted yet', async () => {
    await land({ created_at: at('02T10:00:00') });
    await stats();
    await land({ created_at: at('02T10:30:00') });
    await api.store.deleteExpired([{ project_uid: project, days: 1 }]);
    expect((await api.store.logs.list(project, {}, { limit: 1 })).logs).toEqual([]);
    expect(pick(await stats(), 'requests')).toEqual([[2]]);
  });

  it('is, after any mix of events, what counting all logs anew would give', async () => {
    const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
    console.info(`counts of a mix of events: SEED=${seed}`);
    let state = seed;
    const draw = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return (state >>> 8) % below;
    };
    const records: LogRecord[] = [];
    const signals: [string, string][] = [];
    for (let step = 0; step < 120; step++) {
      const log = records[draw(records.length || 1)];
      const kind = log === undefined ? 0 : draw(8);
      if (kind <= 1) {
        const plugin_runs = Array.from({ length: draw(3) }, () =>
          run({ plugin: `p${draw(2)}`, duration_ms: draw(90) }),
        );
        const [landed] = await land({
          created_at: at(`0${1 + draw(3)}T1${draw(3)}:00:00`),
          endpoint: `e${draw(2)}`,
          status: (['success', 'error', 'rejected'] as const)[draw(3)] as never,
          error: draw(2) === 0 ? null : { code: `c${draw(2)}`, message: '' },
          attempts: Array.from({ length: draw(4) }, () => ({
            status: draw(2) ? 'timeout' : 'connect',
          })) as never,
          tags: draw(2) === 0 ? [] : [`t${draw(3)}`],
          plugin_runs,
        });
        records.push(landed as LogRecord);
      } else if (kind === 2) {
        const signal = { score: draw(3) - 1, weight: 1 };
        const { json } = await api.call('POST', `/${project}/feedback/${log?._id}`, {
          key: KEYS.admin,
          body: signal,
        });
        signals.push([log?._id as string, json.id]);
      } else if (kind === 3) {
        const [id, signal] = signals.splice(draw(signals.length || 1), 1)[0] ?? [];
        if (id) await api.call('DELETE', `/${project}/logs/${id}/feedback/${signal}`, { key: KEYS.admin });
      } else if (kind === 4) {
        const plugin_runs = [run({ plugin: `p${draw(3)}`, phase: 'log', duration_ms: step })];
        const add_tags = draw(2) === 0 ? [] : [`t${draw(4)}`];
        await api.store.logs.amend({ log_id: log?._id as string, plugin_runs, add_tags });
      } else if (kind === 5) {
        const tags = Array.from({ length: draw(3) }, () => `t${draw(4)}`);
        await api.store.logs.patch({ id: log?._id as string }, { tags });
      } else if (kind === 6) {
        const target = { filter: { tags_any: [`t${draw(4)}`] } };
        await api.store.jobs.changeLogs(project, {
          target,
          change: { add_tags: [`t${draw(4)}`], remove_tags: [`t${draw(4)}`], feedback: SIGNAL },
        });
      } else {
        await api.store.tags.apply();
      }
    }
    const look = () =>
      Promise.all(
        [
          '',
          'by=endpoint',
          'by=plugin',
          'by=status',
          'by=tag',
          'by=error',
          'by=fallback',
          'bucket=day&by=tag',
          'bucket=day&by=model',
        ].map(stats),
      );
    await api.store.tags.apply();
    const kept = await look();
    await api.test.database.collection('hourly_counts').deleteMany({ project_uid: project });
    await api.test.database
      .collection('logs')
      .updateMany({ project_uid: project }, { $set: { _counted_stats: UNCOUNTED, _counted_tags: [] } });
    await api.store.tags.apply();
    // A count that came to nothing again may have left a row.
    const some = (rows: { requests: number }[]) => inDigits(rows.filter(({ requests }) => requests > 0));
    expect(kept.map(some)).toEqual((await look()).map(some));
    expect(
      pick(kept[0], 'requests')
        .flat()
        .reduce((sum, n) => Number(sum) + Number(n), 0),
    ).toBe(records.length);
  });

  it.each([
    ['from=2026-03-02&to=2026-03-02', 'from'],
    ['from=yesterday', 'from'],
    ['bucket=week', 'bucket'],
    ['by=user', 'by'],
  ])('refuses %s', async (query, path) => {
    const { status, json } = await ask(query);
    expect([status, json.error.details[0].path]).toEqual([400, path]);
  });

  it('refuses what would be more rows than anybody reads', async () => {
    const documents = Array.from({ length: 2_501 }, (_, index) => ({
      _id: `${project}${index}`,
      project_uid: project,
      bucket: 'hour',
      by: 'model',
      key: `m${index}`,
      at: at('02T10:00:00'),
      requests: 1,
    }));
    await api.test.database.collection<{ _id: string }>('hourly_counts').insertMany(documents);
    const { status, json } = await ask(`${MARCH}&by=model`);
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('more than 2500 rows')]);
    expect(await stats('by=endpoint')).toEqual([]);
  });

  it('is the last day by hours where nothing else is asked', async () => {
    await land({}, { created_at: new Date(Date.now() - 25 * 3_600_000) });
    expect(pick((await ask('')).json.data, 'requests')).toEqual([[1]]);
  });
});
