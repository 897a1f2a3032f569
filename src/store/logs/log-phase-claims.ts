import type { LogRecord } from '../../core/log-record.js';
import type { StartedEngine } from '../../core/log-sink.js';
import type { Collections, LogDocument } from '../mongodb/collections.js';
import type { LogQuery } from './search/log-filter.js';

/*
 * Which process runs a log's LOG phase. The engine that makes a log claims it in the log itself, for as long as its
 * plugins may take. Afterwards others may resume it, and after a restart the engine resumes what it left.
 */

/**
 * How long a process that resumes a LOG phase has it to itself. If it dies, the log is available to others after this
 * time; if its plugins take longer, they may run elsewhere too.
 */
const CLAIM_MS = 10 * 60_000;
/**
 * A log that arrived just now is not resumed for this long, whenever it was made: the result of its plugins is on its
 * way.
 */
const LANDING_MS = 60_000;

/** The claim of a new log. Logs of older versions have none. */
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

/** By MongoDB's clock, because those of engines may differ. */
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

/** The log, for the process that asks; null where its LOG phase has ended or belongs to another. */
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
