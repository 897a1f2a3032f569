import { heavyWork } from '../core/pacing/heavy-work.js';
import { type Entry, entryFromPayload } from './entry.js';
import type { PlacedRecord } from './segment-reader.js';

export interface BatchEntry {
  entry: Entry;
  /** The offset after it in its segment. */
  end: number;
}

/**
 * Reads logs without parsing them, since they are parsed one by one later. Returns as many from the start as can be
 * read.
 */
export async function entriesOf(records: readonly PlacedRecord[]): Promise<BatchEntry[]> {
  const entries: BatchEntry[] = [];
  for (const { kind, payload, bytes, end } of records) {
    if (kind === 'amendment') await heavyWork.turn(bytes);
    try {
      entries.push({ entry: kind === 'log' ? { kind, payload } : entryFromPayload(kind, payload), end });
    } catch {
      break;
    }
  }
  return entries;
}
