import { MongoServerError } from 'mongodb';
import type { Collections } from '../../mongodb/collections.js';
import {
  type IndexedCondition,
  type LogFilter,
  type LogQuery,
  measureConditions,
  partsOf,
  queryOfBranches,
  timeConditions,
} from './log-filter.js';
import { knownModels } from './rarest-first.js';
import { findRecentWords } from './recent-words.js';

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
}

/** The index that is in order of time alone. */
const TIME: IndexedCondition = { index: 'measures', conditions: [{}] };

/** `enough`: with as many logs as this it does not matter how rare a condition is. */
export async function findLead(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
  enough: number,
): Promise<Lead> {
  const models = await knownModels(collections, projectUid, filter.model);
  const known = models === filter.model ? filter : { ...filter, model: models };
  if (filter.q !== undefined && !collections.searchesWords(projectUid)) {
    return recentWordsLead(collections, projectUid, known);
  }
  const { indexed, others } = partsOf(known);
  const time = timeConditions(known);
  const candidates = time.length > 0 || indexed.length === 0 ? [...indexed, TIME] : indexed;
  const { one, isSmall } = await rarest(collections, projectUid, candidates, time, enough);
  const { conditions, byKeys = conditions, besides = [] } = one;
  const rest = [...besides, ...indexed.filter((other) => other !== one).map(checkOf), ...others];
  const index = isSmall ? (one.few ?? one.index) : one.index;
  const hint = conditions.length === 1 ? index : undefined;
  const isCovered = one === TIME && rest.length === measureConditions(known).length;
  const queryWith = (...more: readonly LogQuery[]) =>
    queryOfBranches(projectUid, conditions, [...time, ...more]);
  const keysWith = (...more: readonly LogQuery[]) => queryOfBranches(projectUid, byKeys, [...time, ...more]);
  return { queryWith, keysWith, hint, rest, isCovered, isSmall };
}

function checkOf({ check, conditions, besides = [] }: IndexedCondition): LogQuery {
  if (check !== undefined) return check;
  return besides.length === 0 ? conditions[0]! : { $and: [conditions[0]!, ...besides] };
}

/** The words were looked up in the newest logs already, which leaves few. */
async function recentWordsLead(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
): Promise<Lead> {
  const ids = await findRecentWords(collections, projectUid, filter);
  // These fit the other conditions as well.
  const among: LogQuery[] = [{ _id: { $in: ids } }];
  const queryWith = (...more: readonly LogQuery[]) => queryOfBranches(projectUid, among, more);
  return { queryWith, keysWith: queryWith, hint: undefined, rest: [], isCovered: false, isSmall: true };
}

/** The one that fewest logs have; of those with `enough` logs the first, since they are in order of what is likely. */
async function rarest(
  { database, logs }: Collections,
  projectUid: string,
  candidates: readonly IndexedCondition[],
  time: LogQuery[],
  enough: number,
): Promise<{ one: IndexedCondition; isSmall: boolean }> {
  const [first] = candidates;
  if (candidates.length === 1 && first!.few === undefined) return { one: first!, isSmall: false };
  // Unlike an aggregation, this command counts index keys and reads no logs.
  const count = async (condition: LogQuery, hint?: string): Promise<number> => {
    const query = queryOfBranches(projectUid, [condition], time);
    const command = { count: logs.collectionName, query, limit: enough };
    const { n } = await withHint(hint, (options) => database.command({ ...command, ...options }));
    return n;
  };
  const counted = await Promise.all(
    candidates.map(async (one) => {
      const counts = await Promise.all((one.byKeys ?? one.conditions).map((part) => count(part, one.few)));
      return { one, count: counts.reduce((sum, part) => sum + part, 0) };
    }),
  );
  const [least] = counted.sort((a, b) => a.count - b.count);
  return { one: least!.one, isSmall: least!.count < enough };
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
