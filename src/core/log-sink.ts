import type { LogRecord } from './log-record.js';

/** Something learned after a record was appended, such as a LOG plugin's findings. Applying it twice changes nothing. */
export interface LogAmendment {
  log_id: string;
  plugin_runs: LogRecord['plugin_runs'];
  add_tags: string[];
  /** What the LOG phase learned. It counts once: a second one for the same log is left out. */
  log_phase?: true;
}

/** An engine, as it named itself in its logs. What it had begun before it started runs no more. */
export interface StartedEngine {
  id: string;
  startedAt: Date;
}

/** Where finished exchanges go. */
export interface LogSink {
  /**
   * Takes one record. Resolves when it is safe against a crash of this process (and against power loss where
   * `sync_ms` is 0); the answer's end is released only then. Rejects with `spool_full` where that is configured.
   */
  append(record: LogRecord): Promise<void>;
  amend(amendment: LogAmendment): Promise<void>;
  /** Whether a new exchange can be taken at all; false only with `on_full: refuse` and no room. */
  accepts(): boolean;
}
