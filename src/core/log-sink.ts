import type { LogRecord } from './log-record.js';

/**
 * Something that became known after a record was appended, such as the findings of a LOG plugin. Applying it twice
 * has the same effect as applying it once.
 */
export interface LogAmendment {
  log_id: string;
  plugin_runs: LogRecord['plugin_runs'];
  add_tags: string[];
  /** The result of the LOG phase. It counts once: a second one for the same log is ignored. */
  log_phase?: true;
}

/** An engine by its name in logs, with the time of its start. LOG phases that it began earlier are no longer running. */
export interface StartedEngine {
  id: string;
  startedAt: Date;
}

/** Takes the logs of finished exchanges. */
export interface LogSink {
  /**
   * Takes one record. Resolves when the record survives a crash of this process (and a power loss where `sync_ms` is
   * 0); only then is the end of the answer released. Rejects with `spool_full` where that is configured.
   */
  append(record: LogRecord): Promise<void>;
  amend(amendment: LogAmendment): Promise<void>;
  /** Whether a new exchange can be accepted. False only where `on_full` is `refuse` and no space is left. */
  accepts(): boolean;
}
