import { MongoServerError } from 'mongodb';
import type { LogPosition } from '../../mongodb/collections.js';
import type { LogQuery } from './log-filter.js';

/*
 * Logs are found by one condition, which an index has in order of time, and all others are checked on the logs that it
 * finds. So a search costs what the rarest condition costs, and where that is frequent too, a page looks at so many of its
 * newest logs and says so. Otherwise two frequent conditions that never hold together would read every log of both.
 */

export interface Lead {
  /** The query of the project, at most one condition, and the time, with further conditions that are checked on each log. */
  queryWith: (...more: readonly LogQuery[]) => LogQuery;
  /** The same query as far as the index alone can answer it: all logs that match are among its results. */
  keysWith: Lead['queryWith'];
  /** The index for the query. Undefined where branches of the query need different ones. */
  hint: string | undefined;
  /** The conditions that are checked on each log. */
  rest: LogQuery[];
  /** Whether the index contains all checked fields, so that no log is read for them. */
  isCovered: boolean;
  /** Whether there are only few logs, so that no limit is needed. */
  isSmall: boolean;
  /** Present where words were looked for in the newest logs. */
  among?: FoundWords;
}

export interface FoundWords {
  ids: string[];
  /** How many logs were searched, where there are more. */
  searched?: number;
  /** The oldest of these. */
  end?: LogPosition;
}

/** The lead with further conditions that are checked on each log. */
export function withChecks(lead: Lead, ...checks: LogQuery[]): Lead {
  return { ...lead, rest: [...lead.rest, ...checks], isCovered: false };
}

const BAD_VALUE = 2;

/**
 * Runs a query with the index as a hint. It runs without the hint while the index is still being built, as after an update
 * with a large collection.
 */
export async function withHint<Value>(
  hint: string | undefined,
  run: (options: { hint?: string }) => Promise<Value>,
): Promise<Value> {
  if (hint === undefined) return run({});
  try {
    return await run({ hint });
  } catch (error) {
    const isUnknown =
      error instanceof MongoServerError && error.code === BAD_VALUE && error.message.includes('hint');
    if (!isUnknown) throw error;
    return run({});
  }
}
