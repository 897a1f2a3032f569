import { BSON } from 'mongodb';
import { v4, v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.js';
import { waitFor } from '../../../src/local/processes/wait.js';
import { connectStore, type Store } from '../../../src/store/store.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod } from '../../support/mongod.js';
import { signalOf } from '../../support/signal.js';
import { silentLogger } from '../../support/silent-logger.js';
import { openTestStore, type TestStore } from '../../support/test-store.js';

const MINUTE_MS = 60_000;

describe.skipIf(missingMongod !== null)('the store of feedback', () => {
  let test: TestStore;
  let store: Store;

  beforeAll(async () => {
    test = await openTestStore();
    store = test.store;
  });

  afterAll(() => test.drop());

  async function landed() {
    const record = logRecord();
    await store.logs.insertMany([record]);
    return { project_uid: record.project_uid, log_id: record._id };
  }

  const rating = async (id: string) => {
    const log = await store.logs.get({ id });
    return { count: log?.feedback_count, score: log?.score };
  };

  it('computes the score of a log from the weights of its signals', async () => {
    const log = await landed();
    await store.feedback.record({ ...log, signal: signalOf({ score: 1, weight: 0.25 }) });
    await store.feedback.record({ ...log, signal: signalOf({ score: -0.5, weight: 0.75 }) });
    expect(await rating(log.log_id)).toEqual({ count: 2, score: -0.125 });
  });

  it('refuses more signals than a log may have, even before the log has landed', async () => {
    const landing = { project_uid: logRecord().project_uid, log_id: v7() };
    for (const log of [await landed(), landing]) {
      const record = () => store.feedback.record({ ...log, signal: signalOf(), maxSignals: 2 });
      await record();
      await record();
      await expect(record()).rejects.toMatchObject({ code: 'too_many_signals', status: 409 });
    }
  });

  it('refuses more bytes of signals for one log than an export can read', async () => {
    const log = await landed();
    const large = signalOf({ qualitative_feedback: 'x'.repeat(12 * 1024 * 1024) });
    for (let count = 0; count < 3; count++) await store.feedback.record({ ...log, signal: large });
    const more = store.feedback.record({ ...log, signal: signalOf() });
    await expect(more).rejects.toMatchObject({ code: 'too_many_signals', status: 409 });
  });

  it('skips, in a sweep, a signal that its log cannot take', async () => {
    const [full, fine] = [await landed(), await landed()];
    const collection = test.database.collection<{ _id: string }>('logs');
    // As large as a document can be, but for less than a signal takes.
    const document = await collection.findOne({ _id: full.log_id });
    const filler = 'x'.repeat(16 * 1024 * 1024 - BSON.calculateObjectSize(document!) - 50);
    await collection.updateOne({ _id: full.log_id }, { $set: { filler } });
    const waiting = test.database.collection<{ _id: string }>('feedback');
    for (const log of [full, fine]) {
      const { log_id, project_uid } = log;
      const base = { _id: v4(), project_uid, log_id, created_at: new Date(), _pending: true };
      await waiting.insertOne({ ...base, ...signalOf() } as never);
    }
    await store.feedback.sweep();
    expect(await rating(fine.log_id)).toMatchObject({ count: 1 });
  });

  it('gives no score where the weights add up to nothing', async () => {
    const log = await landed();
    await store.feedback.record({ ...log, signal: signalOf({ weight: 0 }) });
    expect(await rating(log.log_id)).toEqual({ count: 1, score: null });
  });

  it('shows the score that was given, without errors of floating point', async () => {
    const log = await landed();
    await store.feedback.record({ ...log, signal: signalOf({ score: 0.7, weight: 0.9 }) });
    expect(await rating(log.log_id)).toEqual({ count: 1, score: 0.7 });
  });

  it('stays correct when many add and remove feedback on one log at once', async () => {
    const log = await landed();
    const given = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        store.feedback.record({ ...log, signal: signalOf({ score: index % 2 === 0 ? 1 : -1, weight: 0.5 }) }),
      ),
    );
    expect(await rating(log.log_id)).toEqual({ count: 60, score: 0 });
    const odd = given.filter((_, index) => index % 2 === 1);
    await Promise.all(odd.map(({ id }) => store.judgements.removeSignal(log.project_uid, log.log_id, id)));
    expect(await rating(log.log_id)).toEqual({ count: 30, score: 1 });
  });

  it('returns signals as they were given, oldest first and page by page', async () => {
    const log = await landed();
    const first = signalOf({
      improvement: { role: 'assistant', content: 'Better.' },
      qualitative_feedback: 'Too short.',
      signal_name: 'editor',
      signal_source: 'system',
      signal_type: 'implicit',
      metadata: JSON.parse('{"a.b":1,"__proto__":2,"$c":"\\ud800"}'),
    });
    const { id } = await store.feedback.record({ ...log, signal: first });
    await store.feedback.record({ ...log, signal: signalOf() });
    const page = await store.feedback.list(log.project_uid, log.log_id, { limit: 1 });
    expect(page.signals).toEqual([{ id, ...log, created_at: expect.any(Date), ...first }]);
    const rest = await store.feedback.list(log.project_uid, log.log_id, {
      limit: 1,
      after: page.next ?? undefined,
    });
    expect(rest.signals).toHaveLength(1);
    expect(rest.next).toBeNull();
  });

  it('does not wait for a log that is old, of another project, or without a UUIDv7', async () => {
    const log = await landed();
    const old = v7({ msecs: Date.now() - 11 * MINUTE_MS });
    const future = v7({ msecs: Date.now() + 11 * MINUTE_MS });
    for (const log_id of [old, future, v4()]) {
      await expect(
        store.feedback.record({ project_uid: log.project_uid, log_id, signal: signalOf() }),
      ).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(
      store.feedback.record({ project_uid: v4(), log_id: log.log_id, signal: signalOf() }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps feedback that arrives before its log, and adds it when the log lands', async () => {
    const record = logRecord();
    const orphans = await store.feedback.orphanCount();
    const log = { project_uid: record.project_uid, log_id: record._id };
    await store.feedback.record({ ...log, signal: signalOf({ score: 0.5 }) });
    await store.feedback.record({ project_uid: v4(), log_id: record._id, signal: signalOf({ score: -1 }) });
    expect(await store.feedback.orphanCount()).toBe(orphans + 2);
    await store.logs.insertMany([record]);
    expect(await rating(record._id)).toEqual({ count: 1, score: 0.5 });
    expect(await store.feedback.orphanCount()).toBe(orphans + 1);
  });

  it('adds more signals than fit into one update when their log lands, and leaves those of other logs', async () => {
    const [record, other] = [logRecord(), logRecord()];
    const waiting = test.database.collection<{ _id: string }>('feedback');
    const signalFor = ({ _id: log_id, project_uid }: typeof record) => ({
      ...{ _id: v4(), project_uid, log_id, created_at: new Date(), _pending: true },
      ...signalOf({ score: 0.5 }),
    });
    const signals = Array.from({ length: 1_300 }, () => signalFor(record));
    await waiting.insertMany([...signals, signalFor(other)] as never);
    await store.logs.insertMany([record]);
    await waitFor(
      'all are joined',
      async () => ((await rating(record._id)) as { count: number }).count === signals.length,
      { timeoutMs: 20_000 },
    );
    expect(await rating(record._id)).toEqual({ count: signals.length, score: 0.5 });
    // A log has its signals a moment before they cease to be pending.
    const left = { log_id: { $in: [record._id, other._id] }, _pending: true };
    await expect.poll(() => waiting.countDocuments(left as never)).toBe(1);
  });

  it('adds in a sweep what a crash left undone', async () => {
    const log = await landed();
    const { id } = await store.feedback.record({ ...log, signal: signalOf() });
    await test.database
      .collection<{ _id: string }>('feedback')
      .updateOne({ _id: id }, { $set: { _pending: true } });
    await test.database
      .collection<{ _id: string }>('logs')
      .updateOne({ _id: log.log_id }, { $set: { _signals: [], feedback_count: 0, score: null } });
    expect(await store.feedback.sweep()).toBe(1);
    expect(await store.feedback.sweep()).toBe(0);
    expect(await rating(log.log_id)).toEqual({ count: 1, score: 1 });
  });

  it('gives a repeat with the same key the same answer, and counts it once', async () => {
    const log = await landed();
    const input = { ...log, signal: signalOf({ metadata: { a: 1, b: 2 } }), idempotencyKey: 'key-1' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => store.feedback.record(input)));
    const reordered = { ...input, signal: signalOf({ metadata: { b: 2, a: 1 } }) };
    answers.push(await store.feedback.record(reordered));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await rating(log.log_id)).toEqual({ count: 1, score: 1 });
  });

  it('gives a repeat the same answer, even once its log did not land in time', async () => {
    const input = { project_uid: v4(), log_id: v7(), signal: signalOf(), idempotencyKey: 'key-late' };
    const { id } = await store.feedback.record(input);
    const clock = { ...systemClock, now: () => Date.now() + 11 * MINUTE_MS };
    const later = connectStore({ uri: test.uri, logger: silentLogger, clock });
    try {
      expect(await later.feedback.record(input)).toEqual({ id });
      await expect(later.feedback.record({ ...input, signal: signalOf({ score: 0 }) })).rejects.toMatchObject(
        {
          code: 'idempotency_conflict',
        },
      );
    } finally {
      await later.close();
    }
  });

  it('does not restore a deleted signal because of a repeat', async () => {
    const log = await landed();
    const input = { ...log, signal: signalOf(), idempotencyKey: 'key-deleted' };
    const { id } = await store.feedback.record(input);
    expect(await store.judgements.removeSignal(log.project_uid, log.log_id, id)).toBe(true);
    expect(await store.feedback.record(input)).toEqual({ id });
    expect(await rating(log.log_id)).toEqual({ count: 0, score: null });
  });

  it('refuses a key that was used with another body or another log', async () => {
    const log = await landed();
    const input = { ...log, signal: signalOf(), idempotencyKey: 'key-2' };
    await store.feedback.record(input);
    for (const other of [{ signal: signalOf({ score: 0 }) }, await landed()]) {
      await expect(store.feedback.record({ ...input, ...other })).rejects.toMatchObject({
        code: 'idempotency_conflict',
      });
    }
  });

  it('reports a signal that does not exist when it is to be removed', async () => {
    const log = await landed();
    expect(await store.judgements.removeSignal(log.project_uid, log.log_id, v4())).toBe(false);
  });
});
