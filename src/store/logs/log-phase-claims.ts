import type { LogRecord } from '../../core/log-record.js';
import type { StartedEngine } from '../../core/log-sink.js';
import type { Collections, LogDocument } from '../mongodb/collections.js';
import type { LogQuery } from './search/log-filter.js';

/*
 * Decides which process runs the LOG phase of a log. The engine that creates a log claims it in the log itself, for as long
 * as its plugins may take. After that time other processes may resume it, and after a restart the engine resumes what it left
 * unfinished.
 */

/**
 * How long a process that resumes a LOG phase has it for itself. If the process dies, others can take the log after this
 * time. If its plugins take longer, they may run in another process too.
 */
const CLAIM_MS = 10 * 60_000;
/**
 * A log that has just arrived is not resumed for this long, whatever its age, because the result of its plugins is on its
 * way.
 */
const LANDING_MS = 60_000;

/** The claim of a new log. Logs of older versions have none. */
export function claimOfNewLog({
  _log_phase_due,
  _log_phase_claim,
}: Pick<LogRecord, '_log_phase_due' | '_log_phase_claim'>): Pick<
  LogDocument,
  '_log_phase_claimed_until' | '_log_phase_engine'
> {
  if (!_log_phase_due) return {};
  const { engine, until = 0 } = _log_phase_claim ?? {};
  return {
    _log_phase_claimed_until: new Date(Math.max(until, Date.now() + LANDING_MS)),
    ...(engine === undefined ? {} : { _log_phase_engine: engine }),
  };
}

/** The condition that a claim is over. MongoDB's clock is used, because those of engines may differ. */
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

/** Claims a log. Returns it, or null where its LOG phase has ended or belongs to another process. */
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
