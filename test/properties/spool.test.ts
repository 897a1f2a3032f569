import { deepStrictEqual } from 'node:assert/strict';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/core/log-record.js';
import { payloadOf } from '../../src/spool/entry.js';
import { listSegments, segmentPath } from '../../src/spool/segment-files.js';
import { encodeRecord } from '../../src/spool/segment-record.js';
import { openSpool } from '../../src/spool/spool.js';
import { logRecord } from '../support/log-record.js';
import {
  idsOf,
  inTemporaryDirectory,
  metadata,
  recordingLogger,
  SETTINGS,
  takeAll,
} from './spool-support.js';

/** Turns of the event loop, each with the sizes of the texts that are appended in it. */
const turns = fc.array(fc.array(fc.nat({ max: 3000 }), { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 12,
});

async function appendTurns(
  directory: string,
  sizes: readonly number[][],
  maxBytes: number,
): Promise<LogRecord[]> {
  const settings = { ...SETTINGS, max_bytes: maxBytes };
  const spool = await openSpool({ folder: directory, worker: 'w', settings, logger: recordingLogger() });
  const records: LogRecord[] = [];
  for (const turn of sizes) {
    const made = turn.map((size) => logRecord({ request: 'x'.repeat(size) }));
    records.push(...made);
    await Promise.all(made.map((record) => spool.append(record)));
  }
  expect(spool.stats()).toMatchObject({ records: records.length, lost: 0 });
  await spool.close();
  return records;
}

function frameBytes(record: LogRecord): number {
  return encodeRecord('log', payloadOf({ kind: 'log', record }) as string, 0).length;
}

describe('the spool', () => {
  it('returns every log and amendment as it was, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(metadata, { minLength: 1, maxLength: 6 }), async (all) => {
        await inTemporaryDirectory(async (directory) => {
          const logger = recordingLogger();
          const spool = await openSpool({ folder: directory, worker: 'w', settings: SETTINGS, logger });
          const records = all.map((one) =>
            logRecord({ metadata: one, request: one, tags: Object.keys(one) }),
          );
          const amendment = { log_id: records[0]!._id, plugin_runs: [], add_tags: ['__proto__', '😀'] };
          await Promise.all([...records.map((record) => spool.append(record)), spool.amend(amendment)]);
          await spool.close();
          const entries = await takeAll(join(directory, 'w'), logger);
          // Vitest's equality trips over own keys such as `constructor`.
          deepStrictEqual(entries, [
            ...records.map((record) => ({ kind: 'log', record })),
            { kind: 'amendment', amendment },
          ]);
          expect(await listSegments(join(directory, 'w'))).toEqual([]);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('after a crash at any byte, returns every log written before it and drops only the torn one', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.double({ min: 0, max: 1, noNaN: true }), async (sizes, place) => {
        await inTemporaryDirectory(async (directory) => {
          const records = await appendTurns(directory, sizes, 1 << 30);
          const path = join(directory, 'w');
          const segment = segmentPath(path, (await listSegments(path))[0]!);
          const { size } = await stat(segment);
          const cut = Math.round(place * size);
          await truncate(segment, cut);
          let end = 0;
          const whole = records.filter((record) => {
            end += frameBytes(record);
            return end <= cut;
          });
          const logger = recordingLogger();
          expect(idsOf(await takeAll(path, logger))).toEqual(whole.map(({ _id }) => _id));
          const torn = cut > whole.reduce((sum, record) => sum + frameBytes(record), 0);
          expect(logger.messages).toEqual(torn ? ['torn end of a spool segment dropped'] : []);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('loses only the log with a damaged byte, and says so', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.nat(), fc.integer({ min: 1, max: 255 }), async (sizes, seed, change) => {
        await inTemporaryDirectory(async (directory) => {
          const records = await appendTurns(directory, sizes, 1 << 30);
          const path = join(directory, 'w');
          const segment = segmentPath(path, (await listSegments(path))[0]!);
          const bytes = await readFile(segment);
          const place = seed % bytes.length;
          bytes[place] = bytes[place]! ^ change;
          await writeFile(segment, bytes);
          let end = 0;
          const hit = records.findIndex((record) => {
            end += frameBytes(record);
            return place < end;
          });
          const logger = recordingLogger();
          const expected = records.map(({ _id }) => _id).filter((_, index) => index !== hit);
          expect(idsOf(await takeAll(path, logger))).toEqual(expected);
          expect(logger.messages).toHaveLength(1);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('spreads its logs over segments and keeps their order', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (sizes) => {
        await inTemporaryDirectory(async (directory) => {
          const needed = sizes.flat().reduce((sum, size) => sum + size + 1500, 0);
          const records = await appendTurns(directory, sizes, needed);
          const path = join(directory, 'w');
          expect(idsOf(await takeAll(path, recordingLogger()))).toEqual(records.map(({ _id }) => _id));
        });
      }),
      { numRuns: 40 },
    );
  });
});
