import { Reader } from '../../core/protobuf/reader.js';
import { ATTEMPT_HEADER } from '../../envoy/names.js';
import type { AccessLogEntry } from '../protocol.js';
import { readMetadata } from './read-request.js';

/** The HTTP entries of a message of Envoy's access log. */
export function readAccessLog(message: Buffer): AccessLogEntry[] {
  const entries: AccessLogEntry[] = [];
  const reader = new Reader(message);
  while (reader.next()) {
    if (reader.field === 2) readHttpEntries(reader.message(), entries);
    else reader.skip();
  }
  return entries;
}

function readHttpEntries(reader: Reader, entries: AccessLogEntry[]): void {
  while (reader.next()) {
    if (reader.field === 1) entries.push(readEntry(reader.message()));
    else reader.skip();
  }
}

function readEntry(reader: Reader): AccessLogEntry {
  const entry: AccessLogEntry = { connectionFailed: false, timedOut: false, clientLeft: false };
  while (reader.next()) {
    if (reader.field === 1) readCommon(reader.message(), entry);
    else if (reader.field === 3) readRequest(reader.message(), entry);
    else reader.skip();
  }
  return entry;
}

function readCommon(reader: Reader, entry: AccessLogEntry): void {
  while (reader.next()) {
    if (reader.field === 16) readFlags(reader.message(), entry);
    else if (reader.field === 17) entry.filterMetadata = readMetadata(reader.message()).filterMetadata;
    else reader.skip();
  }
}

function readFlags(reader: Reader, entry: AccessLogEntry): void {
  while (reader.next()) {
    if (reader.field === 3) entry.timedOut = reader.bool();
    else if (reader.field === 6) entry.connectionFailed = reader.bool();
    else if (reader.field === 15 || reader.field === 28) entry.clientLeft ||= reader.bool();
    else reader.skip();
  }
}

function readRequest(reader: Reader, entry: AccessLogEntry): void {
  while (reader.next()) {
    if (reader.field === 9) entry.requestId = reader.text();
    else if (reader.field === 13) readHeader(reader.message(), entry);
    else reader.skip();
  }
}

/** Reads one of the headers that Envoy is configured to add. */
function readHeader(reader: Reader, entry: AccessLogEntry): void {
  let [name, value] = ['', ''];
  while (reader.next()) {
    if (reader.field === 1) name = reader.text();
    else if (reader.field === 2) value = reader.text();
    else reader.skip();
  }
  if (name === ATTEMPT_HEADER) entry.attemptNumber = Number(value);
  // The engine removes the number from the request before the provider sees it, and then sets this header instead.
  else if (name === 'traceparent') entry.attemptNumber ??= 0;
}
