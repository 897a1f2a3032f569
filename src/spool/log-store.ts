import type { LogSource } from '../core/log-record.js';
import type { LogAmendment } from '../core/log-sink.js';

/** Where logs land. Both calls can be repeated with the same arguments at any time and change nothing then. */
export interface LogStore {
  /**
   * Each record is in one of the two lists: `stored` once it is durable, or was so before; `refused` where this
   * record can never be stored, with the reason for people. Throws where the store cannot be reached, or cannot
   * tell which record is at fault; then all are tried again. `amendments` are by the id of their log: `amended` says
   * whether those of these records landed too; else each is still to be applied.
   */
  insertMany(
    records: LogSource,
    amendments: ReadonlyMap<string, readonly LogAmendment[]>,
  ): Promise<{ stored: string[]; refused: { id: string; reason: string }[]; amended: boolean }>;
  /** False where its log is not there. Throws where the store cannot be reached. */
  amend(amendment: LogAmendment): Promise<boolean>;
}
