import type { SpoolCounters, SpoolFolder } from './spool-folder.js';

/** What a spool tells of itself, for metrics and messages. */
export interface SpoolStats {
  /** Entries that have not landed in MongoDB. */
  records: number;
  /** On the disk, with the folders of dead workers that are shipped here; `max_bytes` bounds the worker's own. */
  bytes: number;
  /** `max_bytes`. */
  limitBytes: number;
  /** Age of the oldest entry that has not landed, 0 where there is none. */
  oldestSeconds: number;
  /** Logs that landed in MongoDB since the start. */
  written: number;
  /** Logs lost since the start: no room on the disk, or damaged there. */
  lost: number;
  /** Entries that MongoDB would not take, since the start. */
  deadLetters: number;
}

/** Of several folders together; `now` is epoch milliseconds. */
export function statsOf(
  folders: readonly SpoolFolder[],
  counters: SpoolCounters,
  limitBytes: number,
  now: number,
): SpoolStats {
  const oldest = Math.min(...folders.map(({ oldestAt }) => oldestAt ?? Number.POSITIVE_INFINITY));
  return {
    records: folders.reduce((sum, { records }) => sum + records, 0),
    bytes: folders.reduce((sum, { bytes }) => sum + bytes, 0),
    limitBytes,
    oldestSeconds: Number.isFinite(oldest) ? Math.max(0, (now - oldest) / 1000) : 0,
    ...counters,
  };
}
