import type { LogRecord } from '../core/log-record.js';
import type { LogAmendment } from '../core/log-sink.js';
import type { EntryKind } from './frame.js';

/** What the spool holds: a finished exchange, or what was learned about it later. */
export type Entry = { kind: 'log'; record: LogRecord } | { kind: 'amendment'; amendment: LogAmendment };

/** The JSON of an entry. All but `created_at` is plain JSON, and that is a date as ISO 8601 text. */
export function entryToJson(entry: Entry): string {
  return JSON.stringify(entry.kind === 'log' ? entry.record : entry.amendment);
}

/** Throws where the text is no JSON. Keys such as `__proto__` come back as own keys. */
export function entryFromJson(kind: EntryKind, json: string): Entry {
  if (kind === 'amendment') return { kind, amendment: JSON.parse(json) as LogAmendment };
  const record = JSON.parse(json) as LogRecord;
  record.created_at = new Date(record.created_at);
  return { kind, record };
}

export function entryLogId(entry: Entry): string {
  return entry.kind === 'log' ? entry.record._id : entry.amendment.log_id;
}
