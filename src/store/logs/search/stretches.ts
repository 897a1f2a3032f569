import type { Collections, LogPosition } from '../../mongodb/collections.js';
import { type Lead, withHint } from './lead.js';
import { type LogQuery, olderOrNewer } from './log-filter.js';

/** Whether the newest or the oldest log comes first. */
export type LogOrder = 'newest' | 'oldest';

/** How many logs of a lead one query examines. */
export interface ListReach {
  /** The number where only the index is read. */
  byIndex: number;
  /** The number where other conditions require that the logs are read. */
  byLog: number;
}

/** With these numbers, one page takes well under 100 ms. */
export const LIST_REACH: ListReach = { byIndex: 10_000, byLog: 4_000 };

export const SORTS = {
  newest: { created_at: -1, _id: -1 },
  oldest: { created_at: 1, _id: 1 },
} as const;
export const PLACE = { created_at: 1 } as const;

/** A part of the logs of a lead, in order. */
export interface Stretch {
  /** Conditions on the place of its logs. */
  where: LogQuery[];
  /** The last log of the stretch, where there are more. */
  end: LogPosition | undefined;
  /** How many logs of the lead the stretch has, where there are more. */
  size: number;
}

export interface StretchWish {
  reach: ListReach;
  order?: LogOrder;
  /** The log after which the stretch begins. */
  after?: LogPosition;
  /** Conditions on the place of all its logs. */
  within?: readonly LogQuery[];
}

/** The first stretch of a lead's logs. */
export async function stretchOf(
  { logs }: Collections,
  { keysWith, hint, isCovered, isSmall }: Lead,
  { reach, order = 'newest', after, within = [] }: StretchWish,
): Promise<Stretch> {
  const where = [...within, ...(after === undefined ? [] : behindPosition(after, order))];
  const size = isCovered ? reach.byIndex : reach.byLog;
  if (isSmall) return { where, size, end: undefined };
  const [last] = await withHint(hint, (options) =>
    logs
      .find(keysWith(...where), { projection: PLACE, ...options })
      .sort(SORTS[order])
      .skip(size - 1)
      .limit(1)
      .toArray(),
  );
  if (last === undefined) return { where, size, end: undefined };
  const end = { created_at: last.created_at, id: last._id };
  return { where: [...where, ...notBeyond(end, order)], size, end };
}

/** Does the same for a caller that ends after a page of logs. Where nothing is checked on them, no limit is needed. */
export async function stretchToCheck(
  collections: Collections,
  lead: Lead,
  wish: StretchWish,
): Promise<Stretch> {
  if (lead.rest.length > 0) return stretchOf(collections, lead, wish);
  return stretchOf(collections, { ...lead, isSmall: true }, wish);
}

/** One stretch after the other, until they contain all logs of the lead. */
export async function* stretchesOf(
  collections: Collections,
  lead: Lead,
  wish: StretchWish,
): AsyncGenerator<Stretch> {
  let after = wish.after;
  do {
    const wanted = { ...wish, after };
    const stretch = await collections.guarded(() => stretchToCheck(collections, lead, wanted));
    yield stretch;
    after = stretch.end;
  } while (after !== undefined);
}

/** The condition for logs that come after this one. */
export function behindPosition(position: LogPosition, order: LogOrder): LogQuery[] {
  return olderOrNewer(position, order === 'newest' ? '$lt' : '$gt');
}

/** The condition for logs up to this one, including it. */
export function notBeyond(end: LogPosition, order: LogOrder = 'newest'): LogQuery[] {
  return order === 'newest' ? olderOrNewer(end, '$gt', '$gte') : olderOrNewer(end, '$lt', '$lte');
}
