import { open, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where shipping stands: all before this place has landed. */
export interface Position {
  /** Number of a segment. */
  segment: number;
  /** Bytes from its start. */
  offset: number;
}

const SEGMENT = /^(\d{12})\.segment$/;
const CHECKPOINT = 'checkpoint.json';

export function segmentPath(directory: string, sequence: number): string {
  return join(directory, `${String(sequence).padStart(12, '0')}.segment`);
}

/** The numbers of the segments of a directory, oldest first. */
export async function listSegments(directory: string): Promise<number[]> {
  const sequences: number[] = [];
  for (const name of await readdir(directory)) {
    const match = SEGMENT.exec(name);
    if (match !== null) sequences.push(Number(match[1]));
  }
  return sequences.sort((a, b) => a - b);
}

/** The start of everything where there is no checkpoint, or none that can be read: then entries are shipped again. */
export async function readCheckpoint(directory: string): Promise<Position> {
  try {
    const file = await open(join(directory, CHECKPOINT));
    try {
      const value = JSON.parse(await file.readFile('utf8')) as Partial<Position>;
      if (Number.isSafeInteger(value.segment) && Number.isSafeInteger(value.offset)) {
        return { segment: value.segment!, offset: value.offset! };
      }
    } finally {
      await file.close();
    }
  } catch {
    // Missing or cut short by a power loss; shipping twice does no harm.
  }
  return { segment: 0, offset: 0 };
}

/** Replaces the checkpoint at once. It is not synced: an old or lost one only makes shipping repeat itself. */
export async function writeCheckpoint(directory: string, position: Position): Promise<void> {
  const temporary = join(directory, `${CHECKPOINT}.tmp`);
  await writeFile(temporary, JSON.stringify(position));
  await rename(temporary, join(directory, CHECKPOINT));
}

/** Makes the names in a directory safe against power loss, as fdatasync does for a file's bytes. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
