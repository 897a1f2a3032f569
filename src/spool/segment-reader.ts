import type { FileHandle } from 'node:fs/promises';
import { decodeRecord, findMagic, RECORD_HEADER_BYTES, type SegmentRecord } from './segment-record.js';

const SEARCH_BYTES = 1 << 20;

export interface PlacedRecord extends SegmentRecord {
  /** The offset in the segment at which the record ends. */
  end: number;
}

/** Bytes that are not a record. `torn`: nothing readable follows, as after a crash in the middle of a write. */
export interface Damage {
  start: number;
  end: number;
  torn: boolean;
}

/** Either records, or one damage at the current position. */
export interface SegmentRead {
  records: PlacedRecord[];
  damage?: Damage;
}

export interface ReadLimit {
  records: number;
  bytes: number;
}

/** More memory than this is not kept for the next read. */
const MOST_KEPT_BYTES = 1 << 20;

/** The memory of one reader. Each read uses it again, so what an earlier one returned is then overwritten. */
export class ReadMemory {
  #kept = Buffer.alloc(0);

  take(bytes: number): Buffer {
    if (bytes > MOST_KEPT_BYTES) return Buffer.allocUnsafeSlow(bytes);
    if (this.#kept.length < bytes) this.#kept = Buffer.allocUnsafeSlow(Math.min(MOST_KEPT_BYTES, 2 * bytes));
    return this.#kept.subarray(0, bytes);
  }
}

/**
 * Reads the records from `from` up to `end`. At least one record is read, however large, and at most about `limit`. Their
 * payloads lie in `memory`.
 */
export async function readRecords(
  file: FileHandle,
  from: number,
  end: number,
  limit: ReadLimit,
  memory = new ReadMemory(),
): Promise<SegmentRead> {
  let buffer = await readBytes(file, from, Math.min(end, from + limit.bytes), memory);
  const records: PlacedRecord[] = [];
  let at = 0;
  while (records.length < limit.records && from + at < end) {
    const result = decodeRecord(buffer, at);
    if (result.status === 'whole') {
      at += result.record.bytes;
      records.push({ end: from + at, ...result.record });
    } else if (records.length > 0) {
      break; // The next call begins at this place and reads what is there.
    } else if (result.status === 'short' && from + result.bytes <= end && result.bytes > buffer.length) {
      const bytes = Math.max(result.bytes, RECORD_HEADER_BYTES);
      buffer = await readBytes(file, from, from + bytes, memory);
      if (buffer.length < bytes) return { records, damage: await damageAt(file, from, end) };
    } else {
      return { records, damage: await damageAt(file, from, end) };
    }
  }
  return { records };
}

async function damageAt(file: FileHandle, start: number, end: number): Promise<Damage> {
  const next = await findRecord(file, start + 1, end);
  return { start, end: next ?? end, torn: next === undefined };
}

/** The first position at or after `from` where a complete record begins. */
async function findRecord(file: FileHandle, from: number, end: number): Promise<number | undefined> {
  for (let start = from; start < end; start += SEARCH_BYTES) {
    // The overlap keeps the magic of a record intact that lies across the border.
    const buffer = await readBytes(file, start, Math.min(end, start + SEARCH_BYTES + RECORD_HEADER_BYTES));
    for (let at = findMagic(buffer, 0); at !== -1 && at < SEARCH_BYTES; at = findMagic(buffer, at + 1)) {
      if (await isRecord(file, start + at, end)) return start + at;
    }
  }
  return undefined;
}

async function isRecord(file: FileHandle, at: number, end: number): Promise<boolean> {
  const header = decodeRecord(await readBytes(file, at, Math.min(end, at + RECORD_HEADER_BYTES)), 0);
  if (header.status === 'whole') return true;
  if (header.status === 'damaged' || at + header.bytes > end) return false;
  return decodeRecord(await readBytes(file, at, at + header.bytes), 0).status === 'whole';
}

/** Reads bytes of the file. It returns fewer than requested only at the end of the file. */
async function readBytes(
  file: FileHandle,
  start: number,
  end: number,
  memory = new ReadMemory(),
): Promise<Buffer> {
  const buffer = memory.take(end - start);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
