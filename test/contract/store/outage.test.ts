import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectStore, type Store } from '../../../src/store/store.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod, type OwnMongod, startOwnMongod } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

describe.skipIf(missingMongod !== null)('the store while MongoDB is away', () => {
  let mongod: OwnMongod;
  let store: Store;

  beforeAll(async () => {
    mongod = await startOwnMongod();
    store = connectStore({ uri: mongod.uri, logger: silentLogger });
    await store.ensureIndexes();
  });

  afterAll(async () => {
    await store.close();
    await mongod.stop();
  });

  async function untilStored(record: ReturnType<typeof logRecord>): Promise<string[]> {
    for (;;) {
      const result = await store.logs.insertMany([record]).catch(() => undefined);
      if (result !== undefined) return result.stored;
      await sleep(50);
    }
  }

  it('reports the outage for every kind of call, and recovers by itself', async () => {
    const before = logRecord();
    await store.logs.insertMany([before]);
    await mongod.kill();
    const project = before.project_uid;
    const away = { code: 'storage_unavailable', status: 503 };
    try {
      const calls = [
        store.ping(),
        store.logs.insertMany([logRecord()]),
        store.logs.get({ id: before._id }),
        store.logs.patch({ id: before._id }, { tags: [] }),
        store.logs.list(project, {}, { limit: 1 }),
        store.judgements.removeSignal(project, before._id, before._id),
        store.directory.load(),
      ];
      for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: away });
    } finally {
      await mongod.restart();
    }
    const after = logRecord();
    expect(await untilStored(after)).toEqual([after._id]);
    expect(await store.logs.get({ id: before._id })).toEqual(before);
  });

  it('gives no figures whose indexes are still missing, and lists what it finds', async () => {
    const bare = connectStore({ uri: mongod.uri.replace('/test', '/bare'), logger: silentLogger });
    const record = logRecord();
    await bare.logs.insertMany([record]);
    await expect(bare.tags.list(record.project_uid, { limit: 1 })).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    // A list does without its index, which can take hours to build.
    const { logs } = await bare.logs.list(record.project_uid, { max_score: 1 }, { limit: 1 });
    expect(logs).toEqual([]);
    await bare.close();
  });

  it('gives up on a mongod that hangs, and recovers by itself', async () => {
    process.kill(mongod.pid, 'SIGSTOP');
    try {
      await expect(store.logs.insertMany([logRecord()])).rejects.toMatchObject({
        code: 'storage_unavailable',
      });
    } finally {
      process.kill(mongod.pid, 'SIGCONT');
    }
    const record = logRecord();
    expect(await untilStored(record)).toEqual([record._id]);
  });
});
