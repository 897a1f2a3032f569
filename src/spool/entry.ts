import type { LargeBodies, LogRecord } from '../core/log-record.js';
import type { LogAmendment } from '../core/log-sink.js';
import { heavyWork } from '../core/pacing/heavy-work.js';
import type { EntryKind, Piece } from './segment-record.js';

/** An entry of the spool: a finished exchange, or what became known about it later. */
export type Entry = LogEntry | { kind: 'amendment'; amendment: LogAmendment };

/** A log, or its payload as it was read from the disk, because a parsed log takes several times the memory. */
export type LogEntry =
  | { kind: 'log'; record: LogRecord; payload?: undefined }
  | { kind: 'log'; payload: Buffer; record?: undefined };

/** The JSON of an entry in one line. Everything except `created_at` is plain JSON; that is a date, written in ISO 8601. */
export async function entryToJson(entry: Entry): Promise<string> {
  const payload = payloadOf(entry);
  if (isAtHand(payload)) return [payload].flat().join('');
  // Large bodies are inserted exactly as clients and models wrote them. JSON strings contain no line breaks.
  return Buffer.concat(await payload)
    .toString('utf8')
    .replace(/[\r\n]/g, ' ');
}

/*
 * Large bodies are written unchanged after everything else, with their lengths in front (0 for a body that is not
 * large): `{"_large":[n,m],…,"request":…,"response":…}`. So they are neither written nor parsed again, and the line
 * is still JSON.
 */
const LARGE = ['request', 'response'] as const;
const LARGE_AHEAD = /^\{"_large":\[(\d+),(\d+)\]/;
const ID_AHEAD = /^\{(?:"_large":\[\d+,\d+\],)?"_id":"([\w-]+)"/;

/**
 * The JSON of an entry: in pieces where the JSON of its request exists already, and in pieces of UTF-8 where a body is large.
 * Large bodies are written in turns.
 */
export function payloadOf(entry: Entry): string | readonly Piece[] | Promise<Buffer[]> {
  if (entry.kind === 'amendment') return JSON.stringify(entry.amendment);
  if (entry.payload !== undefined) return Promise.resolve([entry.payload]);
  const { _large: large, _written: written } = entry.record;
  if (large === undefined && written === undefined) return JSON.stringify(entry.record);
  const { _large, _written, ...record } = entry.record;
  return large !== undefined ? largePayload(record, large, written) : writtenPayload(record, written!);
}

/** Whether the JSON of an entry is available without waiting. */
export function isAtHand(payload: ReturnType<typeof payloadOf>): payload is string | readonly Piece[] {
  return typeof payload === 'string' || Array.isArray(payload);
}

/**
 * The member in place of a request. Before it, a record contains only strings and numbers, and quotes in strings are escaped.
 */
const NO_REQUEST = ',"request":null';

function writtenPayload(record: Partial<LogRecord>, request: readonly Piece[]): Piece[] {
  const json = JSON.stringify({ ...record, request: null });
  const end = json.indexOf(NO_REQUEST) + NO_REQUEST.length;
  return [json.slice(0, end - 'null'.length), ...request, json.slice(end)];
}

async function largePayload(
  record: Partial<LogRecord>,
  large: LargeBodies,
  written: readonly Piece[] | undefined,
): Promise<Buffer[]> {
  const bodies: Buffer[] = [];
  const sizes: number[] = [];
  for (const key of LARGE) {
    const text = large[key];
    if (text !== undefined) {
      delete record[key];
      await heavyWork.next();
      bodies.push(Buffer.from(`,"${key}":`), Buffer.from(text as string));
    }
    sizes.push(text === undefined ? 0 : bodies.at(-1)!.length);
  }
  // Only the response is large where the request is written already.
  const json = written === undefined ? JSON.stringify(record) : writtenPayload(record, written).join('');
  await heavyWork.next();
  return [Buffer.from(`{"_large":[${sizes}],${json.slice(1, -1)}`), ...bodies, Buffer.from('}')];
}

/** The entry in a payload. Throws where the bytes are not JSON. Large bodies stay unparsed. */
export function entryFromPayload(kind: EntryKind, payload: Buffer): Entry {
  if (kind === 'amendment') return entryFromJson(kind, payload.toString('utf8'));
  return { kind, record: recordFromPayload(payload) };
}

/** The log of an entry. Throws as `entryFromPayload` does. */
export function recordOf(entry: LogEntry): LogRecord {
  return entry.record ?? recordFromPayload(entry.payload);
}

function recordFromPayload(payload: Buffer): LogRecord {
  const ahead = LARGE_AHEAD.exec(payload.toString('latin1', 0, 64));
  if (ahead === null) return recordFromJson(payload.toString('utf8'));
  const large: LargeBodies = {};
  let end = payload.length - 1;
  for (const at of [1, 0] as const) {
    const [key, bytes] = [LARGE[at], Number(ahead[at + 1])];
    if (bytes === 0) continue;
    large[key] = payload.subarray(end - bytes, end);
    end -= bytes + `,"${key}":`.length;
  }
  const record = recordFromJson(`${payload.toString('utf8', 0, end)}}`);
  return { ...record, ...nullFor(large), _large: large };
}

function nullFor(large: LargeBodies): Partial<LogRecord> {
  return Object.fromEntries(Object.keys(large).map((key) => [key, null]));
}

/** The entry in a JSON text. Throws where the text is not JSON. Keys such as `__proto__` become own keys. */
export function entryFromJson(kind: EntryKind, json: string): Entry {
  if (kind === 'amendment') return { kind, amendment: JSON.parse(json) as LogAmendment };
  return { kind, record: recordFromJson(json) };
}

function recordFromJson(json: string): LogRecord {
  const record = JSON.parse(json) as LogRecord;
  delete record._large;
  record.created_at = new Date(record.created_at);
  return record;
}

/** The id of a log, read from its JSON without parsing it; undefined where the JSON does not start like ours. */
export function idIn(payload: Buffer): string | undefined {
  return ID_AHEAD.exec(payload.toString('latin1', 0, 128))?.[1];
}

/** The id of an entry's log. Throws as `entryFromPayload` does. */
export function entryLogId(entry: Entry): string {
  return entry.kind === 'log' ? recordOf(entry)._id : entry.amendment.log_id;
}
