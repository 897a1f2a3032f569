import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/core/clock.js';
import type { LogRecord, LogSource } from '../../../src/core/log-record.js';
import type { LogAmendment } from '../../../src/core/log-sink.js';
import { heavyWork } from '../../../src/core/pacing/heavy-work.js';
import { type Deliver, deliverTo, NotReached } from '../../../src/spool/deliver.js';
import { entryLogId, recordOf } from '../../../src/spool/entry.js';
import { BATCH_RECORDS } from '../../../src/spool/folder-shipper.js';
import type { LogStore } from '../../../src/spool/log-store.js';
import { listSegments } from '../../../src/spool/segment-files.js';
import { encodeRecord } from '../../../src/spool/segment-record.js';
import { startShipper } from '../../../src/spool/shipper.js';
import { type FileSpool, openSpool } from '../../../src/spool/spool.js';
import { runSpoolCommand } from '../../../src/spool/spool-command.js';
import { inTemporaryDirectory, recordingLogger, SETTINGS, takeAll } from '../../properties/spool-support.js';
import { logRecord } from '../../support/log-record.js';

const TIMES = { firstRetryMs: 1, longestRetryMs: 5 };

/** A store in memory that can be away, refuse records, or choke on one so that its whole batch fails. */
class FakeStore implements LogStore {
  readonly logs = new Map<string, LogRecord>();
  readonly amendments: string[] = [];
  readonly batches: number[] = [];
  away = false;
  refuses: (record: LogRecord) => boolean = () => false;
  chokesOn: (record: LogRecord) => boolean = () => false;

  async insertMany(source: LogSource, _amendments: ReadonlyMap<string, readonly LogAmendment[]>) {
    const records = listOf(source);
    if (this.away) throw new Error('no server');
    if (records.some(this.chokesOn)) throw new Error('cannot write this batch');
    this.batches.push(records.length);
    const refused = records.filter(this.refuses);
    const stored = records.filter((record) => !refused.includes(record));
    for (const record of stored) this.logs.set(record._id, record);
    return {
      stored: stored.map(({ _id }) => _id),
      refused: refused.map(({ _id }) => ({ id: _id, reason: 'too large' })),
      amended: false,
    };
  }

  async amend({ log_id, add_tags }: LogAmendment) {
    if (this.away) throw new Error('no server');
    if (!this.logs.has(log_id)) return false;
    this.amendments.push(`${log_id} ${add_tags[0]}`);
    return true;
  }
}

function listOf(source: LogSource): LogRecord[] {
  return Array.from(source, (log) => ('json' in log ? log.read() : log)).filter((log) => log !== undefined);
}

function open(directory: string, worker = 'w', logger = recordingLogger()): Promise<FileSpool> {
  return openSpool({ folder: directory, worker, settings: SETTINGS, logger });
}

async function appendRecords(spool: FileSpool, count: number, changes: Partial<LogRecord> = {}) {
  const records = Array.from({ length: count }, () => logRecord(changes));
  await Promise.all(records.map((record) => spool.append(record)));
  return records;
}

async function command(directory: string, store?: LogStore): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  if (store === undefined) await runSpoolCommand({ folder: directory, write, action: 'list' });
  else await runSpoolCommand({ folder: directory, write, action: 'replay', deliver: deliverTo(store) });
  return lines.map((line) => JSON.parse(line));
}

describe('the shipper', () => {
  it('brings all logs to the store in batches, and deletes them once they landed', () =>
    inTemporaryDirectory(async (directory) => {
      const spool = await open(directory);
      const store = new FakeStore();
      const records = await appendRecords(spool, 1200);
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      expect(await shipper.drain(30_000)).toBe(true);
      expect([...store.logs.values()]).toEqual(records);
      expect(Math.max(...store.batches)).toBeLessThanOrEqual(BATCH_RECORDS);
      expect(spool.stats()).toMatchObject({ records: 0, oldestSeconds: 0, written: 1200, lost: 0 });
      await shipper.close();
      await spool.close();
      expect(await listSegments(join(directory, 'w'))).toEqual([]);
    }));

  it('ships what is appended later, and amendments after their logs', () =>
    inTemporaryDirectory(async (directory) => {
      const spool = await open(directory);
      const store = new FakeStore();
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      const [record] = await appendRecords(spool, 1);
      await spool.amend({ log_id: record!._id, plugin_runs: [], add_tags: ['first'] });
      await spool.amend({ log_id: record!._id, plugin_runs: [], add_tags: ['second'] });
      expect(await shipper.drain(30_000)).toBe(true);
      expect(store.amendments).toEqual([`${record!._id} first`, `${record!._id} second`]);
      await shipper.close();
      await spool.close();
    }));

  it('sends a log together with its amendments, and the amendments alone where the store has the log already', () =>
    inTemporaryDirectory(async (directory) => {
      const spool = await open(directory);
      const store = new FakeStore();
      const [first] = await appendRecords(spool, 1);
      await spool.amend({ log_id: first!._id, plugin_runs: [], add_tags: ['with it'] });
      const insert = vi.spyOn(store, 'insertMany');
      insert.mockImplementationOnce(async (source) => {
        const [record] = await listOf(source);
        store.logs.set(record!._id, record!);
        return { stored: [record!._id], refused: [], amended: true };
      });
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      await vi.waitFor(() => expect(spool.stats().records).toBe(0), { timeout: 30_000 });
      const [second] = await appendRecords(spool, 1);
      await spool.amend({ log_id: second!._id, plugin_runs: [], add_tags: ['alone'] });
      expect(await shipper.drain(30_000)).toBe(true);
      expect(insert.mock.calls[0]![1]).toEqual(
        new Map([[first!._id, [{ log_id: first!._id, plugin_runs: [], add_tags: ['with it'] }]]]),
      );
      expect(store.amendments).toEqual([`${second!._id} alone`]);
      await shipper.close();
      await spool.close();
    }));

  it('waits for a fuller batch, unless somebody asks for a log', () =>
    inTemporaryDirectory(async (directory) => {
      const clock = { ...systemClock, monotonic: () => 0 };
      const logger = recordingLogger();
      const spool = await openSpool({ folder: directory, worker: 'w', settings: SETTINGS, clock, logger });
      const store = new FakeStore();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
        await appendRecords(spool, 1);
        while (vi.getTimerCount() === 0) await setImmediate();
        vi.advanceTimersByTime(100);
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        expect(store.batches).toEqual([]);
        shipper.shipNow();
        // Less than what is left of the wait for a fuller batch.
        for (let passedMs = 0; store.batches.length === 0; passedMs++) {
          if (passedMs < 50) vi.advanceTimersByTime(1);
          await setImmediate();
        }
        expect(store.batches).toEqual([1]);
        await shipper.close();
      } finally {
        vi.useRealTimers();
      }
      await spool.close();
    }));

  it('retries forever while the store is away, and loses nothing', () =>
    inTemporaryDirectory(async (directory) => {
      const logger = recordingLogger();
      const spool = await open(directory, 'w', logger);
      const store = new FakeStore();
      store.away = true;
      const insert = vi.spyOn(store, 'insertMany');
      const records = await appendRecords(spool, 30);
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      await vi.waitFor(() => expect(insert.mock.calls.length).toBeGreaterThan(30), { timeout: 30_000 });
      expect(spool.stats()).toMatchObject({ records: 30, written: 0, deadLetters: 0 });
      store.away = false;
      expect(await shipper.drain(30_000)).toBe(true);
      expect(store.logs.size).toBe(records.length);
      expect(logger.messages).toEqual(['logs could not be written to MongoDB; trying again']);
      await shipper.close();
      await spool.close();
    }));

  it('writes what the store refuses, and its amendments, to the dead-letter file with the reason', () =>
    inTemporaryDirectory(async (directory) => {
      const spool = await open(directory);
      const store = new FakeStore();
      store.refuses = ({ endpoint }) => endpoint === 'huge';
      await appendRecords(spool, 3);
      const [huge] = await appendRecords(spool, 1, { endpoint: 'huge', metadata: { text: 'a\u2028b\n😀' } });
      await spool.amend({ log_id: huge!._id, plugin_runs: [], add_tags: ['late'] });
      await appendRecords(spool, 3);
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      expect(await shipper.drain(30_000)).toBe(true);
      expect(store.logs.size).toBe(6);
      expect(spool.stats()).toMatchObject({ records: 0, written: 6, deadLetters: 2 });
      const lines = (await readFile(join(directory, 'w', 'dead-letters.jsonl'), 'utf8'))
        .trimEnd()
        .split('\n');
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { log_id: huge!._id, reason: 'too large', kind: 'log', entry: { metadata: huge!.metadata } },
        { log_id: huge!._id, reason: 'its log is not in MongoDB', kind: 'amendment' },
      ]);

      store.refuses = () => false;
      expect(await command(directory, store)).toEqual([{ worker: 'w', stored: 2, kept: 0 }]);
      expect(store.logs.get(huge!._id)).toEqual(huge);
      expect(store.amendments).toEqual([`${huge!._id} late`]);
      expect(await command(directory)).toEqual([
        { worker: 'w', live: true, pending: 0, bytes: 0, dead_letters: 0 },
      ]);
      await shipper.close();
      await spool.close();
    }));

  it('writes an unreadable entry to the dead-letter file, and lands the others', () =>
    inTemporaryDirectory(async (directory) => {
      await mkdir(join(directory, 'w'), { recursive: true });
      const [before, after] = [logRecord(), logRecord()];
      const payloads = [JSON.stringify(before), '{"_id": of another version}', JSON.stringify(after)];
      const frames = payloads.map((payload) => encodeRecord('log', payload, Date.now()));
      await writeFile(join(directory, 'w', '000000000001.segment'), Buffer.concat(frames));
      const logger = recordingLogger();
      const spool = await open(directory, 'w', logger);
      const store = new FakeStore();
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      expect(await shipper.drain(30_000)).toBe(true);
      expect([...store.logs.values()]).toEqual([before, after]);
      expect(spool.stats()).toMatchObject({ records: 0, written: 2, deadLetters: 1 });
      const [line] = (await readFile(join(directory, 'w', 'dead-letters.jsonl'), 'utf8')).split('\n');
      expect(JSON.parse(line!)).toMatchObject({
        log_id: '',
        reason: 'it is not JSON',
        entry: '{"_id": of another version}',
      });
      expect(await command(directory, store)).toEqual([{ worker: 'w', stored: 0, kept: 1 }]);
      await shipper.close();
      await spool.close();
    }));

  it('finds the log that makes its whole batch fail, and lands all others', () =>
    inTemporaryDirectory(async (directory) => {
      const spool = await open(directory);
      const store = new FakeStore();
      store.chokesOn = ({ endpoint }) => endpoint === 'poison';
      const good = await appendRecords(spool, 60);
      await appendRecords(spool, 2, { endpoint: 'poison' });
      good.push(...(await appendRecords(spool, 60)));
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      expect(await shipper.drain(30_000)).toBe(true);
      expect([...store.logs.keys()].sort()).toEqual(good.map(({ _id }) => _id).sort());
      expect(spool.stats()).toMatchObject({ written: 120, deadLetters: 2, lost: 0 });
      await shipper.close();
      await spool.close();
    }));

  it('never gives up a log while no other lands, since the store may be away', () =>
    inTemporaryDirectory(async (directory) => {
      const spool = await open(directory);
      const store = new FakeStore();
      store.chokesOn = ({ endpoint }) => endpoint === 'poison';
      const insert = vi.spyOn(store, 'insertMany');
      await appendRecords(spool, 1, { endpoint: 'poison' });
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      await vi.waitFor(() => expect(insert.mock.calls.length).toBeGreaterThan(10), { timeout: 30_000 });
      expect(spool.stats()).toMatchObject({ records: 1, deadLetters: 0 });
      await appendRecords(spool, 1);
      expect(await shipper.drain(30_000)).toBe(true);
      expect(spool.stats()).toMatchObject({ written: 1, deadLetters: 1 });
      await shipper.close();
      await spool.close();
    }));

  it('keeps a log that was refused only by servers that could not be reached, whatever else lands', () =>
    inTemporaryDirectory(async (directory) => {
      const spool = await open(directory);
      const store = new FakeStore();
      await appendRecords(spool, 1, { endpoint: 'unlucky' });
      await appendRecords(spool, 20);
      let misses = 0;
      // As behind a balancer, one of whose targets is away.
      const deliver: Deliver = async (entries) => {
        const isUnlucky = entries.some(
          (entry) => entry.kind === 'log' && recordOf(entry).endpoint === 'unlucky',
        );
        if (isUnlucky && ++misses <= 20) throw new NotReached('away');
        return deliverTo(store)(entries);
      };
      const shipper = await startShipper({ spool, deliver, times: TIMES });
      expect(await shipper.drain(30_000)).toBe(true);
      expect(spool.stats()).toMatchObject({ written: 21, deadLetters: 0, lost: 0 });
      await shipper.close();
      await spool.close();
    }));

  it('continues after a restart, and repeats without harm what no checkpoint covers', () =>
    inTemporaryDirectory(async (directory) => {
      const store = new FakeStore();
      const first = await open(join(directory, 'before'));
      const records = await appendRecords(first, 20);
      const shipper = await startShipper({ spool: first, deliver: deliverTo(store), times: TIMES });
      expect(await shipper.drain(30_000)).toBe(true);
      await shipper.close();
      // As a power loss would leave it.
      await cp(first.own.path, join(directory, 'after', 'w'), { recursive: true });
      await first.close();
      await rm(join(directory, 'after', 'w', 'lock.1'));
      await writeFile(join(directory, 'after', 'w', 'checkpoint.json'), '{"segm');
      const second = await open(join(directory, 'after'));
      expect(second.stats().records).toBe(20);
      records.push(...(await appendRecords(second, 5)));
      const next = await startShipper({ spool: second, deliver: deliverTo(store), times: TIMES });
      expect(await next.drain(30_000)).toBe(true);
      expect([...store.logs.values()]).toEqual(records);
      await next.close();
      await second.close();
    }));

  it('ships the folders of workers that have ended, and leaves those of running ones alone', () =>
    inTemporaryDirectory(async (directory) => {
      const gone = await open(directory, 'gone');
      const left = await appendRecords(gone, 4);
      await gone.close();
      const live = await open(directory, 'live');
      await appendRecords(live, 3);
      await mkdir(join(directory, 'empty'));
      // Neither a file beside them nor a directory that is none of ours is in the way.
      await writeFile(join(directory, 'a-note'), '');
      await mkdir(join(directory, 'broken', '000000000001.segment'), { recursive: true });

      const logger = recordingLogger();
      const spool = await open(directory, 'mine', logger);
      const store = new FakeStore();
      const shipper = await startShipper({ spool, deliver: deliverTo(store), times: TIMES });
      expect(await shipper.drain(30_000)).toBe(true);
      expect([...store.logs.values()]).toEqual(left);
      expect(live.stats().records).toBe(3);
      expect(logger.messages).toContain('the spool of another worker could not be read');
      await rm(join(directory, 'broken'), { recursive: true });
      expect(await command(directory)).toMatchObject([
        { worker: 'empty', live: false, pending: 0 },
        { worker: 'gone', live: false, pending: 0 },
        { worker: 'live', state: 'pending', kind: 'log' },
        { worker: 'live', state: 'pending' },
        { worker: 'live', state: 'pending' },
        { worker: 'live', live: true, pending: 3 },
        { worker: 'mine', live: true, pending: 0 },
      ]);
      for (const part of [shipper, spool, live]) await part.close();
      expect(await listSegments(join(directory, 'gone'))).toEqual([]);
    }));
});

describe('a spool directory', () => {
  it('has all that was appended before it was closed, including a log with a large body', () =>
    inTemporaryDirectory(async (directory) => {
      const spool = await open(directory);
      // Another large body had its turn, so that this one has to wait for its own.
      await heavyWork.next();
      for (const began = performance.now(); performance.now() - began < 30; );
      const records = [logRecord({ _large: { request: '{"model": "m"}' } }), logRecord()];
      const safe: string[] = [];
      for (const record of records) void spool.append(record).then(() => safe.push(record._id));
      await spool.close();
      expect(safe.toSorted()).toEqual(records.map(({ _id }) => _id).toSorted());
      const kept = await takeAll(join(directory, 'w'), recordingLogger());
      expect(kept.map(entryLogId).toSorted()).toEqual(records.map(({ _id }) => _id).toSorted());
    }));

  it('is used by one process at a time: a second worker of the same name takes another', () =>
    inTemporaryDirectory(async (directory) => {
      const first = await open(directory);
      const second = await open(directory);
      expect(second.own.path).toBe(join(directory, 'w.2'));
      await first.close();
      const third = await open(directory);
      expect(third.own.path).toBe(join(directory, 'w'));
      await second.close();
      await third.close();
    }));

  it('is free where the process named in its lock has ended, even if another has its number', () =>
    inTemporaryDirectory(async (directory) => {
      await mkdir(join(directory, 'w'));
      await writeFile(
        join(directory, 'w', 'lock.4'),
        JSON.stringify({ pid: process.pid, started: 'long ago' }),
      );
      const spool = await open(directory);
      expect(spool.own.path).toBe(join(directory, 'w'));
      await spool.close();
    }));
});
