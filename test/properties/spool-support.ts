import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JsonObject } from '../../src/core/json.js';
import type { LogRecord } from '../../src/core/log-record.js';
import type { Logger } from '../../src/core/logger.js';
import type { SpoolSettings } from '../../src/core/settings.js';
import { type Entry, entryLogId } from '../../src/spool/entry.js';
import { SpoolDirectory } from '../../src/spool/spool-directory.js';

export const SETTINGS: SpoolSettings = { max_bytes: 1 << 30, sync_ms: 50, on_full: 'lose' };

/** Keeps the messages that were told. */
export function recordingLogger(): Logger & { messages: string[] } {
  const messages: string[] = [];
  const tell = (_fields: object, message: string) => {
    messages.push(message);
  };
  return { messages, info: tell, warn: tell, error: tell };
}

export async function inTemporaryDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-test-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

let lastId = 0;

/** A UUIDv7 that no other call gives. */
export function nextLogId(): string {
  return `0197f000-0000-7000-8000-${String(++lastId).padStart(12, '0')}`;
}

export function logRecord(changes: Partial<LogRecord> = {}): LogRecord {
  return {
    _id: nextLogId(),
    project_uid: '00000000-0000-4000-8000-000000000001',
    created_at: new Date('2026-11-21T10:00:00.123Z'),
    endpoint: 'support',
    api: 'openai.chat',
    status: 'success',
    http_status: 200,
    client_request_id: null,
    request: { model: 'support', messages: [{ role: 'user', content: 'Where is my parcel?' }] },
    response: { choices: [{ message: { role: 'assistant', content: 'On its way.' } }] },
    metadata: {},
    tags: [],
    quality_rating: null,
    attempts: [],
    plugin_runs: [],
    model: 'local/small',
    usage: { input_tokens: 5, output_tokens: 4 },
    cost: null,
    timing: { total_ms: 12, time_to_first_token_ms: null, engine_ms: 1 },
    trace_id: null,
    error: null,
    stream: false,
    feedback_count: 0,
    score: null,
    ...changes,
  };
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

/** Everything that a directory holds for the shipper, in order; it is shipped and gone then. */
export async function takeAll(path: string, logger: Logger): Promise<Entry[]> {
  const directory = await SpoolDirectory.open(path, logger, { written: 0, lost: 0, deadLetters: 0 });
  if (directory === undefined) throw new Error(`${path} is locked`);
  const entries: Entry[] = [];
  for (;;) {
    const batch = await directory.next({ records: 7, bytes: 4096 });
    if (batch === undefined) break;
    entries.push(...batch.entries.map(({ entry }) => entry));
    await directory.advance(batch, batch.entries.length);
  }
  await directory.close();
  return entries;
}

export function idsOf(entries: readonly Entry[]): string[] {
  return entries.map(entryLogId);
}
