import type { FileHandle } from 'node:fs/promises';
import { decodeFrame, FRAME_HEADER_BYTES, type Frame, findMagic } from './frame.js';

const SEARCH_BYTES = 1 << 20;

export interface PlacedFrame extends Frame {
  /** Offset in the segment behind the frame. */
  end: number;
}

/** Bytes that are no frame. `torn`: nothing readable follows, as after a crash in the middle of a write. */
export interface Damage {
  start: number;
  end: number;
  torn: boolean;
}

/** Either frames, or one damage that stands at the place of reading. */
export interface SegmentRead {
  frames: PlacedFrame[];
  damage?: Damage;
}

export interface ReadLimit {
  records: number;
  bytes: number;
}

/**
 * Reads the frames that follow `from`; nothing at or behind `end` is touched. At least one frame is read, however
 * large, and at most about `limit`.
 */
export async function readFrames(
  file: FileHandle,
  from: number,
  end: number,
  limit: ReadLimit,
): Promise<SegmentRead> {
  let buffer = await readBytes(file, from, Math.min(end, from + limit.bytes));
  const frames: PlacedFrame[] = [];
  let at = 0;
  while (frames.length < limit.records && from + at < end) {
    const result = decodeFrame(buffer, at);
    if (result.status === 'whole') {
      at += result.frame.bytes;
      frames.push({ ...result.frame, end: from + at });
    } else if (frames.length > 0) {
      break; // The next call begins here and finds out what it is.
    } else if (result.status === 'short' && from + result.bytes <= end && result.bytes > buffer.length) {
      const bytes = Math.max(result.bytes, FRAME_HEADER_BYTES);
      buffer = await readBytes(file, from, from + bytes);
      if (buffer.length < bytes) return { frames, damage: await damageAt(file, from, end) };
    } else {
      return { frames, damage: await damageAt(file, from, end) };
    }
  }
  return { frames };
}

async function damageAt(file: FileHandle, start: number, end: number): Promise<Damage> {
  const next = await findFrame(file, start + 1, end);
  return { start, end: next ?? end, torn: next === undefined };
}

/** The first place at or after `from` where a whole frame begins. */
async function findFrame(file: FileHandle, from: number, end: number): Promise<number | undefined> {
  for (let start = from; start < end; start += SEARCH_BYTES) {
    // The overlap keeps a magic whole that lies across the border.
    const buffer = await readBytes(file, start, Math.min(end, start + SEARCH_BYTES + FRAME_HEADER_BYTES));
    for (let at = findMagic(buffer, 0); at !== -1 && at < SEARCH_BYTES; at = findMagic(buffer, at + 1)) {
      if (await isFrame(file, start + at, end)) return start + at;
    }
  }
  return undefined;
}

async function isFrame(file: FileHandle, at: number, end: number): Promise<boolean> {
  const header = decodeFrame(await readBytes(file, at, Math.min(end, at + FRAME_HEADER_BYTES)), 0);
  if (header.status === 'whole') return true;
  if (header.status === 'damaged' || at + header.bytes > end) return false;
  return decodeFrame(await readBytes(file, at, at + header.bytes), 0).status === 'whole';
}

/** Fewer bytes than asked for only where the file ends. */
async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(end - start);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
