import type { ClientSession } from 'mongodb';
import type { Collections, LogDocument, LogPosition } from '../../mongodb/collections.js';
import { readInTurns } from '../../mongodb/read-in-turns.js';
import { type Lead, withHint } from './lead.js';
import type { LogQuery } from './log-filter.js';
import {
  behindPosition,
  type ListReach,
  type LogOrder,
  notBeyond,
  PLACE,
  SORTS,
  stretchesOf,
  stretchOf,
  stretchToCheck,
} from './stretches.js';

/*
 * One page looks at so many of the newest logs of a lead, and reports how many where there are more. Duration, cost and
 * tokens of a log are part of the index that is in order of time, so that a filter by such a number, or a list with the
 * largest first, looks further. An index for each number would make every write slower.
 */

export type SortName = 'duration' | 'first_token' | 'cost' | 'tokens';

/** The field of the log for each sort order. */
const VALUES: Record<SortName, string> = {
  duration: 'timing.total_ms',
  first_token: 'timing.time_to_first_token_ms',
  cost: 'cost',
  tokens: '_tokens',
};

interface PageWish<Position> {
  limit: number;
  after?: Position;
  projection: object;
  reach: ListReach;
  /** The session of a transaction in which the logs are read. */
  session?: ClientSession;
}

export interface BoundedPage {
  documents: LogDocument[];
  next: LogPosition | null;
  /** How many logs were searched, where there are more. */
  searched?: number;
}

/** The newest logs of a lead that also meet the other conditions. A page may be short or empty although more follow. */
export async function listNewest(
  collections: Collections,
  lead: Lead,
  { limit, after, projection, reach, session }: PageWish<LogPosition>,
): Promise<BoundedPage> {
  const { where, size, end } = await stretchToCheck(collections, lead, { reach, after });
  const find = (options: object) =>
    readInTurns(
      collections.logs
        .find(lead.queryWith(...where, ...lead.rest), { projection, ...options })
        .sort(SORTS.newest)
        .limit(limit + 1),
    );
  // A failed query ends its transaction, so there is no second try inside of one.
  const documents =
    session === undefined
      ? await withHint(lead.hint, find)
      : await find({ session, ...(lead.hint === undefined ? {} : { hint: lead.hint }) });
  if (documents.length > limit) {
    const shown = documents.slice(0, limit);
    return { documents: shown, next: placeOf(shown.at(-1)!) };
  }
  if (end !== undefined) return { documents, next: end, searched: size };
  return { documents, next: lead.among?.end ?? null, ...searchedPart(lead.among?.searched) };
}

const searchedPart = (searched: number | undefined) => (searched === undefined ? {} : { searched });

function placeOf({ created_at, _id }: LogDocument): LogPosition {
  return { created_at, id: _id };
}

/** All logs of a lead that also meet the other conditions, page by page. Each query examines a limited number. */
export async function* walkLead(
  collections: Collections,
  lead: Lead,
  { limit, order, projection, reach }: Omit<PageWish<never>, 'after' | 'session'> & { order: LogOrder },
): AsyncGenerator<LogDocument[]> {
  const { logs, guarded } = collections;
  for await (const { where } of stretchesOf(collections, lead, { reach, order })) {
    let after: LogPosition | undefined;
    do {
      const behind = after === undefined ? [] : behindPosition(after, order);
      const page = await guarded(() =>
        withHint(lead.hint, (options) =>
          readInTurns(
            logs
              .find(lead.queryWith(...where, ...behind, ...lead.rest), { projection, ...options })
              .sort(SORTS[order])
              .limit(limit),
          ),
        ),
      );
      yield page;
      after = page.length < limit ? undefined : placeOf(page.at(-1)!);
    } while (after !== undefined);
  }
}

/** How many logs match, as far as one count looks. */
export interface BoundedCount {
  count: number;
  /** Whether there may be more. */
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
  const { where, end } = await stretchToCheck(collections, lead, { reach });
  const query = lead.queryWith(...where, ...rest);
  const count = await withHint(hint, (options) =>
    collections.logs.countDocuments(query, { limit: limit + 1, ...options }),
  );
  const isPartial = end !== undefined || lead.among?.end !== undefined;
  return { count: Math.min(count, limit), more: count > limit || isPartial };
}

/** The position at which a sorted list continues: after this value and log, within the logs that the first page searched. */
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

/** The logs with the largest values first, among the newest that match. Logs without a value come last. */
export async function listSorted(
  collections: Collections,
  projectUid: string,
  lead: Lead,
  sort: SortName,
  { limit, after, projection, reach }: PageWish<SortedPosition>,
): Promise<SortedPage> {
  const { logs } = collections;
  const { hint } = lead;
  const { size, end: newest } = await stretchOf(collections, lead, { reach });
  // The end stays where the first page had it, even if logs have landed since.
  const end = after === undefined ? (newest ?? null) : after.end;
  const inside = end === null ? [] : notBeyond(end);
  const field = VALUES[sort];
  const below = after === undefined ? [] : [belowOf(field, after)];
  // Where the index contains all checked fields, it alone answers this. A log without the field comes last, as one with null
  // does.
  const found = await withHint(hint, (options) =>
    logs
      .find(lead.queryWith(...inside, ...lead.rest, ...below), {
        projection: { ...PLACE, [field]: 1 },
        ...options,
      })
      .sort({ [field]: -1, ...SORTS.newest })
      .limit(limit + 1)
      .toArray(),
  );
  const ranked = found.map(({ _id, created_at, ...rest }) => ({
    _id,
    created_at,
    value: valueAt(rest, field),
  }));
  const shown = ranked.slice(0, limit);
  const documents = await readInTurns(
    logs.find({ project_uid: projectUid, _id: { $in: shown.map(({ _id }) => _id) } }, { projection }),
  );
  const byId = new Map(documents.map((document) => [document._id, document]));
  const last = ranked.length > limit ? shown.at(-1) : undefined;
  return {
    documents: shown.flatMap(({ _id }) => byId.get(_id) ?? []),
    next: last === undefined ? null : { value: last.value, created_at: last.created_at, id: last._id, end },
    ...searchedPart(end === null ? lead.among?.searched : size),
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
