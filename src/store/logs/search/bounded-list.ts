import type { Collections, LogDocument, LogPosition } from '../../mongodb/collections.js';
import {
  behind,
  type LogFilter,
  type LogQuery,
  measureConditions,
  narrow,
  withoutMeasures,
} from './log-filter.js';
import { planLogQuery } from './rarest-first.js';

/*
 * Duration, cost and tokens of a log are part of the index that is in order of time. A filter by such a number, or a
 * list with the largest first, searches the newest logs and reports how many it searched. An index for each number
 * would make every write slower.
 */

export type SortName = 'duration' | 'first_token' | 'cost' | 'tokens';

/** How many of the newest logs one page searches. */
export interface ListReach {
  /** Where the index alone is read. */
  byIndex: number;
  /** Where other filters are given, so that the logs are read. */
  byLog: number;
}

/** One page takes well under 100 ms. */
export const LIST_REACH: ListReach = { byIndex: 20_000, byLog: 5_000 };

const INDEX = 'measures';
const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;
const PLACE = { created_at: 1 } as const;

/** The field of each sort. */
const VALUES: Record<SortName, string> = {
  duration: '$timing.total_ms',
  first_token: '$timing.time_to_first_token_ms',
  cost: '$cost',
  tokens: '$_tokens',
};

/** A part of a list of logs, newest first. */
interface Stretch {
  query: LogQuery;
  /** The index to use, where only the time limits the logs. */
  hint: string | undefined;
  /** Its last log, where there are more. */
  end: LogPosition | undefined;
  size: number;
}

/** Whether a filter has conditions without an index of their own. */
export function isMeasured(filter: LogFilter): boolean {
  return measureConditions(filter).length > 0;
}

/** The part of the list after a position, without the conditions that have no index. */
async function stretchOf(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
  reach: ListReach,
  after?: LogPosition,
): Promise<Stretch> {
  const base = withoutMeasures(filter);
  const { from: _from, to: _to, ...narrowing } = base;
  const isPlain = Object.values(narrowing).every((value) => value === undefined);
  const planned = await planLogQuery(collections, projectUid, base);
  const query = after === undefined ? planned : behind(planned, after, 'newest');
  const hint = isPlain ? INDEX : undefined;
  const size = isPlain ? reach.byIndex : reach.byLog;
  const [last] = await collections.logs
    .find(query, { projection: PLACE, hint })
    .sort(NEWEST_FIRST)
    .skip(size - 1)
    .limit(1)
    .toArray();
  return { query, hint, size, end: last && { created_at: last.created_at, id: last._id } };
}

interface PageWish<Position> {
  limit: number;
  after?: Position;
  projection: object;
  reach: ListReach;
}

export interface BoundedPage {
  documents: LogDocument[];
  next: LogPosition | null;
  /** How many logs were searched, where there are more. */
  searched?: number;
}

/**
 * The newest logs of a filter with conditions that have no index. A page may be short or empty although more follow.
 */
export async function listMeasured(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
  { limit, after, projection, reach }: PageWish<LogPosition>,
): Promise<BoundedPage> {
  const { query, hint, size, end } = await stretchOf(collections, projectUid, filter, reach, after);
  const inside = end === undefined ? [] : [notBeyond(end)];
  const documents = await collections.logs
    .find(narrow(query, ...inside, ...measureConditions(filter)), { projection, hint })
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  if (documents.length > limit) {
    const last = documents[limit - 1]!;
    return { documents: documents.slice(0, limit), next: { created_at: last.created_at, id: last._id } };
  }
  return { documents, next: end ?? null, ...(end === undefined ? {} : { searched: size }) };
}

function notBeyond({ created_at, id }: LogPosition): LogQuery {
  return { $or: [{ created_at: { $gt: created_at } }, { created_at, _id: { $gte: id } }] };
}

/** Where a sorted list continues: after this value and log, within the logs that the first page searched. */
export interface SortedPosition extends LogPosition {
  value: number | null;
  /** The oldest log that was searched; null where there is no older one. */
  end: LogPosition | null;
}

export interface SortedPage {
  documents: LogDocument[];
  next: SortedPosition | null;
  searched?: number;
}

interface Ranked {
  _id: string;
  created_at: Date;
  value: number | null;
}

/** The logs with the largest values among the newest that fit, the largest first. Logs without a value come last. */
export async function listSorted(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
  sort: SortName,
  { limit, after, projection, reach }: PageWish<SortedPosition>,
): Promise<SortedPage> {
  const { logs } = collections;
  const { query, hint, size, end: found } = await stretchOf(collections, projectUid, filter, reach);
  // The end stays where the first page had it, whatever landed since.
  const end = after === undefined ? (found ?? null) : after.end;
  const inside = end === null ? [] : [notBeyond(end)];
  const ranked = await logs
    .aggregate<Ranked>(
      [
        { $match: narrow(query, ...inside, ...measureConditions(filter)) },
        { $project: { created_at: 1, value: { $ifNull: [VALUES[sort], null] } } },
        ...(after === undefined ? [] : [{ $match: belowOf(after) }]),
        { $sort: { value: -1, created_at: -1, _id: -1 } },
        { $limit: limit + 1 },
      ],
      { hint },
    )
    .toArray();
  const shown = ranked.slice(0, limit);
  const documents = await logs
    .find({ project_uid: projectUid, _id: { $in: shown.map(({ _id }) => _id) } }, { projection })
    .toArray();
  const byId = new Map(documents.map((document) => [document._id, document]));
  const last = ranked.length > limit ? shown.at(-1) : undefined;
  return {
    documents: shown.flatMap(({ _id }) => byId.get(_id) ?? []),
    next: last === undefined ? null : { value: last.value, created_at: last.created_at, id: last._id, end },
    ...(end === null ? {} : { searched: size }),
  };
}

function belowOf({ value, created_at, id }: SortedPosition): object {
  const older = { $or: [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: id } }] };
  if (value === null) return { value: null, ...older };
  return { $or: [{ value: { $lt: value } }, { value: null }, { value, ...older }] };
}
