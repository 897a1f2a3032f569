import { open, stat } from 'node:fs/promises';
import { type Entry, entryFromPayload } from './entry.js';
import { listSegments, readCheckpoint, segmentPath } from './segment-files.js';
import { readRecords } from './segment-reader.js';

export interface PendingEntry {
  entry: Entry;
  /** When the entry was appended, in epoch milliseconds. */
  appendedAt: number;
  bytes: number;
}

/**
 * The entries of a folder that are not shipped yet, oldest first. Read while a worker may be writing and shipping it.
 */
export async function* readPending(folder: string): AsyncGenerator<PendingEntry> {
  const position = await readCheckpoint(folder);
  for (const sequence of await listSegments(folder)) {
    if (sequence < position.segment) continue;
    const from = sequence === position.segment ? position.offset : 0;
    try {
      yield* readSegment(segmentPath(folder, sequence), from);
    } catch (error) {
      // The segment was shipped and deleted meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function* readSegment(path: string, from: number): AsyncGenerator<PendingEntry> {
  const { size } = await stat(path);
  const file = await open(path, 'r');
  try {
    let at = from;
    while (at < size) {
      const { records, damage } = await readRecords(file, at, size, { records: 500, bytes: 1 << 20 });
      for (const { kind, payload, appendedAt, bytes } of records) {
        yield { entry: entryFromPayload(kind, payload), appendedAt, bytes };
      }
      at = damage?.end ?? records.at(-1)!.end;
    }
  } finally {
    await file.close();
  }
}
