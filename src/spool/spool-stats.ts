import type { SpoolCounters, SpoolFolder } from './spool-folder.js';

/** The state of a spool, for metrics and messages. */
export interface SpoolStats {
  /** Entries that are not stored in MongoDB yet. */
  records: number;
  /**
   * The size on disk, including the folders of dead workers that are shipped here; `max_bytes` limits the worker's
   * own.
   */
  bytes: number;
  /** `max_bytes`. */
  limitBytes: number;
  /** The age of the oldest entry that is not stored yet; 0 where there is none. */
  oldestSeconds: number;
  /** Logs that were stored in MongoDB since the start. */
  written: number;
  /** Logs lost since the start: no room on the disk, or damaged there. */
  lost: number;
  /** Entries that MongoDB refused, since the start. */
  deadLetters: number;
}

/** The sum of several folders; `now` is in epoch milliseconds. */
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
