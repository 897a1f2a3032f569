import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectStore, type Store } from '../../../src/store/store.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { signalOf } from '../../support/signal.js';
import { silentLogger } from '../../support/silent-logger.js';
import { openTestStore, type TestStore } from '../../support/test-store.js';

const DAY_MS = 86_400_000;

describe.skipIf(missingMongod !== null)('retention', () => {
  let test: TestStore;
  let store: Store;

  beforeAll(async () => {
    test = await openTestStore();
    store = test.store;
  });

  afterAll(() => test.drop());

  const left = (project_uid: string) => test.database.collection('logs').countDocuments({ project_uid });

  it('deletes old logs of a project with their feedback, bodies and share in the tag counts, and nothing else', async () => {
    const project_uid = v4();
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
    const long = { text: 'x'.repeat(3 * 1024 * 1024) };
    const old = Array.from({ length: 501 }, (_, index) => {
      const created_at = daysAgo(8 + index / 501);
      return logRecord({ project_uid, created_at, tags: ['a'], response: index === 0 ? long : null });
    });
    const recent = logRecord({ project_uid, created_at: daysAgo(6), tags: ['a'], response: long });
    const foreign = logRecord({ project_uid: v4(), created_at: daysAgo(8) });
    await store.logs.insertMany([...old, recent, foreign]);
    for (const { _id: log_id } of [old[0]!, recent])
      await store.feedback.record({ project_uid, log_id, signal: signalOf() });
    await store.tags.apply();
    expect((await store.tags.list(project_uid, { limit: 1 })).tags).toEqual([{ tag: 'a', count: 502 }]);

    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(501);
    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(0);
    const leftIn = async (collection: string) =>
      test.database.collection(collection).countDocuments({ project_uid });
    expect([await leftIn('logs'), await leftIn('feedback'), await leftIn('log_bodies')]).toEqual([1, 1, 1]);
    expect((await store.tags.list(project_uid, { limit: 1 })).tags).toEqual([{ tag: 'a', count: 1 }]);
    expect(await store.logs.get({ id: recent._id })).toMatchObject({ response: long });
    expect(await store.logs.exists({ id: foreign._id })).toBe(true);
  });

  it('deletes many logs of the same moment', async () => {
    const project_uid = v4();
    const created_at = new Date(Date.now() - 8 * DAY_MS);
    await store.logs.insertMany(Array.from({ length: 450 }, () => logRecord({ project_uid, created_at })));
    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(450);
  });

  it('deletes logs whose time has just come', async () => {
    const project_uid = v4();
    const created_at = new Date(Date.now() - 7 * DAY_MS - 5_000);
    const logs = Array.from({ length: 300 }, (_, index) =>
      logRecord({ project_uid, created_at: new Date(created_at.getTime() + index), tags: [`tag:${index}`] }),
    );
    await store.logs.insertMany(logs);
    await store.tags.apply();
    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(300);
    expect((await store.tags.list(project_uid, { limit: 1 })).tags).toEqual([]);
    expect(await test.database.collection('tag_counts').countDocuments({ project_uid })).toBe(0);
  });

  it('deletes logs that were judged, changed or never counted, and keeps their usage in the counts', async () => {
    const project_uid = v4();
    const created_at = new Date(Date.now() - 8 * DAY_MS);
    const logs = Array.from({ length: 3 }, () => logRecord({ project_uid, created_at, tags: ['a'] }));
    await store.logs.insertMany(logs);
    const ids = logs.map(({ _id }) => _id);
    await store.tags.apply();
    await store.feedback.record({ project_uid, log_id: ids[0]!, signal: signalOf() });
    // Two logs of which the counts hold nothing yet, as one process leaves them that found another's log there.
    const again = [logs[0]!, logRecord({ project_uid, created_at, tags: ['a', 'b'] })];
    await store.logs.insertMany(again);
    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(4);
    expect((await store.tags.list(project_uid, { limit: 1 })).tags).toEqual([]);
    const all = await test.database
      .collection('hourly_counts')
      .findOne({ project_uid, bucket: 'day', by: 'all' });
    expect(all).toMatchObject({ requests: 4 });
  });

  it('keeps the counts right where several processes delete at once, and where one dies', async () => {
    const project_uid = v4();
    const oldest = Date.now() - 8 * DAY_MS;
    const logs = Array.from({ length: 900 }, (_, index) =>
      logRecord({
        project_uid,
        created_at: new Date(oldest + Math.floor(index / 3)),
        tags: ['a', `tag:${index % 7}`, `own:${index}`],
      }),
    );
    await store.logs.insertMany(logs);
    await store.tags.apply();
    const [other, dying] = [0, 1].map(() => connectStore({ uri: test.uri, logger: silentLogger }));
    const rules = [{ project_uid, days: 7 }];
    const dead = dying!.deleteExpired(rules).then(
      () => undefined,
      () => undefined,
    );
    await expect.poll(() => left(project_uid)).toBeLessThan(900);
    await dying!.close();
    await Promise.all([store.deleteExpired(rules), other!.deleteExpired(rules), dead]);
    await other!.close();
    expect(await left(project_uid)).toBe(0);
    await store.tags.apply();
    expect(await test.database.collection('tag_counts').find({ project_uid }).toArray()).toEqual([]);
  });

  it.each([
    ['logs that are a day late', 8 * DAY_MS],
    ['logs whose time has just come', 7 * DAY_MS + 1_000],
  ])('ends after the current batch of %s when it is told to stop', async (_which, age) => {
    const project_uid = v4();
    const created_at = new Date(Date.now() - age);
    await store.logs.insertMany(Array.from({ length: 600 }, () => logRecord({ project_uid, created_at })));
    const stop = new AbortController();
    const deleting = store.deleteExpired([{ project_uid, days: 7 }], stop.signal);
    stop.abort();
    const deleted = await deleting;
    expect(deleted).toBeGreaterThan(0);
    expect(deleted).toBeLessThan(600);
    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(600 - deleted);
  });

  it('deletes a log with more tags than fit into one transaction', async () => {
    const project_uid = v4();
    const created_at = new Date(Date.now() - 8 * DAY_MS);
    const tags = Array.from({ length: 2_500 }, (_, index) => `tag:${index}`);
    await store.logs.insertMany([
      logRecord({ project_uid, created_at, tags }),
      logRecord({ project_uid, tags: ['tag:0'] }),
    ]);
    await store.tags.apply();
    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(1);
    expect((await store.tags.list(project_uid, { limit: 2 })).tags).toEqual([{ tag: 'tag:0', count: 1 }]);
  });
});
