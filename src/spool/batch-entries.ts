import { heavyWork } from '../core/pacing/heavy-work.js';
import { type Entry, entryFromPayload } from './entry.js';
import type { PlacedRecord } from './segment-reader.js';

export interface BatchEntry {
  entry: Entry;
  /** The offset in its segment at which the entry ends. */
  end: number;
}

/**
 * Takes logs without parsing them, because they are parsed one by one later. Returns entries from the start up to the first
 * one that cannot be read.
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
