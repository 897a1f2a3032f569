import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import type { LogRecord, PluginRun } from '../../../src/core/log-record.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import type { Store } from '../../../src/store/store.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { openTestStore, type TestStore } from '../../support/test-store.js';

describe.skipIf(missingMongod !== null)('the store of logs', () => {
  let test: TestStore;
  let store: Store;

  beforeAll(async () => {
    test = await openTestStore();
    store = test.store;
  });

  afterAll(() => test.drop());

  async function stored(record: LogRecord): Promise<LogRecord | undefined> {
    expect(await store.logs.insertMany([record])).toMatchObject({ stored: [record._id], refused: [] });
    return store.logs.get({ id: record._id, project_uid: record.project_uid });
  }

  it('returns a log as it was', async () => {
    const record = logRecord({ metadata: { task: 'support' }, tags: ['task:support'] });
    expect(await stored(record)).toEqual(record);
  });

  it('stores the fields of a log so that a person can read them in the collection', async () => {
    const record = logRecord({ metadata: { 'a.b': 1, $c: 'd' } });
    await stored(record);
    expect(
      await test.database.collection<{ _id: string }>('logs').findOne({ _id: record._id }),
    ).toMatchObject({
      project_uid: record.project_uid,
      created_at: record.created_at,
      request: record.request,
      response: record.response,
      metadata: record.metadata,
    });
  });

  it('returns metadata as it was, whatever its keys', async () => {
    const metadata = JSON.parse(
      '{"a.b":1,"$set":{"$inc":2},"__proto__":{"x":1},"👍":null,"":"empty","constructor":[{}],"_bsontype":"ObjectId",' +
        '"ref":{"$ref":"a","$id":"b","$db":"c"},"lone":"\\ud800","\\udc00":[-0.5,1e21,9007199254740991]}',
    ) as JsonObject;
    const log = await stored(logRecord({ metadata }));
    expect(JSON.stringify(log?.metadata)).toBe(JSON.stringify(metadata));
  });

  it('returns any JSON as it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 6 }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        async (json, metadata) => {
          const record = logRecord({
            request: JSON.parse(json),
            response: JSON.parse(json),
            metadata: metadata as JsonObject,
          });
          expect(JSON.stringify(await stored(record))).toBe(JSON.stringify(record));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stores a body that is nested deeper than MongoDB allows', async () => {
    let request: JsonObject = { end: true };
    for (let depth = 0; depth < 400; depth++) request = { deeper: request };
    expect((await stored(logRecord({ request })))?.request).toEqual(request);
  });

  it('stores bodies that are larger than a document may be, and reads them whole', async () => {
    const text = Array.from({ length: 2_000_000 }, (_, index) => index.toString(36)).join(' ');
    const record = logRecord({ request: { text: text + text }, response: { text } });
    const log = await stored(record);
    expect(JSON.stringify(log) === JSON.stringify(record)).toBe(true);
    await stored(record);
  });

  it('reports a log that exists already as stored, and leaves it unchanged', async () => {
    const record = logRecord();
    await stored(record);
    const fresh = logRecord();
    const result = await store.logs.insertMany([{ ...record, endpoint: 'other' }, fresh]);
    expect(result).toEqual({ stored: [record._id, fresh._id], refused: [], amended: false });
    expect((await store.logs.get({ id: record._id }))?.endpoint).toBe('support');
  });

  it('writes logs completely where another writer disturbed the first attempt', async () => {
    const record = logRecord({ tags: ['late'], metadata: { case: 'late' } });
    const client = new MongoClient(test.uri);
    const session = client.startSession();
    session.startTransaction();
    const logs = client.db().collection<{ _id: string }>('logs');
    await logs.insertOne({ _id: record._id }, { session });
    const refused = async () => {
      const { transactions } = await test.database.admin().serverStatus();
      return transactions.totalAborted as number;
    };
    const before = await refused();
    const inserted = store.logs.insertMany([record]);
    await waitFor('the first try is refused', async () => (await refused()) > before, { timeoutMs: 10_000 });
    await session.abortTransaction();
    expect(await inserted).toEqual({ stored: [record._id], refused: [], amended: true });
    await session.endSession();
    await client.close();
    expect(await store.logs.get({ id: record._id })).toEqual(record);
  });

  it('accepts logs as text, and skips what is not a log', async () => {
    const records = [
      logRecord({ metadata: { case: 'text' }, tags: ['case:text'] }),
      // These two have to be read.
      logRecord({ response: { text: '\ud800' } }),
      logRecord({ request: { $ref: 'a', $id: 1 } }),
    ];
    const texts = records.map((record) => ({
      _id: record._id,
      json: Buffer.from(JSON.stringify(record)),
      read: () => record,
    }));
    const broken = { _id: 'broken', json: Buffer.from('{"_id":"broken"'), read: () => undefined };
    const ids = records.map(({ _id }) => _id);
    const result = await store.logs.insertMany([...texts, broken]);
    expect(result).toEqual({ stored: ids, refused: [], amended: true });
    for (const record of records) expect(await store.logs.get({ id: record._id })).toEqual(record);
    // A second time each is tried alone.
    expect(await store.logs.insertMany([broken, ...texts])).toEqual({ ...result, amended: false });
  });

  it('writes more at once than one command of MongoDB can hold', async () => {
    const records = Array.from({ length: 6 }, () => logRecord({ trace_id: 'x'.repeat(9 * 1024 * 1024) }));
    const ids = records.map(({ _id }) => _id);
    // A slow MongoDB gets them once more, without what is to be noted on them.
    const { stored, refused } = await store.logs.insertMany(records);
    expect({ stored, refused }).toEqual({ stored: ids, refused: [] });
    expect(await store.logs.get({ id: ids[5]! })).toEqual(records[5]);
  });

  it('stores the others where MongoDB refuses one record, and says why', async () => {
    const good = logRecord();
    const bad = logRecord({ tags: ['x'.repeat(17 * 1024 * 1024)] });
    const result = await store.logs.insertMany([bad, good]);
    expect(result.stored).toEqual([good._id]);
    expect(result.refused).toEqual([{ id: bad._id, reason: expect.stringMatching(/larger/) }]);
  });

  it('finds no log of another project', async () => {
    const record = logRecord();
    await stored(record);
    expect(await store.logs.get({ id: record._id, project_uid: v7() })).toBeUndefined();
    expect(await store.logs.patch({ id: record._id, project_uid: v7() }, { tags: ['a'] })).toBeUndefined();
  });

  it('replaces metadata as a whole, and leaves the tags', async () => {
    const record = logRecord({ metadata: { a: { b: 1 }, c: 2 }, tags: ['c:2'] });
    await stored(record);
    const metadata = JSON.parse('{"a":{"x":"$c"},"$d":"$$ROOT","__proto__":1}') as JsonObject;
    const patched = await store.logs.patch({ id: record._id }, { metadata });
    expect(JSON.stringify(patched?.log.metadata)).toBe(JSON.stringify(metadata));
    expect(patched?.log.tags).toEqual(['c:2']);
  });

  it('replaces metadata that BSON cannot represent, in both directions', async () => {
    const record = logRecord({ metadata: { lone: '\ud800' } });
    await stored(record);
    expect((await store.logs.patch({ id: record._id }, { metadata: { a: 1 } }))?.log.metadata).toEqual({
      a: 1,
    });
    const patched = await store.logs.patch({ id: record._id }, { metadata: { lone: '\udfff' } });
    expect(patched?.log.metadata).toEqual({ lone: '\udfff' });
  });

  it('sets tags and rating, and removes the rating again', async () => {
    const record = logRecord({ tags: ['old'] });
    await stored(record);
    const rated = await store.logs.patch(
      { id: record._id },
      { tags: ['$b', 'a', '$b'], quality_rating: '👍' },
    );
    expect(rated?.log).toMatchObject({ tags: ['$b', 'a'], quality_rating: '👍' });
    expect((await store.logs.patch({ id: record._id }, { quality_rating: null }))?.log).toMatchObject({
      tags: ['$b', 'a'],
      quality_rating: null,
    });
  });

  it('applies an amendment once, however often it arrives', async () => {
    const record = logRecord({ tags: ['a'] });
    await stored(record);
    const run = {
      plugin: 'judge',
      phase: 'log',
      outcome: 'passed',
      duration_ms: 1,
      findings: [],
      debug: { $ref: 'x', $id: 'y' },
    } as const;
    const amendment = {
      log_id: record._id,
      plugin_runs: [{ ...run, findings: [] }],
      add_tags: ['b', 'a', 'b'],
    };
    expect(await store.logs.amend(amendment)).toBe(true);
    expect(await store.logs.amend(amendment)).toBe(true);
    expect(await store.logs.get({ id: record._id })).toMatchObject({ tags: ['a', 'b'], plugin_runs: [run] });
  });

  it('gives a log that lands with its amendments the same content as one that is amended later', async () => {
    const run: PluginRun = { plugin: 'judge', phase: 'log', outcome: 'passed', duration_ms: 1, findings: [] };
    const amendment = fc.record({
      plugin_runs: fc.array(fc.constant(run), { maxLength: 2 }),
      add_tags: fc.array(fc.constantFrom('a', 'b', '__proto__', '$c'), { maxLength: 3 }),
      log_phase: fc.constantFrom(undefined, true as const),
    });
    const lists = fc.array(amendment, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lists, fc.boolean(), async (list, due) => {
        const changes = { tags: ['a'], project_uid: v7(), ...(due ? { _log_phase_due: true as const } : {}) };
        const [together, apart] = [logRecord(changes), logRecord(changes)];
        const of = ({ _id }: LogRecord) => list.map((one) => ({ ...one, log_id: _id }));
        const landed = await store.logs.insertMany([together], new Map([[together._id, of(together)]]));
        expect(landed).toEqual({ stored: [together._id], refused: [], amended: true });
        await store.logs.insertMany([apart]);
        for (const one of of(apart)) await store.logs.amend(one);
        // What comes once more changes nothing, whichever way it came first.
        for (const one of of(together)) expect(await store.logs.amend(one)).toBe(true);
        const shown = async ({ _id }: LogRecord) => {
          const { tags, plugin_runs, ...rest } = (await store.logs.get({ id: _id }))!;
          const stored = await test.database
            .collection<{ _id: string; _log_phase_due?: true }>('logs')
            .findOne({ _id });
          return { tags, plugin_runs, status: rest.status, due: stored?._log_phase_due };
        };
        expect(await shown(together)).toEqual(await shown(apart));
        const counts = await store.tags.list(changes.project_uid, { limit: 10 });
        const { tags } = await shown(apart);
        expect(counts.tags.map(({ tag, count }) => [tag, count]).sort()).toEqual(
          tags.map((tag) => [tag, 2]).sort(),
        );
      }),
      { numRuns: 25 },
    );
  });

  async function dueLogs(project_uid: string, engine?: { id: string; startedAt: Date }) {
    const found: LogRecord[] = [];
    for await (const record of store.logs.dueForLogPhase(engine))
      if (record.project_uid === project_uid) found.push(record);
    return found;
  }

  it('gives a log whose LOG phase is due to one process only, until the phase ends or that process is long gone', async () => {
    const project_uid = v7();
    const left = Array.from({ length: 25 }, () =>
      logRecord({ project_uid, _log_phase_due: true, _span_id: 'b7ad6b7169203331' }),
    );
    await store.logs.insertMany(left);
    const collect = () => dueLogs(project_uid);
    const logs = test.database.collection<{ _id: string }>('logs');
    const over = { $set: { _log_phase_claimed_until: { $subtract: ['$$NOW', 1] } } };
    // What its plugins did may be on its way as long as it has just landed.
    expect(await collect()).toEqual([]);
    await logs.updateMany({ project_uid }, [over]);
    const given = (await Promise.all([collect(), collect(), collect()])).flat();
    expect(given.map(({ _id }) => _id).sort()).toEqual(left.map(({ _id }) => _id).sort());
    // The span of its plugins stands below it.
    expect(given[0]).toMatchObject({ _span_id: 'b7ad6b7169203331' });
    expect(await collect()).toEqual([]);

    const [done, lost] = given as [LogRecord, LogRecord];
    await store.logs.amend({ log_id: done._id, plugin_runs: [], add_tags: [], log_phase: true });
    const ids = { $in: [done._id, lost._id] };
    await logs.updateMany({ _id: ids, _log_phase_claimed_until: { $exists: true } }, [over]);
    expect((await collect()).map(({ _id }) => _id)).toEqual([lost._id]);
  });

  it('leaves a LOG phase to the engine that runs it, and gives it back to that engine after a restart', async () => {
    const project_uid = v7();
    const until = Date.now() + 600_000;
    const log = logRecord({
      project_uid,
      _log_phase_due: true,
      _log_phase_claim: { engine: 'first', until },
    });
    await store.logs.insertMany([log]);
    const [before, after] = [-1, 1].map((ms) => new Date(log.created_at.getTime() + ms)) as [Date, Date];
    const ids = async (engine?: { id: string; startedAt: Date }) =>
      (await dueLogs(project_uid, engine)).map(({ _id }) => _id);
    expect(await ids()).toEqual([]);
    expect(await ids({ id: 'second', startedAt: after })).toEqual([]);
    expect(await ids({ id: 'first', startedAt: before })).toEqual([]);
    expect(await ids({ id: 'first', startedAt: after })).toEqual([log._id]);
    // It runs there now: the next look must not find it once more.
    expect(await ids({ id: 'first', startedAt: after })).toEqual([]);
  });

  it('gives out a log of an older version, which nobody claimed, when it is a minute old', async () => {
    const project_uid = v7();
    const ages = [30_000, 90_000];
    const records = ages.map((age) =>
      logRecord({ project_uid, created_at: new Date(Date.now() - age), _log_phase_due: true }),
    );
    await store.logs.insertMany(records);
    await test.database
      .collection('logs')
      .updateMany({ project_uid }, { $unset: { _log_phase_claimed_until: '' } });
    expect((await dueLogs(project_uid)).map(({ _id }) => _id)).toEqual([records[1]!._id]);
  });

  it('reports an amendment whose log does not exist', async () => {
    expect(await store.logs.amend({ log_id: v7(), plugin_runs: [], add_tags: ['a'] })).toBe(false);
  });
});
