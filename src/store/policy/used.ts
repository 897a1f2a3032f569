import type { UsedOfCounter } from '../../policy/limits/rebuild.js';
import type { Collections } from '../mongodb/collections.js';

/** Logs that are older than this are in no open window. */
const LONGEST_WINDOW_MS = 32 * 86_400_000;

/**
 * What the logs of these engines report as usage in the windows that contain `now`, by counter. Later logs, and those in
 * `without`, do not count, because the caller already knows them.
 */
export function usedByEngines(
  { logs, guarded }: Collections,
  engines: readonly string[],
  now: number,
  without: readonly string[],
): Promise<UsedOfCounter[]> {
  const at = new Date(now);
  const windowOf = (date: unknown) => ({ $dateTrunc: { date, unit: '$limits.window' } });
  return guarded(() =>
    logs
      .aggregate<UsedOfCounter>([
        {
          $match: {
            _engine: { $in: [...engines] },
            created_at: { $gte: new Date(now - LONGEST_WINDOW_MS), $lt: at },
            // A request that one limit refused counts for no limit.
            'limits.outcome': { $ne: 'rejected' },
            ...(without.length === 0 ? {} : { _id: { $nin: without } }),
          },
        },
        { $project: { created_at: 1, limits: 1, cost: 1, usage: 1 } },
        { $unwind: '$limits' },
        { $match: { 'limits.window': { $exists: true } } },
        { $match: { $expr: { $eq: [windowOf('$created_at'), windowOf(at)] } } },
        {
          $group: {
            _id: '$limits.id',
            requests: { $sum: 1 },
            tokens: {
              $sum: {
                $add: [{ $ifNull: ['$usage.input_tokens', 0] }, { $ifNull: ['$usage.output_tokens', 0] }],
              },
            },
            cost_usd: { $sum: { $ifNull: ['$cost', 0] } },
          },
        },
        { $project: { _id: 0, key: '$_id', requests: 1, tokens: 1, cost_usd: 1 } },
      ])
      .toArray(),
  );
}
