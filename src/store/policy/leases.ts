import type { AnyBulkWriteOperation, Document } from 'mongodb';
import { type Answer, LEASE_MS } from '../../policy/limits/lease.js';
import type { LeaseAsk, LeaseStore } from '../../policy/limits/lease-keeper.js';
import type { Collections, LimitShareDocument } from '../mongodb/collections.js';

/** How long a counter is kept after the end of its window, for people who look at it. */
const KEPT_MS = 86_400_000;
/** How long a counter without a window is kept after its last report. */
const LEVEL_KEPT_MS = 3_600_000;

/**
 * Stores one document for each counter and window, with the share of each engine. MongoDB changes a document atomically, so
 * each engine sees what others took before. The pipeline below does what `grant` in policy/limits/lease.ts says in a readable
 * form.
 */
export function createLeaseStore({ shares, guarded }: Collections): LeaseStore {
  return {
    exchange: (engine, asks) =>
      guarded(async () => {
        if (asks.length === 0) return [];
        const writes = asks.map((ask) => writeOf(engine, ask));
        await shares.bulkWrite(writes, { ordered: false });
        const ids = asks.map(idOf);
        const fields = { projection: { [`engines.${engine}`]: 1 } };
        const found = await shares.find({ _id: { $in: ids } }, fields).toArray();
        const byId = new Map(found.map((document) => [document._id, document.engines[engine]]));
        return ids.map((id): Answer => {
          const share = byId.get(id);
          return {
            used: share?.used ?? 0,
            granted: share?.granted ?? 0,
            left: share?.left ?? 0,
            usedByOthers: share?.used_by_others ?? 0,
          };
        });
      }),
  };
}

function idOf({ key, start }: LeaseAsk): string {
  return start === undefined ? key : `${key}/${start}`;
}

function writeOf(engine: string, ask: LeaseAsk): AnyBulkWriteOperation<LimitShareDocument> {
  const own = `engines.${engine}`;
  const others: Document = {
    $filter: {
      input: { $objectToArray: { $ifNull: ['$engines', {}] } },
      cond: { $ne: ['$$this.k', engine] },
    },
  };
  const isLost: Document = { $lt: ['$$this.v.at', { $subtract: ['$$NOW', LEASE_MS] }] };
  const counts: Document | string = ask.isLevel ? { $cond: [isLost, 0, '$$this.v.used'] } : '$$this.v.used';
  const takes: Document = { $cond: [isLost, counts, { $max: ['$$this.v.used', '$$this.v.granted'] }] };
  const sumOf = (value: Document | string): Document => ({
    $sum: { $map: { input: '$_others', in: value } },
  });
  const expires =
    ask.end === undefined ? { $add: ['$$NOW', LEVEL_KEPT_MS] } : { $toDate: { $literal: ask.end + KEPT_MS } };
  return {
    updateOne: {
      filter: { _id: idOf(ask) },
      upsert: true,
      update: [
        { $set: { _others: others } },
        {
          $set: {
            _free: { $max: [0, { $subtract: [ask.amount, sumOf(takes)] }] },
            _used: ask.isLevel ? ask.used : { $max: [ask.used, { $ifNull: [`$${own}.used`, 0] }] },
          },
        },
        {
          $set: {
            [own]: {
              used: '$_used',
              granted: { $max: ['$_used', { $min: [ask.wanted, '$_free'] }] },
              left: {
                $max: [0, { $subtract: ['$_free', { $max: ['$_used', { $min: [ask.wanted, '$_free'] }] }] }],
              },
              used_by_others: sumOf(counts),
              at: '$$NOW',
            },
            expires_at: expires,
          },
        },
        { $unset: ['_others', '_free', '_used'] },
      ],
    },
  };
}
