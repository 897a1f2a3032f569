import type { Collections, LogPosition } from '../../mongodb/collections.js';
import { withKnownModels } from './known-models.js';
import { type Lead, withHint } from './lead.js';
import {
  type IndexedCondition,
  type LogFilter,
  type LogQuery,
  measureConditions,
  partsOf,
  queryOfBranches,
  timeConditions,
} from './log-filter.js';
import { findRecentWords } from './recent-words.js';
import { LIST_REACH, type ListReach } from './stretches.js';

/** The condition of the index that is only in order of time. */
const TIME: IndexedCondition = { index: 'by_time', conditions: [{}] };

/**
 * With as many logs as one query reads it does not matter how rare a condition is. Words without an index are looked for
 * behind the log `after`.
 */
export async function findLead(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
  reach: ListReach = LIST_REACH,
  after?: LogPosition,
): Promise<Lead> {
  const enough = reach.byLog;
  const known = await withKnownModels(collections, projectUid, filter);
  if (filter.q !== undefined && !collections.searchesWords(projectUid)) {
    return recentWordsLead(collections, projectUid, known, reach, after);
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

/**
 * The lead of a search for words: they are looked for in the newest logs that match everything else, which leaves few logs.
 */
async function recentWordsLead(
  collections: Collections,
  projectUid: string,
  { q = '', ...others }: LogFilter,
  reach: ListReach,
  after?: LogPosition,
): Promise<Lead> {
  const lead = await findLead(collections, projectUid, others, reach);
  const among = await findRecentWords(collections, lead, q, reach, after);
  const ids: LogQuery[] = [{ _id: { $in: among.ids } }];
  const queryWith = (...more: readonly LogQuery[]) => queryOfBranches(projectUid, ids, more);
  const isFound = { hint: undefined, rest: [], isCovered: false, isSmall: true };
  return { queryWith, keysWith: queryWith, ...isFound, among };
}

/**
 * The condition that the fewest logs meet. Of those that `enough` logs meet, the first, because the likely ones come first.
 */
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
