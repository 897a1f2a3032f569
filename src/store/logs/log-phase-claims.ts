import type { Collections, LogDocument } from '../mongodb/collections.js';

/**
 * How long a process has a log's LOG phase to itself. One that dies in it leaves the log to others for so long; one whose
 * plugins take longer may find that they ran elsewhere too.
 */
const CLAIM_MS = 10 * 60_000;

/** By MongoDB's clock, since those of engines may differ. */
const UNCLAIMED = { $lt: [{ $ifNull: ['$_log_phase_claimed_until', new Date(0)] }, '$$NOW'] };
const CLAIM = { $set: { _log_phase_claimed_until: { $add: ['$$NOW', CLAIM_MS] } } };

/** The log, for the process that asks; null where its LOG phase has ended, or is another's. */
export function claimLogPhase({ logs }: Collections, id: string): Promise<LogDocument | null> {
  return logs.findOneAndUpdate({ _id: id, _log_phase_due: true, $expr: UNCLAIMED }, [CLAIM]);
}
