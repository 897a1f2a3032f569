import type { Collections, LogDocument, LogPosition } from '../../mongodb/collections.js';
import { type Lead, withHint } from './lead.js';
import { type LogQuery, olderOrNewer } from './log-filter.js';

/*
 * One page looks at so many of the newest logs of a lead, and reports how many where there are more. Duration, cost and
 * tokens of a log are part of the index that is in order of time, so that a filter by such a number, or a list with the
 * largest first, looks further. An index for each number would make every write slower.
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
export const LIST_REACH: ListReach = { byIndex: 10_000, byLog: 4_000 };

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;
const PLACE = { created_at: 1 } as const;

/** The field of each sort. */
const VALUES: Record<SortName, string> = {
  duration: 'timing.total_ms',
  first_token: 'timing.time_to_first_token_ms',
  cost: 'cost',
  tokens: '_tokens',
};

/** A part of a list of logs, newest first: the logs of a lead that one page looks at. */
interface Stretch {
  /** Where it begins. */
  after: LogQuery[];
  /** Its last log, where there are more. */
  end: LogPosition | undefined;
  size: number;
}

async function stretchOf(
  { logs }: Collections,
  { keysWith, hint, isCovered, isSmall }: Lead,
  reach: ListReach,
  position?: LogPosition,
): Promise<Stretch> {
  const after = position === undefined ? [] : olderOrNewer(position, '$lt');
  const size = isCovered ? reach.byIndex : reach.byLog;
  if (isSmall) return { after, size, end: undefined };
  const [last] = await withHint(hint, (options) =>
    logs
      .find(keysWith(...after), { projection: PLACE, ...options })
      .sort(NEWEST_FIRST)
      .skip(size - 1)
      .limit(1)
      .toArray(),
  );
  return { after, size, end: last && { created_at: last.created_at, id: last._id } };
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
 * The newest logs of a lead that the rest of the conditions leave. A page may be short or empty although more follow.
 */
export async function listNewest(
  collections: Collections,
  lead: Lead,
  { limit, after: position, projection, reach }: PageWish<LogPosition>,
): Promise<BoundedPage> {
  const { hint } = lead;
  const { after, size, end } = await stretchOf(collections, lead, reach, position);
  const inside = end === undefined ? [] : notBeyond(end);
  const documents = await withHint(hint, (options) =>
    collections.logs
      .find(lead.queryWith(...after, ...inside, ...lead.rest), { projection, ...options })
      .sort(NEWEST_FIRST)
      .limit(limit + 1)
      .toArray(),
  );
  if (documents.length > limit) {
    const last = documents[limit - 1]!;
    return { documents: documents.slice(0, limit), next: { created_at: last.created_at, id: last._id } };
  }
  return { documents, next: end ?? null, ...(end === undefined ? {} : { searched: size }) };
}

function notBeyond(end: LogPosition): LogQuery[] {
  return olderOrNewer(end, '$gt', '$gte');
}

/** How many logs match, as far as one count looks. */
export interface BoundedCount {
  count: number;
  /** There may be more. */
  more: boolean;
}

/** Counts up to `limit` logs. */
export async function countBounded(
  collections: Collections,
  lead: Lead,
  reach: ListReach,
  limit: number,
): Promise<BoundedCount> {
  const { hint, rest } = lead;
  const { end } = rest.length === 0 ? {} : await stretchOf(collections, lead, reach);
  const inside = end === undefined ? [] : notBeyond(end);
  const query = lead.queryWith(...inside, ...rest);
  const count = await withHint(hint, (options) =>
    collections.logs.countDocuments(query, { limit: limit + 1, ...options }),
  );
  return { count: Math.min(count, limit), more: count > limit || end !== undefined };
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

/** The logs with the largest values among the newest that fit, the largest first. Logs without a value come last. */
export async function listSorted(
  collections: Collections,
  projectUid: string,
  lead: Lead,
  sort: SortName,
  { limit, after, projection, reach }: PageWish<SortedPosition>,
): Promise<SortedPage> {
  const { logs } = collections;
  const { hint } = lead;
  const { size, end: newest } = await stretchOf(collections, lead, reach);
  // The end stays where the first page had it, whatever landed since.
  const end = after === undefined ? (newest ?? null) : after.end;
  const inside = end === null ? [] : notBeyond(end);
  const field = VALUES[sort];
  const below = after === undefined ? [] : [belowOf(field, after)];
  // All of it is in the index where that has what is checked. A field that is not there comes last, as null does.
  const found = await withHint(hint, (options) =>
    logs
      .find(lead.queryWith(...inside, ...lead.rest, ...below), {
        projection: { ...PLACE, [field]: 1 },
        ...options,
      })
      .sort({ [field]: -1, ...NEWEST_FIRST })
      .limit(limit + 1)
      .toArray(),
  );
  const ranked = found.map(({ _id, created_at, ...rest }) => ({
    _id,
    created_at,
    value: valueAt(rest, field),
  }));
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

function belowOf(field: string, { value, created_at, id }: SortedPosition): LogQuery {
  const older = { $or: [{ created_at: { $lt: created_at } }, { created_at, _id: { $lt: id } }] };
  if (value === null) return { [field]: null, ...older };
  return { $or: [{ [field]: { $lt: value } }, { [field]: null }, { [field]: value, ...older }] };
}

/** The number at a path of a document; null where there is none. */
function valueAt(document: object, path: string): number | null {
  let value: unknown = document;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'number' ? value : null;
}
