import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { signalOf } from '../../support/signal.js';
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

  it('deletes old logs of a project with their feedback, bodies and share in the tag counts, and nothing else', async () => {
    const project_uid = v4();
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
    const long = { text: 'x'.repeat(3 * 1024 * 1024) };
    const old = Array.from({ length: 501 }, (_, index) =>
      logRecord({ project_uid, created_at: daysAgo(8), tags: ['a'], response: index === 0 ? long : null }),
    );
    const recent = logRecord({ project_uid, created_at: daysAgo(6), tags: ['a'], response: long });
    const foreign = logRecord({ project_uid: v4(), created_at: daysAgo(8) });
    await store.logs.insertMany([...old, recent, foreign]);
    for (const { _id: log_id } of [old[0]!, recent])
      await store.feedback.record({ project_uid, log_id, signal: signalOf() });
    await store.tags.apply();
    expect((await store.tags.list(project_uid, { limit: 1 })).tags).toEqual([{ tag: 'a', count: 502 }]);

    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(501);
    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(0);
    const left = async (collection: string) =>
      test.database.collection(collection).countDocuments({ project_uid });
    expect([await left('logs'), await left('feedback'), await left('log_bodies')]).toEqual([1, 1, 1]);
    expect((await store.tags.list(project_uid, { limit: 1 })).tags).toEqual([{ tag: 'a', count: 1 }]);
    expect(await store.logs.get({ id: recent._id })).toMatchObject({ response: long });
    expect(await store.logs.exists({ id: foreign._id })).toBe(true);
  });

  it('ends after the current batch when it is told to stop', async () => {
    const project_uid = v4();
    const created_at = new Date(Date.now() - 8 * DAY_MS);
    await store.logs.insertMany(Array.from({ length: 101 }, () => logRecord({ project_uid, created_at })));
    const stop = new AbortController();
    const deleting = store.deleteExpired([{ project_uid, days: 7 }], stop.signal);
    stop.abort();
    expect(await deleting).toBe(100);
    expect(await store.deleteExpired([{ project_uid, days: 7 }])).toBe(1);
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
