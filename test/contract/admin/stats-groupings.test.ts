import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../src/core/log-record.js';
import { type AdminApi, openAdminApi } from '../../support/admin-api.js';
import { missingMongod } from '../../support/mongod.js';
import { CountedProject, pick, run } from '../../support/stats.js';

const MINUTE = 60_000;

describe.skipIf(missingMongod !== null)('what happened, by two groupings and by the minute', () => {
  let api: AdminApi;
  let project: CountedProject;
  /** The beginning of a minute, some minutes ago. */
  const start = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * MINUTE;
  const log = (minutes: number, changes: Partial<LogRecord>): Partial<LogRecord> => ({
    created_at: new Date(start + minutes * MINUTE + 5_000),
    caller: 'key:bot',
    cost: 0.5,
    ...changes,
  });

  beforeAll(async () => {
    api = await openAdminApi();
    project = new CountedProject(api);
    await project.land(
      log(0, { tags: ['tier:pro'] }),
      log(0, { caller: 'key:web', model: 'local/small', tags: ['tier:pro', 'lang:en'] }),
      log(1, { status: 'error', error: { code: 'timeout', message: 'x' }, tags: ['tier:free'] }),
    );
  });
  afterAll(() => api.close());

  const range = `from=${new Date(start).toISOString()}&to=${new Date(start + 5 * MINUTE).toISOString()}`;
  const rows = async (query: string) => {
    const { status, json } = await project.ask(`${range}&${query}`);
    expect([status, json.error]).toEqual([200, undefined]);
    return json.data;
  };
  const sorted = (values: unknown[][]) => values.map((value) => JSON.stringify(value)).sort();

  it('has a row for each minute that has logs', async () => {
    expect(pick(await rows('bucket=minute'), 'at', 'requests', 'errors', 'cost')).toEqual([
      [new Date(start).toISOString(), 2, 0, 1],
      [new Date(start + MINUTE).toISOString(), 1, 1, 0.5],
    ]);
  });

  it('counts by key, in all and by the minute', async () => {
    expect(pick(await rows('bucket=total&by=key'), 'key', 'requests', 'cost')).toEqual([
      ['bot', 2, 1],
      ['web', 1, 0.5],
    ]);
    expect(pick(await rows('bucket=minute&by=key'), 'key', 'requests').length).toBe(3);
    const day = await project.ask('bucket=day&by=key');
    expect(pick(day.json.data, 'key', 'requests')).toEqual([
      ['bot', 2],
      ['web', 1],
    ]);
  });

  it.each([
    ['key', 'model'],
    ['model', 'key'],
  ])('counts by %s and %s, with the keys of both', async (first, second) => {
    const found = await rows(`bucket=total&by=${first}&by=${second}`);
    const expected = [
      [{ key: 'bot', model: 'local/large' }, 2],
      [{ key: 'web', model: 'local/small' }, 1],
    ];
    expect(pick(found, 'keys', 'requests')).toEqual(expected);
    expect(Object.keys(found[0].keys)).toEqual([first, second]);
  });

  it('counts by day and tag: a log counts for each of its tags', async () => {
    const day = new Date(start).toISOString().slice(0, 10);
    const { json } = await project.ask('by=day&by=tag');
    expect(sorted(pick(json.data, 'keys', 'requests'))).toEqual(
      sorted([
        [{ day, tag: 'tier:pro' }, 2],
        [{ day, tag: 'lang:en' }, 1],
        [{ day, tag: 'tier:free' }, 1],
      ]),
    );
  });

  it('counts from the logs themselves where no counts are kept: a tag beside a model, errors by the minute', async () => {
    expect(sorted(pick(await rows('bucket=total&by=tag&by=model'), 'keys', 'requests'))).toEqual(
      sorted([
        [{ tag: 'tier:pro', model: 'local/large' }, 1],
        [{ tag: 'tier:pro', model: 'local/small' }, 1],
        [{ tag: 'lang:en', model: 'local/small' }, 1],
        [{ tag: 'tier:free', model: 'local/large' }, 1],
      ]),
    );
    expect(pick(await rows('bucket=minute&by=error'), 'key', 'requests')).toEqual([['timeout', 1]]);
  });

  it.each([
    ['key=bot', 2],
    ['model=local', 3],
    ['model=local/small', 1],
    ['status=error&key=bot', 1],
    ['endpoint=nobody', undefined],
    ['tag=tier:pro', 2],
    ['tag=tier:pro&tag=lang:en', 1],
    ['tag=tier:pro&key=bot', 1],
  ])('counts only what fits %s', async (query, requests) => {
    const [row] = await rows(`bucket=total&${query}`);
    expect(row?.requests).toBe(requests);
  });

  it.each(['endpoint', 'model', 'status', 'key', 'plugin', 'tag', 'error', 'fallback'])(
    'has the same rows by %s from the kept counts and from the logs',
    async (by) => {
      const varied = new CountedProject(api);
      const tried = (status: string, model: string) => ({ provider: 'local', model, status });
      await varied.land(
        log(0, {
          tags: ['all', 'a'],
          plugin_runs: [run({}), run({ plugin: 'webhook', outcome: 'timeout' })],
        }),
        log(0, {
          tags: ['all'],
          status: 'rejected',
          model: null,
          attempts: [],
          plugin_runs: [run({ outcome: 'rejected' }), run({ plugin: 'webhook', outcome: 'skipped' })],
        }),
        log(1, {
          tags: ['all', 'b'],
          endpoint: 'other',
          status: 'error',
          model: null,
          error: { code: 'timeout', message: 'x' },
          attempts: [
            tried('timeout', 'large'),
            tried('timeout', 'large'),
            tried('connect', 'small'),
            tried('timeout', 'small'),
          ] as never,
          plugin_runs: [run({ duration_ms: 900 }), run({ phase: 'response', outcome: 'error' })],
        }),
      );
      const asked = async (filter: string) => {
        const { status, json } = await varied.ask(`${range}&bucket=total&by=${by}${filter}`);
        expect(status).toBe(200);
        const numbers = json.data.map(({ at: _at, keys: _keys, ...row }: Record<string, unknown>) => row);
        return sorted(numbers);
      };
      const kept = await asked('');
      expect(kept.length).toBeGreaterThan(0);
      expect(await asked('&tag=all')).toEqual(kept);
    },
  );

  it('matches logs with all of the given tags, and with any of the given values of other fields, as the list of logs does', async () => {
    for (const [stats, list] of [
      ['tag=tier:pro&tag=lang:en', 'tags_all=tier:pro&tags_all=lang:en'],
      ['tag=tier:pro&tag=lang:en&key=web', 'tags_all=tier:pro&tags_all=lang:en&key=web'],
      ['key=bot&key=web&status=success', 'key=bot&key=web&status=success'],
    ]) {
      const [row] = await rows(`bucket=total&${stats}`);
      const { json } = await project.call('GET', `logs/count?${range}&${list}`);
      expect([stats, row.requests]).toEqual([stats, json.count]);
    }
    // One tag alone is in the counts that are kept, and the same filter is counted from the logs.
    const kept = await rows('bucket=total&by=tag');
    const [counted] = await rows('bucket=total&tag=tier:pro');
    expect(pick(kept, 'key', 'requests')).toContainEqual(['tier:pro', counted.requests]);
  });

  it('follows feedback that is given later', async () => {
    const { json } = await project.call('GET', 'logs?key=web');
    await project.call('POST', `feedback/${json.data[0].id}`, { score: 1, weight: 1 });
    expect(pick(await rows('bucket=total&by=key&by=status'), 'keys', 'score')).toContainEqual([
      { key: 'web', status: 'success' },
      1,
    ]);
  });

  it('refuses groupings that contradict each other', async () => {
    for (const query of [
      'by=key&by=key',
      'by=day&by=hour',
      'by=day&by=tag&bucket=hour',
      'by=key&by=tag&by=model',
    ])
      expect((await project.ask(query)).status).toBe(400);
  });
});
