import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { SpoolSettings } from '../../../src/core/settings.js';
import { deliverTo } from '../../../src/spool/deliver.js';
import type { LogStore } from '../../../src/spool/log-store.js';
import { startShipper } from '../../../src/spool/shipper.js';
import { type FileSpool, openSpool } from '../../../src/spool/spool.js';
import { inTemporaryDirectory, recordingLogger } from '../../properties/spool-support.js';
import { logRecord } from '../../support/log-record.js';
import { SmallDisk } from '../../support/small-disk.js';

const DISK_BYTES = 2 << 20;

interface FullTest {
  directory: string;
  settings: SpoolSettings;
}

/** A small disk of its own; undefined where this machine lets us mount none. */
async function onSmallDisk(use: (directory: string) => Promise<void>): Promise<'ran' | 'no mount'> {
  return inTemporaryDirectory(async (directory) => {
    const path = join(directory, 'disk');
    await mkdir(path);
    const disk = SmallDisk.mount(path, DISK_BYTES);
    if (disk === undefined) return 'no mount';
    try {
      await use(path);
      return 'ran';
    } finally {
      disk.unmount();
    }
  });
}

function storeOf(landed: Set<string>): LogStore {
  return {
    async insertMany(records) {
      const ids = Array.from(records, ({ _id }) => _id);
      for (const id of ids) landed.add(id);
      return { stored: ids, refused: [], amended: false };
    },
    amend: async () => true,
  };
}

/** Appends, several at a time, until one is refused. Gives the ids that were acknowledged. */
async function appendUntilRefused(spool: FileSpool): Promise<string[]> {
  const acknowledged: string[] = [];
  for (;;) {
    const records = Array.from({ length: 3 }, () => logRecord({ request: 'x'.repeat(20_000) }));
    const results = await Promise.allSettled(records.map((record) => spool.append(record)));
    records.forEach((record, index) => {
      if (results[index]!.status === 'fulfilled') acknowledged.push(record._id);
    });
    const refused = results.find((result) => result.status === 'rejected');
    if (refused === undefined) continue;
    expect(refused.reason).toMatchObject({ code: 'spool_full', status: 503 });
    return acknowledged;
  }
}

async function refusesUntilThereIsRoom({ directory, settings }: FullTest): Promise<void> {
  const logger = recordingLogger();
  const spool = await openSpool({ folder: directory, worker: 'w', settings, logger });
  expect(spool.accepts()).toBe(true);
  const acknowledged = await appendUntilRefused(spool);
  expect(acknowledged.length).toBeGreaterThan(20);
  expect(spool.accepts()).toBe(false);
  expect(logger.messages).toContain('requests are refused: no room in the spool');
  expect(spool.stats().lost).toBe(0);
  const landed = new Set<string>();
  const shipper = await startShipper({ spool, deliver: deliverTo(storeOf(landed)) });
  await vi.waitFor(() => expect(spool.accepts()).toBe(true), { timeout: 30_000 });
  const later = logRecord();
  await spool.append(later);
  expect(await shipper.drain(30_000)).toBe(true);
  expect([...landed].sort()).toEqual([...acknowledged, later._id].sort());
  await shipper.close();
  await spool.close();
}

async function losesAndCounts({ directory, settings }: FullTest): Promise<void> {
  const logger = recordingLogger();
  const spool = await openSpool({ folder: directory, worker: 'w', settings, logger });
  const records = Array.from({ length: 150 }, () => logRecord({ request: 'x'.repeat(20_000) }));
  for (const record of records) await spool.append(record);
  expect(spool.accepts()).toBe(true);
  const { lost, records: kept } = spool.stats();
  expect(lost).toBeGreaterThan(20);
  expect(kept + lost).toBe(records.length);
  expect(logger.messages.filter((message) => message.startsWith('logs are lost'))).toHaveLength(1);
  const landed = new Set<string>();
  const shipper = await startShipper({ spool, deliver: deliverTo(storeOf(landed)) });
  expect(await shipper.drain(30_000)).toBe(true);
  expect(landed.size).toBe(kept);
  await shipper.close();
  await spool.close();
}

describe('a spool at its max_bytes', () => {
  const settings = { max_bytes: DISK_BYTES, sync_ms: 50 };

  it('with on_full: refuse, refuses logs, and accepts them again once some were shipped', () =>
    inTemporaryDirectory((directory) =>
      refusesUntilThereIsRoom({ directory, settings: { ...settings, on_full: 'refuse' } }),
    ));

  it('with on_full: lose, lets requests continue, counts what is lost and reports it once', () =>
    inTemporaryDirectory((directory) =>
      losesAndCounts({ directory, settings: { ...settings, on_full: 'lose' } }),
    ));

  it('applies changed settings from the next log on', () =>
    inTemporaryDirectory(async (directory) => {
      const small: SpoolSettings = { max_bytes: 50_000, sync_ms: 50, on_full: 'refuse' };
      const spool = await openSpool({
        folder: directory,
        worker: 'w',
        settings: small,
        logger: recordingLogger(),
      });
      const large = () => spool.append(logRecord({ request: 'x'.repeat(50_000) }));
      await expect(large()).rejects.toThrow();
      spool.configure({ ...small, max_bytes: 100_000 });
      await large();
      await expect(large()).rejects.toThrow();
      spool.configure({ ...small, on_full: 'lose' });
      await large();
      expect(spool.stats().lost).toBe(1);
      await spool.close();
    }));

  it('accepts logs again even where one log was as large as the whole spool', () =>
    inTemporaryDirectory(async (directory) => {
      const settings: SpoolSettings = { max_bytes: 50_000, sync_ms: 0, on_full: 'refuse' };
      const spool = await openSpool({ folder: directory, worker: 'w', settings, logger: recordingLogger() });
      await expect(spool.append(logRecord({ request: 'x'.repeat(50_000) }))).rejects.toThrow();
      expect(spool.accepts()).toBe(true);
      await spool.append(logRecord({ request: 'x'.repeat(48_000) }));
      expect(spool.accepts()).toBe(false);
      const shipper = await startShipper({ spool, deliver: deliverTo(storeOf(new Set())) });
      await vi.waitFor(() => expect(spool.accepts()).toBe(true), { timeout: 30_000 });
      await shipper.close();
      await spool.close();
    }));
});

describe('a spool on a full disk', () => {
  const settings = { max_bytes: 1 << 30, sync_ms: 50 };

  it('with on_full: refuse, refuses logs and takes them again once shipping made room', async ({ skip }) => {
    const result = await onSmallDisk((directory) =>
      refusesUntilThereIsRoom({ directory, settings: { ...settings, on_full: 'refuse' } }),
    );
    skip(result === 'no mount', 'a tmpfs cannot be mounted here');
  });

  it('with on_full: lose, lets requests go on, counts what is lost and tells it once', async ({ skip }) => {
    const result = await onSmallDisk((directory) =>
      losesAndCounts({ directory, settings: { ...settings, on_full: 'lose' } }),
    );
    skip(result === 'no mount', 'a tmpfs cannot be mounted here');
  });
});
