import type { LogRecord } from '../../core/log-record.js';
import type { StartedEngine } from '../../core/log-sink.js';
import type { Collections, LogDocument } from '../mongodb/collections.js';
import type { LogQuery } from './search/log-filter.js';

/*
 * Whose a log's LOG phase is. The engine that makes a log claims it in the log itself, for as long as its plugins may take;
 * others take on what is left when that time is over, and the engine itself what it left before its last start.
 */

/**
 * How long a process has a LOG phase to itself that it has taken on. One that dies in it leaves the log to others for so
 * long; one whose plugins take longer may find that they ran elsewhere too.
 */
const CLAIM_MS = 10 * 60_000;
/** So long nobody takes on a log that landed just now, whenever it was made: what its plugins did is on its way. */
const LANDING_MS = 60_000;

/** What a new log says of its claim. Logs of older versions have none. */
export function claimOfNewLog({
  _log_phase_due,
  _log_phase_claim,
}: LogRecord): Pick<LogDocument, '_log_phase_claimed_until' | '_log_phase_engine'> {
  if (!_log_phase_due) return {};
  const { engine, until = 0 } = _log_phase_claim ?? {};
  return {
    _log_phase_claimed_until: new Date(Math.max(until, Date.now() + LANDING_MS)),
    ...(engine === undefined ? {} : { _log_phase_engine: engine }),
  };
}

/** By MongoDB's clock, since those of engines may differ. */
const IS_OVER = {
  $expr: {
    $lt: [{ $ifNull: ['$_log_phase_claimed_until', { $add: ['$created_at', LANDING_MS] }] }, '$$NOW'],
  },
};

/** Logs whose LOG phase nobody runs, as far as is known. */
export function unclaimed(engine?: StartedEngine): LogQuery {
  const own =
    engine === undefined
      ? []
      : [{ _log_phase_engine: engine.id, created_at: { $lt: engine.startedAt } } satisfies LogQuery];
  return { _log_phase_due: true, $or: [IS_OVER, ...own] };
}

/** The log, for the process that asks; null where its LOG phase has ended, or is another's. */
export function claimLogPhase(
  { logs }: Collections,
  id: string,
  engine?: StartedEngine,
): Promise<LogDocument | null> {
  return logs.findOneAndUpdate({ $and: [{ _id: id }, unclaimed(engine)] }, [
    { $set: { _log_phase_claimed_until: { $add: ['$$NOW', CLAIM_MS] } } },
    { $unset: '_log_phase_engine' },
  ]);
}
