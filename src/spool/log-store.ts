import type { LogSource } from '../core/log-record.js';
import type { LogAmendment } from '../core/log-sink.js';

/** Where logs are stored. Both calls can be repeated with the same arguments at any time without effect. */
export interface LogStore {
  /**
   * Stores records. Each is in one of the two lists: `stored` once it is durable, or was so before; `refused` where it can
   * never be stored, with the reason for people. Throws where the store is unreachable or does not say which record is at
   * fault; all are then tried again. `amendments` are given by the id of their log. `amended` says whether those of these
   * records were stored too; otherwise each must still be applied.
   */
  insertMany(
    records: LogSource,
    amendments: ReadonlyMap<string, readonly LogAmendment[]>,
  ): Promise<{ stored: string[]; refused: { id: string; reason: string }[]; amended: boolean }>;
  /** Applies an amendment. False where its log does not exist. Throws where the store is unreachable. */
  amend(amendment: LogAmendment): Promise<boolean>;
}
