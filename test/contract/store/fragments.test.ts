import fc from 'fast-check';
import { v4 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/core/clock.js';
import type { JsonObject } from '../../../src/core/json.js';
import type { LogRecord, UnreadLog } from '../../../src/core/log-record.js';
import type { WalkedLog } from '../../../src/store/logs/log-walk.js';
import { connectStore, type Store } from '../../../src/store/store.js';
import { agentRequests, wordsOf } from '../../support/agent-requests.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';
import { openTestStore, type TestStore } from '../../support/test-store.js';

const DAY_MS = 86_400_000;

/** Stands still until somebody moves it. */
class HandClock implements Clock {
  #ms = Date.now();

  now = () => this.#ms;
  monotonic = () => this.#ms;

  pass(ms: number): void {
    this.#ms += ms;
  }
}

/** As the spool gives it. */
const unread = (record: LogRecord): UnreadLog => ({
  _id: record._id,
  json: Buffer.from(JSON.stringify(record)),
  read: () => record,
});

describe.skipIf(missingMongod !== null)('what logs repeat', () => {
  let test: TestStore;
  let store: Store;
  let clock: HandClock;
  const opened: Store[] = [];

  /** Another process on the same MongoDB, which has seen no fragment yet. */
  const open = (): Store => {
    const one = connectStore({ uri: test.uri, logger: silentLogger, clock });
    opened.push(one);
    return one;
  };

  beforeAll(async () => {
    test = await openTestStore();
  });

  beforeEach(() => {
    clock = new HandClock();
    store = open();
  });

  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  afterAll(() => test.drop());

  const conversation = (project_uid: string, turns: number, changes: Partial<LogRecord> = {}, seed = 1) =>
    agentRequests({ seed, turns }).map((request, turn) =>
      logRecord({ project_uid, request, created_at: new Date(clock.now() + turn), ...changes }),
    );
  const fragments = () => test.database.collection<{ _id: unknown; used_at: Date }>('log_fragments');
  const bytesOf = async (collection: string, project_uid: string) => {
    const [sum] = await test.database
      .collection(collection)
      .aggregate<{ bytes: number }>([
        { $match: { project_uid } },
        { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
      ])
      .toArray();
    return sum?.bytes ?? 0;
  };
  const read = async (from: Store, record: LogRecord) => {
    const { _id: id, project_uid } = record;
    expect(JSON.stringify(await from.logs.get({ id, project_uid }))).toBe(JSON.stringify(record));
  };
  const walked = async (from: Store, project_uid: string) => {
    const logs: WalkedLog[] = [];
    for await (const log of from.walk.logs(project_uid, {}, 'oldest')) logs.push(log);
    return logs.map(({ record }) => record);
  };

  it('is stored once: a conversation of twenty turns takes less than a fifth of the space of its texts', async () => {
    const project_uid = v4();
    const records = conversation(project_uid, 20);
    for (const record of records) await store.logs.insertMany([unread(record)]);
    for (const record of records) await read(store, record);
    const stored = (await bytesOf('logs', project_uid)) + (await bytesOf('log_fragments', project_uid));
    const texts = records.reduce((sum, record) => sum + JSON.stringify(record).length, 0);
    expect(stored).toBeLessThan(texts / 5);
  });

  it('is returned in every log as it was written, one by one and in an export', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.integer({ min: 0, max: 9 }).map((seed) => `${wordsOf(seed, 1_500)}"\\\n€🎉`),
      fc.constantFrom('\ud800', '\0', '$set', '[{"', 'x'.repeat(3_000)),
    );
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'assistant'), content: value }),
      fc.dictionary(fc.string(), fc.oneof(value, fc.jsonValue())),
    );
    const list = fc.array(message, { maxLength: 8 });
    const request = fc.record(
      {
        model: value,
        messages: list,
        system: fc.oneof(value, list),
        tools: list,
        contents: list,
        input: value,
      },
      { requiredKeys: ['model'] },
    );
    const api = fc.constantFrom('openai.chat', 'anthropic.messages', 'gemini.generate', 'openai.responses');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ request, api, isText: fc.boolean() }), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (some, isTogether) => {
          const project_uid = v4();
          const records = some.map(({ request, api }, index) =>
            logRecord({
              project_uid,
              api: api as LogRecord['api'],
              request: JSON.parse(JSON.stringify(request)) as JsonObject,
              created_at: new Date(clock.now() + index),
            }),
          );
          const logs = records.map((record, index) => (some[index]!.isText ? unread(record) : record));
          if (isTogether) await store.logs.insertMany(logs);
          else for (const log of logs) await store.logs.insertMany([log]);
          for (const record of records) await read(store, record);
          expect(JSON.stringify(await walked(store, project_uid))).toBe(JSON.stringify(records));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('can be searched for its words and compared with other answers as before', async () => {
    const project_uid = v4();
    const [first, second, third] = conversation(project_uid, 3);
    // Written before there were fragments.
    const old = logRecord({ project_uid, request: first!.request });
    await test.database.collection('logs').insertOne({ ...old, _prompt: 'p', _signals: [] } as never);
    await store.logs.insertMany([first!, second!, third!, { ...third!, _id: v4() }]);
    const word = wordsOf(1_003, 1_000).split(' ')[5]!;
    const { logs } = await store.logs.list(project_uid, { q: word }, { limit: 10 });
    expect(logs.map(({ _id }) => _id)).toContain(second!._id);
    expect(logs[0]).not.toHaveProperty('request');
    const [pair] = (await store.pairs.list(project_uid, {}, 5)).groups;
    expect(pair?.logs.map(({ request }) => request)).toEqual([third!.request, third!.request]);
    await read(store, old);
  });

  it('is read in few queries when many logs are read', async () => {
    const project_uid = v4();
    await store.logs.insertMany(
      [1, 2, 3].flatMap((seed) => conversation(project_uid, 15, {}, seed)).map(unread),
    );
    await test.database.command({ profile: 2 });
    expect(await walked(store, project_uid)).toHaveLength(45);
    await store.logs.list(project_uid, { q: 'word' }, { limit: 10 });
    await test.database.command({ profile: 0 });
    const ns = `${test.database.databaseName}.log_fragments`;
    const queries = await test.database.collection('system.profile').countDocuments({ ns, op: 'query' });
    expect(queries).toBeLessThanOrEqual(2);
  });

  it('is stored for each project apart', async () => {
    const [mine, theirs] = [v4(), v4()];
    for (const project of [mine, theirs]) {
      for (const record of conversation(project, 3)) await store.logs.insertMany([record]);
    }
    const count = (project_uid: string) => fragments().countDocuments({ project_uid });
    expect(await count(mine)).toBeGreaterThan(3);
    expect(await count(theirs)).toBe(await count(mine));
    await fragments().deleteMany({ project_uid: theirs });
    for (const record of await walked(store, mine)) await read(store, record);
  });

  it('is written once when many processes write it at the same time', async () => {
    const project_uid = v4();
    const records = conversation(project_uid, 6);
    const processes = Array.from({ length: 6 }, open);
    await Promise.all(processes.map((one, index) => one.logs.insertMany([unread(records[index]!)])));
    for (const record of records) await read(store, record);
    const alone = v4();
    await open().logs.insertMany(conversation(alone, 6).map(unread));
    // Each process keeps in its log what it saw for the first time and may not see again.
    const count = (uid: string) => fragments().countDocuments({ project_uid: uid });
    expect(await count(project_uid)).toBeLessThanOrEqual(await count(alone));
  });

  it('is written in one transaction with its log where there is little of it', async () => {
    const project_uid = v4();
    const [first, second, third] = conversation(project_uid, 3);
    await store.logs.insertMany([first!, second!].map(unread));
    await store.logs.insertMany([unread(third!)]);
    const name = test.database.databaseName;
    const transaction = await test.database.client
      .db('local')
      .collection('oplog.rs')
      .findOne({ 'o.applyOps.o._id': third!._id });
    const written = (transaction!.o.applyOps as { ns: string }[]).map(({ ns }) => ns);
    expect(new Set(written)).toEqual(
      new Set([`${name}.log_fragments`, `${name}.logs`, `${name}.pending_counts`]),
    );
    await read(open(), third!);
  });

  it('stays where a process died before writing the log, and is not written again', async () => {
    const project_uid = v4();
    const records = conversation(project_uid, 4);
    await store.logs.insertMany(records.map(unread));
    const before = await fragments().find({ project_uid }).toArray();
    const ids = records.map(({ _id }) => _id);
    await test.database.collection<{ _id: string }>('logs').deleteMany({ _id: { $in: ids } });
    // The next process ships them from the spool.
    const next = open();
    expect(await next.logs.insertMany(records.map(unread))).toMatchObject({ stored: ids, refused: [] });
    // And again, where it died before it could note that.
    expect(await open().logs.insertMany(records.map(unread))).toMatchObject({ stored: ids, refused: [] });
    expect(await fragments().find({ project_uid }).toArray()).toEqual(before);
    for (const record of records) await read(next, record);
  });

  it('is an error, not a shorter log, where a fragment is missing', async () => {
    const project_uid = v4();
    const records = conversation(project_uid, 4);
    await store.logs.insertMany(records.map(unread));
    await fragments().deleteOne({ project_uid });
    const { _id: id } = records[3]!;
    await expect(store.logs.get({ id, project_uid })).rejects.toThrow(
      new RegExp(`the request of log ${id} cannot be put together: 1 of its \\d+ fragments are missing`),
    );
    await expect(walked(store, project_uid)).rejects.toThrow('cannot be put together');
    const { logs } = await store.logs.list(project_uid, {}, { limit: 10 });
    expect(logs.length).toBe(4);
  });

  it('is deleted when the last log that may refer to it was deleted', async () => {
    const project_uid = v4();
    const rules = [{ project_uid, days: 7 }];
    const records = conversation(project_uid, 4);
    await store.logs.insertMany(records.map(unread));
    const all = await fragments().countDocuments({ project_uid });
    clock.pass(5 * DAY_MS);
    const [late] = conversation(project_uid, 4).slice(3);
    await store.logs.insertMany([unread(late!)]);
    clock.pass(6 * DAY_MS);
    expect(await store.deleteExpired(rules)).toBe(4);
    await read(store, late!);
    clock.pass(DAY_MS + 10);
    expect(await store.deleteExpired(rules)).toBe(1);
    expect(await fragments().countDocuments({ project_uid })).toBe(all);
    clock.pass(2 * DAY_MS);
    await store.deleteExpired(rules);
    expect(await fragments().countDocuments({ project_uid })).toBe(0);
    // A log that comes then writes them anew.
    const [next] = conversation(project_uid, 4).slice(3);
    await store.logs.insertMany([unread(next!)]);
    await read(store, next!);
  });

  it('needs no write where its fragment was used within the last day', async () => {
    const project_uid = v4();
    const ship = async (from: Store) => {
      await from.logs.insertMany(conversation(project_uid, 3).map(unread));
      const [oldest] = await fragments().find({ project_uid }).sort({ used_at: 1 }).toArray();
      return oldest!.used_at.getTime() - clock.now();
    };
    expect(await ship(store)).toBe(0);
    clock.pass(0.9 * DAY_MS);
    expect(await ship(store)).toBe(-0.9 * DAY_MS);
    expect(await ship(open())).toBe(-0.9 * DAY_MS);
    clock.pass(0.2 * DAY_MS);
    expect(await ship(store)).toBe(0);
  });

  it('keeps bodies over 2 MiB in fragments, of which only the last turn is new', async () => {
    const project_uid = v4();
    const messages = Array.from({ length: 8 }, (_none, seed) => ({
      role: seed % 2 === 0 ? 'user' : 'assistant',
      content: wordsOf(seed, 700_000),
    }));
    const request = { model: 'long', messages };
    const text = JSON.stringify(request, null, 1);
    const record = logRecord({ project_uid, request: null, _large: { request: Buffer.from(text) } });
    const next = { ...record, _id: v4() };
    await store.logs.insertMany([record, next]);
    const found = await store.logs.getVersioned({ id: next._id, project_uid });
    expect(JSON.stringify(found?.log.request)).toBe(JSON.stringify(request));
    expect(found?.isLarge).toBe(true);
    expect(await test.database.collection('log_bodies').countDocuments({ project_uid })).toBe(0);
    expect(await bytesOf('log_fragments', project_uid)).toBeLessThan(1.1 * text.length);
  });
});
