import type { Document } from 'mongodb';
import type { Collections } from '../mongodb/collections.js';

export const SPEND_DIMENSIONS = ['key', 'endpoint', 'model', 'tag', 'sticky', 'day'] as const;
export type SpendDimension = (typeof SPEND_DIMENSIONS)[number];

export interface SpendQuery {
  by: SpendDimension;
  from: Date;
  to: Date;
}

/** What was spent under one key, endpoint, model or tag, or on one day (UTC). */
export interface SpendRow {
  /** The key of the row; null for logs that have none. */
  key: string | null;
  requests: number;
  input_tokens: number;
  output_tokens: number;
  /** Input tokens that were read from providers' caches. */
  cached_input_tokens: number;
  /** The cost in US dollars; null where no cost is known. */
  cost: number | null;
  /** The US dollars that providers' caches saved, minus the cost of writing to them. */
  cache_saved: number;
}

export interface SpendStore {
  /** The rows with the highest cost first, days in their order; at most `MOST_SPEND_ROWS`. */
  read(projectUid: string, query: SpendQuery): Promise<SpendRow[]>;
  /** What logs since `from` counted against the limits of a project, by counter. */
  counted(projectUid: string, from: Date): Promise<CountedUse[]>;
}

/** How much of one counter was used in its current window. */
export interface CountedUse {
  /** The id of the limit and of the subject, as `limits` in logs has it. */
  id: string;
  requests: number;
  tokens: number;
  cost_usd: number;
}

export const MOST_SPEND_ROWS = 1_000;
/** How long a query may take. Reading months of logs takes seconds. */
const PATIENCE_MS = 25_000;

const zeroIfNone = (path: string): Document => ({ $ifNull: [path, 0] });

/** The expression by which a log is counted. By model each attempt counts; by everything else the exchange. */
const KEY_OF: Record<SpendDimension, Document | string> = {
  key: { $ifNull: ['$caller', null] },
  endpoint: { $ifNull: ['$endpoint', null] },
  model: { $concat: ['$attempts.provider', '/', '$attempts.model'] },
  tag: '$tags',
  // The same values as the label of the metrics.
  sticky: {
    $cond: [{ $eq: [{ $type: '$sticky' }, 'missing'] }, 'none', { $cond: ['$sticky.kept', 'kept', 'moved'] }],
  },
  day: { $dateToString: { date: '$created_at', format: '%Y-%m-%d' } },
};
const UNWOUND: Partial<Record<SpendDimension, string>> = { model: '$attempts', tag: '$tags' };

export function createSpendStore({ logs, guarded }: Collections): SpendStore {
  return {
    read: (project_uid, { by, from, to }) =>
      guarded(async () => {
        const source = by === 'model' ? '$attempts.' : '$';
        const unwound = UNWOUND[by];
        const rows = await logs
          .aggregate<SpendRow & { priced: number }>(
            [
              { $match: { project_uid, created_at: { $gte: from, $lt: to } } },
              ...(unwound === undefined ? [] : [{ $unwind: unwound }]),
              {
                $group: {
                  _id: KEY_OF[by],
                  requests: { $sum: 1 },
                  input_tokens: { $sum: zeroIfNone(`${source}usage.input_tokens`) },
                  output_tokens: { $sum: zeroIfNone(`${source}usage.output_tokens`) },
                  cached_input_tokens: { $sum: zeroIfNone(`${source}usage.cached_input_tokens`) },
                  cost: { $sum: zeroIfNone(`${source}cost`) },
                  cache_saved: { $sum: zeroIfNone(`${source}cache_saved`) },
                  priced: { $sum: { $cond: [{ $isNumber: `${source}cost` }, 1, 0] } },
                },
              },
              { $sort: by === 'day' ? { _id: 1 } : { cost: -1, requests: -1, _id: 1 } },
              { $limit: MOST_SPEND_ROWS },
              { $set: { key: '$_id' } },
              { $unset: '_id' },
            ],
            { maxTimeMS: PATIENCE_MS },
          )
          .toArray();
        return rows.map(({ priced, cost, cache_saved, key, ...row }) => ({
          key: by === 'key' ? nameOfCaller(key) : key,
          ...row,
          cost: priced === 0 ? null : round(cost ?? 0),
          cache_saved: round(cache_saved),
        }));
      }),

    counted: (project_uid, from) =>
      guarded(() => {
        const start = (date: unknown): Document => ({ $dateTrunc: { date, unit: '$limits.window' } });
        return logs
          .aggregate<CountedUse>(
            [
              {
                $match: {
                  project_uid,
                  created_at: { $gte: from },
                  limits: { $exists: true },
                  // A request that one limit refused counts for no limit.
                  'limits.outcome': { $ne: 'rejected' },
                },
              },
              { $project: { created_at: 1, limits: 1, usage: 1, cost: 1 } },
              { $unwind: '$limits' },
              { $match: { 'limits.window': { $exists: true } } },
              { $match: { $expr: { $eq: [start('$created_at'), start('$$NOW')] } } },
              {
                $group: {
                  _id: '$limits.id',
                  requests: { $sum: 1 },
                  tokens: {
                    $sum: { $add: [zeroIfNone('$usage.input_tokens'), zeroIfNone('$usage.output_tokens')] },
                  },
                  cost_usd: { $sum: zeroIfNone('$cost') },
                },
              },
              { $project: { _id: 0, id: '$_id', requests: 1, tokens: 1, cost_usd: 1 } },
            ],
            { maxTimeMS: PATIENCE_MS },
          )
          .toArray();
      }),
  };
}

function nameOfCaller(caller: string | null): string | null {
  return caller?.startsWith('key:') ? caller.slice('key:'.length) : caller;
}

/** Rounds a sum of fractions, because digits beyond the twelfth are noise. */
function round(value: number): number {
  return Number(value.toFixed(12));
}
