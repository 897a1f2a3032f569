import { v4 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../src/core/log-record.js';
import { UNCOUNTED } from '../../../src/store/counts/stat-values.js';
import { type AdminApi, openAdminApi } from '../../support/admin-api.js';
import { missingMongod } from '../../support/mongod.js';
import { signalOf } from '../../support/signal.js';
import { at, CountedProject, pick, run } from '../../support/stats.js';

/** Sums of the same numbers in another order differ in their last digits. */
function inDigits(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(10)) : one)),
  );
}

describe.skipIf(missingMongod !== null)('what happened, once logs are counted, changed and deleted', () => {
  let api: AdminApi;
  let project: CountedProject;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  beforeEach(() => {
    project = new CountedProject(api);
  });

  it('follows feedback when it is given and removed', async () => {
    const [first, second] = await project.land(
      { created_at: at('02T10:00:00') },
      { created_at: at('02T10:00:01') },
    );
    const give = async (log: LogRecord | undefined, score: number) =>
      (await project.call('POST', `feedback/${log?._id}`, { score, weight: 1 })).json.id;
    await give(first, 1);
    await project.stats();
    const id = await give(first, 0);
    await give(second, -1);
    expect(pick(await project.stats(), 'requests', 'feedback', 'score')).toEqual([[2, 3, -0.25]]);
    await project.call('DELETE', `logs/${first?._id}/feedback/${id}`);
    expect(pick(await project.stats('by=endpoint'), 'requests', 'feedback', 'score')).toEqual([[2, 2, 0]]);
  });

  it('counts a log once, however often it is sent and however many count at the same time', async () => {
    const records = Array.from({ length: 300 }, () => project.record({ created_at: at('05T10:00:00') }));
    await Promise.all([api.store.logs.insertMany(records), api.store.logs.insertMany(records)]);
    await Promise.all([api.store.tags.apply(), api.store.tags.apply(), project.stats()]);
    await api.store.logs.insertMany(records);
    await api.store.tags.apply();
    expect(pick(await project.stats('by=status'), 'requests')).toEqual([[300]]);
  });

  it('includes logs that the previous version had not counted yet', async () => {
    await project.land({ created_at: at('06T10:00:00'), endpoint: 'old' });
    await project.stats();
    const place = (bucket: 'hour' | 'day', start: Date) => {
      const document = { project_uid: project.uid, bucket, by: 'endpoint', at: start, key: 'old' };
      const _id = JSON.stringify([project.uid, bucket, start.getTime(), 'endpoint', 'old']);
      const additions = [
        ['requests', 2],
        ['latency.40', 2],
      ];
      return { document: { ...document, _id }, additions };
    };
    await api.test.database.collection<{ _id: string }>('count_changes').insertOne({
      _id: v4(),
      tags: [{ project_uid: project.uid, tag: 'left', count: 2 }],
      stats: [place('hour', at('06T10:00:00')), place('day', at('06T00:00:00'))],
    } as never);
    for (const bucket of ['hour', 'day']) {
      const rows = await project.stats(`by=endpoint&bucket=${bucket}`);
      expect(pick(rows, 'key', 'requests')).toEqual([['old', 3]]);
    }
    const tags = await project.call('GET', 'tags');
    expect(tags.json.data).toEqual([{ tag: 'left', count: 2 }]);
  });

  it('does not change when logs are deleted, even those that were not counted yet', async () => {
    await project.land({ created_at: at('02T10:00:00') });
    await project.stats();
    await project.land({ created_at: at('02T10:30:00') });
    await api.store.deleteExpired([{ project_uid: project.uid, days: 1 }]);
    expect((await api.store.logs.list(project.uid, {}, { limit: 1 })).logs).toEqual([]);
    expect(pick(await project.stats(), 'requests')).toEqual([[2]]);
  });

  it('equals a new count of all logs after any mix of events', async () => {
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
        const [landed] = await project.land({
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
        const { json } = await project.call('POST', `feedback/${log?._id}`, signal);
        signals.push([log?._id as string, json.id]);
      } else if (kind === 3) {
        const [id, signal] = signals.splice(draw(signals.length || 1), 1)[0] ?? [];
        if (id) await project.call('DELETE', `logs/${id}/feedback/${signal}`);
      } else if (kind === 4) {
        const plugin_runs = [run({ plugin: `p${draw(3)}`, phase: 'log', duration_ms: step })];
        const add_tags = draw(2) === 0 ? [] : [`t${draw(4)}`];
        await api.store.logs.amend({ log_id: log?._id as string, plugin_runs, add_tags });
      } else if (kind === 5) {
        const tags = Array.from({ length: draw(3) }, () => `t${draw(4)}`);
        await api.store.logs.patch({ id: log?._id as string }, { tags });
      } else if (kind === 6) {
        const target = { filter: { tags_any: [`t${draw(4)}`] } };
        await api.store.jobs.changeLogs(project.uid, {
          target,
          change: {
            add_tags: [`t${draw(4)}`],
            remove_tags: [`t${draw(4)}`],
            feedback: signalOf({ score: 0.5 }),
          },
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
        ].map((query) => project.stats(query)),
      );
    await api.store.tags.apply();
    const kept = await look();
    await api.test.database.collection('hourly_counts').deleteMany({ project_uid: project.uid });
    await api.test.database
      .collection('logs')
      .updateMany({ project_uid: project.uid }, { $set: { _counted_stats: UNCOUNTED, _counted_tags: [] } });
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
});
