import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JsonObject } from '../../src/core/json.js';
import type { LogRecord } from '../../src/core/log-record.js';
import type { Logger } from '../../src/core/logger.js';
import type { SpoolSettings } from '../../src/core/settings.js';
import { type Entry, entryLogId, recordOf } from '../../src/spool/entry.js';
import { SpoolFolder } from '../../src/spool/spool-folder.js';

export const SETTINGS: SpoolSettings = { max_bytes: 1 << 30, sync_ms: 50, on_full: 'lose' };

/** Keeps the messages that were told. */
export function recordingLogger(): Logger & { messages: string[] } {
  const messages: string[] = [];
  const tell = (_fields: object, message: string) => {
    messages.push(message);
  };
  return { messages, debug: () => {}, info: tell, warn: tell, error: tell };
}

export async function inTemporaryDirectory<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-test-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Metadata as clients may send it: any JSON, with the keys that trouble databases and JavaScript. */
export const metadata: fc.Arbitrary<JsonObject> = fc
  .dictionary(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', 'constructor', '$set', 'a.b', '', '😀', '\u2028'),
    ),
    fc.jsonValue() as fc.Arbitrary<JsonObject>,
    { maxKeys: 5 },
  )
  // fast-check's dictionaries may have no prototype; JSON's objects have one.
  .map((dictionary) => JSON.parse(JSON.stringify(dictionary)) as JsonObject);

type ParsedEntry = { kind: 'log'; record: LogRecord } | Exclude<Entry, { kind: 'log' }>;

/** Everything that a directory holds for the shipper, in order; it is shipped and gone then. */
export async function takeAll(path: string, logger: Logger): Promise<ParsedEntry[]> {
  const folder = await SpoolFolder.open(path, logger, { written: 0, lost: 0, deadLetters: 0 });
  if (folder === undefined) throw new Error(`${path} is locked`);
  const entries: ParsedEntry[] = [];
  for (;;) {
    const batch = await folder.next({ records: 7, bytes: 4096 });
    if (batch === undefined) break;
    entries.push(
      ...batch.entries.map(({ entry }) =>
        entry.kind === 'log' ? { kind: entry.kind, record: recordOf(entry) } : entry,
      ),
    );
    await folder.advance(batch, batch.entries.length);
  }
  await folder.close();
  return entries;
}

export function idsOf(entries: readonly Entry[]): string[] {
  return entries.map(entryLogId);
}
