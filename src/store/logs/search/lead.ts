import { MongoServerError } from 'mongodb';
import type { LogPosition } from '../../mongodb/collections.js';
import type { LogQuery } from './log-filter.js';

/*
 * Logs are found by one condition, which an index has in order of time, and all others are checked on the logs that it
 * finds. So a search costs what the rarest condition costs, and where that is frequent too, a page looks at so many of its
 * newest logs and says so. Otherwise two frequent conditions that never hold together would read every log of both.
 */

export interface Lead {
  /** The query of the project, one condition at most, and the time, with more conditions that are checked on each log. */
  queryWith: (...more: readonly LogQuery[]) => LogQuery;
  /** The same as far as the index alone can tell: more logs fit it, and none less. */
  keysWith: Lead['queryWith'];
  /** The index for it; undefined where branches of the query have different ones. */
  hint: string | undefined;
  /** What is checked on each log. */
  rest: LogQuery[];
  /** The index has all that is checked, so no log is read for it. */
  isCovered: boolean;
  /** Few logs at most, so that there is no need for a bound. */
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

/** The same with more conditions that are checked on each log. */
export function withChecks(lead: Lead, ...checks: LogQuery[]): Lead {
  return { ...lead, rest: [...lead.rest, ...checks], isCovered: false };
}

const BAD_VALUE = 2;

/**
 * Runs a query with the hint, and without it while the index is still being built, as after an update of a large
 * collection.
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
