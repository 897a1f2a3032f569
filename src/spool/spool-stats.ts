import type { SpoolCounters, SpoolFolder } from './spool-folder.js';

/** The state of a spool, for metrics and messages. */
export interface SpoolStats {
  /** The number of entries that are not stored in MongoDB yet. */
  records: number;
  /**
   * The size on disk, including the folders of dead workers that are shipped here. `max_bytes` limits only the worker's own.
   */
  bytes: number;
  /** The configured `max_bytes`. */
  limitBytes: number;
  /** The age of the oldest entry that is not stored yet; 0 where there is none. */
  oldestSeconds: number;
  /** Logs that were stored in MongoDB since the start. */
  written: number;
  /** The logs that were lost since the start, because there was no room on the disk or the disk damaged them. */
  lost: number;
  /** The entries that MongoDB has refused since the start. */
  deadLetters: number;
}

/** The sums over several folders. `now` is in epoch milliseconds. */
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
