import { v4 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../src/core/log-record.js';
import type { LogFilter } from '../../../src/store/logs/search/log-filter.js';
import { connectStore, type Store } from '../../../src/store/store.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';
import { openTestStore, type TestStore } from '../../support/test-store.js';

/** So many logs one query looks at here; it is 4,000 otherwise. */
const REACH = 40;
const LOGS = 300;
const START = Date.UTC(2026, 0, 1);

/** Two frequent conditions that hold together for two logs only: the oldest and the newest of all. */
const RARE: LogFilter = { endpoint: ['even'], model: ['local/odd'] };

describe.skipIf(missingMongod !== null)('where there are more logs than one query looks at', () => {
  let test: TestStore;
  let store: Store;
  let project_uid: string;
  let records: LogRecord[];

  beforeAll(async () => {
    test = await openTestStore();
    const listReach = { byIndex: REACH, byLog: REACH };
    store = connectStore({ uri: test.uri, logger: silentLogger, listReach });
  });

  afterAll(async () => {
    await store.close();
    await test.drop();
  });

  beforeEach(async () => {
    project_uid = v4();
    records = Array.from({ length: LOGS }, (_none, index) => {
      const isEdge = index === 0 || index === LOGS - 1;
      return logRecord({
        project_uid,
        created_at: new Date(START + index * 1000),
        endpoint: isEdge || index % 2 === 0 ? 'even' : 'odd',
        model: isEdge || index % 2 === 1 ? 'local/odd' : 'local/even',
        request: { messages: [{ role: 'user', content: isEdge ? 'the edge' : `the middle ${index}` }] },
      });
    });
    await store.logs.insertMany(records);
  });

  const first = () => records[0]!._id;
  const last = () => records[LOGS - 1]!._id;

  /** The most keys and logs that one command read. */
  const mostReadBy = async (work: () => Promise<unknown>) => {
    await test.database.command({ profile: 0 });
    const profile = test.database.collection('system.profile');
    await profile.drop();
    await test.database.command({ profile: 2 });
    await work();
    await test.database.command({ profile: 0 });
    const commands = await profile.find({ ns: `${test.database.databaseName}.logs` }).toArray();
    expect(commands.length).toBeGreaterThan(0);
    return Math.max(
      ...commands.map(({ keysExamined = 0, docsExamined = 0 }) => Math.max(keysExamined, docsExamined)),
    );
  };

  it.each(['oldest', 'newest'] as const)(
    'an export continues, %s first, until it has looked at all of them',
    async (order) => {
      const ids: string[] = [];
      const read = async () => {
        for await (const { record } of store.walk.logs(project_uid, RARE, order)) ids.push(record._id);
      };
      expect(await mostReadBy(read)).toBeLessThanOrEqual(2 * REACH);
      expect(ids).toEqual(order === 'oldest' ? [first(), last()] : [last(), first()]);
    },
  );

  it('an export of judged logs reads no others', async () => {
    for (const log_id of [first(), last()]) {
      await store.logs.patch({ id: log_id, project_uid }, { quality_rating: '👍' });
    }
    const ids: string[] = [];
    const read = async () => {
      const logs = store.walk.logs(project_uid, { rated: true }, 'oldest');
      for await (const { record } of logs) ids.push(record._id);
    };
    expect(await mostReadBy(read)).toBeLessThanOrEqual(4);
    expect(ids).toEqual([first(), last()]);
  });

  it('a change of many logs is a job, since their number is unknown, and reaches all of them', async () => {
    let change: Promise<unknown> = Promise.resolve();
    const most = await mostReadBy(async () => {
      change = store.jobs.changeLogs(project_uid, {
        target: { filter: RARE },
        change: { add_tags: ['edge'] },
        maxTags: 256,
        maxSignals: 100,
      });
      await change;
      await store.jobs.work(new AbortController().signal);
    });
    expect(most).toBeLessThanOrEqual(2 * REACH);
    const { job_id } = (await change) as { job_id: string };
    expect(await store.jobs.get(project_uid, job_id)).toMatchObject({
      state: 'done',
      matched: 2,
      changed: 2,
      total: 2,
    });
    const { logs } = await store.logs.list(project_uid, { tags_any: ['edge'] }, { limit: 9 });
    expect(logs.map(({ _id }) => _id)).toEqual([last(), first()]);
  });

  it('a queue looks beyond judged logs, and says how far it looked where it gives up', async () => {
    const ask = (filter: LogFilter) =>
      store.queue.next({ project_uid, holder: 'me', filter, skip: [last()] });
    const found = await ask(RARE);
    expect(found).toMatchObject({ log: { _id: first() }, left: 1 });
    const nothing: LogFilter = { endpoint: ['even'], min_tokens: 1_000 };
    expect(await ask(nothing)).toEqual({});
    // All of them fit, and all but the oldest are judged.
    const judged = records.slice(1).map(({ _id }) => _id);
    await test.database
      .collection<{ _id: string }>('logs')
      .updateMany({ _id: { $in: judged } }, { $set: { quality_rating: '👍' } });
    let answer: unknown;
    const most = await mostReadBy(async () => {
      answer = await ask({});
    });
    expect(most).toBeLessThanOrEqual(2 * REACH);
    const oldest = LOGS - 5 * REACH;
    const end = new Date(START + oldest * 1000);
    expect(answer).toEqual({ looked: { searched: 5 * REACH, end } });
    expect(await ask({ to: end })).toMatchObject({ log: { _id: first() }, left: 1 });
  });

  it('pairs and searches for words say how far they looked', async () => {
    const most = await mostReadBy(async () => {
      expect(await store.pairs.list(project_uid, RARE, 5)).toEqual({ groups: [], searched: REACH });
      const { logs, searched } = await store.logs.list(project_uid, { ...RARE, q: 'the edge' }, { limit: 5 });
      expect(logs.map(({ _id }) => _id)).toEqual([last()]);
      expect(searched).toBe(REACH);
    });
    expect(most).toBeLessThanOrEqual(2 * REACH);
  });
});
