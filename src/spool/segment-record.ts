import { crc32 } from 'node:zlib';

/*
 * How one entry lies in a segment file: a header of 24 bytes and a payload of UTF-8 JSON.
 *
 *   0  magic     four bytes, see MAGIC
 *   4  checksum  CRC-32 (IEEE, zlib's) of all that follows it
 *   8  length    of the payload, uint32
 *  12  kind      1 log, 2 amendment; three bytes of zero
 *  16  time      of the append, epoch milliseconds, float64
 *
 * All numbers are little endian. JSON text has no control characters, so the magic's first byte never occurs
 * in a payload: what a client sends can never pass for an entry, however a segment is damaged.
 */
const MAGIC = Buffer.from([0x1e, 0x53, 0x4c, 0x31]);
export const RECORD_HEADER_BYTES = 24;

const KINDS = ['log', 'amendment'] as const;
export type EntryKind = (typeof KINDS)[number];

export interface SegmentRecord {
  kind: EntryKind;
  /** The payload, as a view into the buffer that was read. */
  payload: Buffer;
  /** The time of the append in epoch milliseconds. */
  appendedAt: number;
  /** The length of header and payload together. */
  bytes: number;
}

/**
 * `short`: the buffer ends before the record does; `bytes` is the record's length, as far as it is known. `damaged`:
 * this is not a record.
 */
export type RecordResult =
  | { status: 'whole'; record: SegmentRecord }
  | { status: 'short'; bytes: number }
  | { status: 'damaged' };

/** A part of the JSON of an entry, as text or UTF-8. */
export type Piece = string | Buffer;
/** The JSON of an entry, whole or in pieces. */
export type Payload = string | readonly Piece[];

/** The most bytes of UTF-8 for a UTF-16 unit. */
const BYTES_OF_UNIT = 3;

export function encodeRecord(kind: EntryKind, payload: Payload, appendedAt: number): Buffer {
  const record = Buffer.allocUnsafe(bytesOfRecord(payload));
  write(record, 0, kind, payload, appendedAt);
  return record;
}

/** The length of the record of a payload. */
export function bytesOfRecord(payload: Payload): number {
  return RECORD_HEADER_BYTES + bytesOf(payload);
}

/** The most that the length can be. Counting the bytes of a text takes about as long as writing it. */
export function mostBytesOfRecord(payload: Payload): number {
  let units = 0;
  for (const { length } of piecesOf(payload)) units += length;
  return RECORD_HEADER_BYTES + BYTES_OF_UNIT * units;
}

/** Writes a record into memory. Returns its length, or undefined where there is too little room. */
export function encodeInto(
  memory: Buffer,
  at: number,
  kind: EntryKind,
  payload: Payload,
  appendedAt: number,
): number | undefined {
  const room = memory.length - at;
  if (mostBytesOfRecord(payload) > room && bytesOfRecord(payload) > room) return undefined;
  return write(memory, at, kind, payload, appendedAt);
}

/** Writes a record for which there is room. Returns its length. */
function write(memory: Buffer, start: number, kind: EntryKind, payload: Payload, appendedAt: number): number {
  MAGIC.copy(memory, start);
  let at = start + RECORD_HEADER_BYTES;
  for (const piece of piecesOf(payload)) {
    at += typeof piece === 'string' ? memory.write(piece, at, 'utf8') : piece.copy(memory, at);
  }
  memory.writeUInt32LE(at - start - RECORD_HEADER_BYTES, start + 8);
  memory.writeUInt32LE(KINDS.indexOf(kind) + 1, start + 12);
  memory.writeDoubleLE(appendedAt, start + 16);
  memory.writeUInt32LE(crc32(memory.subarray(start + 8, at)), start + 4);
  return at - start;
}

function piecesOf(payload: Payload): readonly Piece[] {
  return typeof payload === 'string' ? [payload] : payload;
}

function bytesOf(payload: Payload): number {
  let bytes = 0;
  for (const piece of piecesOf(payload)) bytes += Buffer.byteLength(piece);
  return bytes;
}

export function decodeRecord(buffer: Buffer, offset: number): RecordResult {
  const there = buffer.length - offset;
  for (let at = 0; at < Math.min(there, MAGIC.length); at++) {
    if (buffer[offset + at] !== MAGIC[at]) return { status: 'damaged' };
  }
  if (there < RECORD_HEADER_BYTES) return { status: 'short', bytes: RECORD_HEADER_BYTES };
  const bytes = RECORD_HEADER_BYTES + buffer.readUInt32LE(offset + 8);
  if (there < bytes) return { status: 'short', bytes };
  const checked = buffer.subarray(offset + 8, offset + bytes);
  const kind = KINDS[buffer.readUInt32LE(offset + 12) - 1];
  if (kind === undefined || crc32(checked) !== buffer.readUInt32LE(offset + 4)) return { status: 'damaged' };
  const payload = buffer.subarray(offset + RECORD_HEADER_BYTES, offset + bytes);
  return { status: 'whole', record: { kind, payload, appendedAt: buffer.readDoubleLE(offset + 16), bytes } };
}

/** The next position at or after `offset` where a record could begin, or -1. */
export function findMagic(buffer: Buffer, offset: number): number {
  return buffer.indexOf(MAGIC, offset);
}
