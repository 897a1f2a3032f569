import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LogRecord } from '../../../src/core/log-record.js';
import { deliverTo } from '../../../src/spool/deliver.js';
import { startShipper } from '../../../src/spool/shipper.js';
import { openSpool } from '../../../src/spool/spool.js';
import { connectStore } from '../../../src/store/store.js';
import { inTemporaryDirectory, SETTINGS } from '../../properties/spool-support.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod, type OwnMongod, startOwnMongod } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

const TIMES = { firstRetryMs: 10, longestRetryMs: 200 };

describe.skipIf(missingMongod !== null)('the spool before a real MongoDB', () => {
  let mongod: OwnMongod;

  beforeAll(async () => {
    mongod = await startOwnMongod();
  });

  afterAll(() => mongod.stop());

  it('lands every log and its amendments, even when mongod is killed meanwhile', () =>
    inTemporaryDirectory(async (directory) => {
      const store = connectStore({ uri: mongod.uri, logger: silentLogger });
      await store.ensureIndexes();
      const spool = await openSpool({
        folder: directory,
        worker: 'w',
        settings: SETTINGS,
        logger: silentLogger,
      });
      const shipper = await startShipper({ spool, deliver: deliverTo(store.logs), times: TIMES });
      const records: LogRecord[] = [];
      const appendSome = async (count: number) => {
        for (let number = 0; number < count; number++) {
          const record = logRecord({ metadata: { $number: number, 'a.b': '😀' } });
          records.push(record);
          await spool.append(record);
          await spool.amend({ log_id: record._id, plugin_runs: [], add_tags: [`tag-${number}`] });
        }
      };

      await appendSome(150);
      await vi.waitFor(() => expect(spool.stats().written).toBeGreaterThan(0), { timeout: 30_000 });
      await mongod.kill();
      await appendSome(150);
      expect(spool.stats().records).toBeGreaterThanOrEqual(300);
      await mongod.restart();
      expect(await shipper.drain(50_000)).toBe(true);

      expect(spool.stats()).toMatchObject({ written: 300, lost: 0, deadLetters: 0 });
      for (const { _id, metadata } of records) {
        const tags = [`tag-${metadata.$number}`];
        expect(await store.logs.get({ id: _id })).toMatchObject({ _id, metadata, tags });
      }
      await shipper.close();
      await spool.close();
      await store.close();
    }));
});
