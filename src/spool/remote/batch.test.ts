import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logRecord } from '../../../test/support/log-record.js';
import type { JsonObject } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import { type Entry, recordOf } from '../entry.js';
import { BrokenBatch, decodeBatch, encodeBatch } from './batch.js';
import { takeBatch } from './intake.js';

const json = fc
  .dictionary(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '$set', 'a.b')),
    fc.jsonValue(),
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);
const text = json.map((value) => JSON.stringify(value));
const log = fc
  .record({
    metadata: json,
    request: json,
    created_at: fc.date({ noInvalidDate: true }),
    large: fc.option(text),
  })
  .map(({ large, ...changes }): Entry => {
    const record = logRecord(changes);
    // As it comes from the spool: the body's bytes, and null in its place.
    return {
      kind: 'log',
      record:
        large === null ? record : { ...record, response: null, _large: { response: Buffer.from(large) } },
    };
  });
const amendment = text.map(
  (tag): Entry => ({
    kind: 'amendment',
    amendment: { log_id: 'id', plugin_runs: [], add_tags: [tag], log_phase: true },
  }),
);
const batches = fc.array(fc.oneof(log, amendment), { minLength: 1, maxLength: 120 });

/** What is equal says so as a text, too. */
const plain = (entries: readonly Entry[]) =>
  entries.map((entry) => {
    const { _large: large }: Partial<LogRecord> = entry.kind === 'log' ? recordOf(entry) : {};
    return {
      ...entry,
      large: Object.entries(large ?? {}).map(([key, bytes]) => [
        key,
        Buffer.from(bytes as Buffer).toString(),
      ]),
    };
  });

describe('a batch of entries', () => {
  it('is read back unchanged, with dates, any keys and the bytes of large bodies', () =>
    fc.assert(
      fc.asyncProperty(batches, async (entries) => {
        expect(plain(await decodeBatch(await encodeBatch(entries)))).toStrictEqual(plain(entries));
      }),
      { numRuns: 40 },
    ));

  it('is refused as a whole where a byte of it is changed or missing', () =>
    fc.assert(
      fc.asyncProperty(batches, fc.nat(), fc.boolean(), async (entries, place, isCut) => {
        const bytes = await encodeBatch(entries);
        const at = place % bytes.length;
        // Where it ends between two entries it is a smaller batch.
        if (!isCut) bytes[at]! ^= 1;
        const read = decodeBatch(isCut ? bytes.subarray(0, bytes.length - 1) : bytes);
        await expect(read).rejects.toThrow(BrokenBatch);
      }),
      { numRuns: 40 },
    ));
});

describe('a batch of another process', () => {
  it('is stored except for what is not a log or amendment, which is refused by its place', async () => {
    const good = logRecord();
    const late: Entry = { kind: 'amendment', amendment: { log_id: 'gone', plugin_runs: [], add_tags: [] } };
    const entries: Entry[] = [
      { kind: 'log', record: logRecord({ tags: 'none' as never }) },
      { kind: 'log', record: good },
      { kind: 'amendment', amendment: { log_id: good._id } as never },
      late,
      { kind: 'log', record: logRecord({ created_at: new Date(0), plugin_runs: [{} as never] }) },
    ];
    const delivered: Entry[][] = [];
    const delivery = await takeBatch(await encodeBatch(entries), async (sound) => {
      delivered.push([...sound]);
      return { stored: 1, refused: [{ index: 1, reason: 'its log is not in MongoDB' }] };
    });
    expect(delivered).toEqual([[{ kind: 'log', record: good }, late]]);
    expect(delivery).toEqual({
      stored: 1,
      refused: [
        { index: 0, reason: 'it is not a valid log: tags is missing or has the wrong type' },
        { index: 2, reason: 'it is not a valid amendment: plugin_runs is missing or has the wrong type' },
        { index: 4, reason: 'it is not a valid log: plugin_runs is missing or has the wrong type' },
        { index: 3, reason: 'its log is not in MongoDB' },
      ],
    });
  });
});
