import { open, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How far shipping has come: everything before this position has been stored. */
export interface Position {
  /** The number of the segment. */
  segment: number;
  /** The offset in the segment, in bytes. */
  offset: number;
}

const SEGMENT = /^(\d{12})\.segment$/;
const CHECKPOINT = 'checkpoint.json';

export function segmentPath(folder: string, sequence: number): string {
  return join(folder, `${String(sequence).padStart(12, '0')}.segment`);
}

/** The numbers of the segments of a folder, oldest first. */
export async function listSegments(folder: string): Promise<number[]> {
  const sequences: number[] = [];
  for (const name of await readdir(folder)) {
    const match = SEGMENT.exec(name);
    if (match !== null) sequences.push(Number(match[1]));
  }
  return sequences.sort((a, b) => a - b);
}

/** The stored position. Where there is no readable checkpoint it is the very start, so that entries are shipped again. */
export async function readCheckpoint(folder: string): Promise<Position> {
  try {
    const file = await open(join(folder, CHECKPOINT));
    try {
      const value = JSON.parse(await file.readFile('utf8')) as Partial<Position>;
      if (Number.isSafeInteger(value.segment) && Number.isSafeInteger(value.offset)) {
        return { segment: value.segment!, offset: value.offset! };
      }
    } finally {
      await file.close();
    }
  } catch {
    // The checkpoint is missing or was truncated by a power failure. Shipping twice is harmless.
  }
  return { segment: 0, offset: 0 };
}

/** Replaces the checkpoint atomically. It is not synced, because an old or lost one only makes shipping repeat itself. */
export async function writeCheckpoint(folder: string, position: Position): Promise<void> {
  const temporary = join(folder, `${CHECKPOINT}.tmp`);
  await writeFile(temporary, JSON.stringify(position));
  await rename(temporary, join(folder, CHECKPOINT));
}

/** Makes the names in a folder survive a power failure, as fdatasync does for the bytes of a file. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
