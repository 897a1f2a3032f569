import { BSON } from 'mongodb';
import { STATS_BEHIND } from '../counts/stat-deltas.js';
import { TAGS_BEHIND } from '../counts/tag-deltas.js';
import type { AppliedSignal, Collections, FeedbackDocument } from '../mongodb/collections.js';
import { isStorageAway } from '../mongodb/storage-errors.js';

/*
 * A log carries the score and weight of each of its signals, so that adding or removing one and computing
 * `feedback_count` and `score` is one atomic update of one document, right whoever writes at the same time
 * and however often it is repeated. A signal is `_pending` until its log has it.
 */

/** Puts a signal into its log, once. False where its project has no such log. */
export async function joinSignal(collections: Collections, signal: FeedbackDocument): Promise<boolean> {
  const { logs, feedback } = collections;
  const { _id: id, log_id, project_uid } = signal;
  const result = await logs.updateOne({ _id: log_id, project_uid }, withSignal(signal));
  if (result.matchedCount === 0) return false;
  const updated = await feedback.updateOne(
    { _id: id, project_uid, log_id, _pending: true },
    { $unset: { _pending: 1 } },
  );
  if (updated.matchedCount === 0) await removeIfDeleted(collections, signal);
  return true;
}

/** The update of a log that puts a signal in, once. */
export function withSignal(signal: FeedbackDocument): object[] {
  const { _id: id, score, weight } = signal;
  const bytes = BSON.calculateObjectSize(signal);
  const applied = { $literal: { id, score, weight, bytes } satisfies AppliedSignal };
  return signalsUpdate({ $concatArrays: [othersThan(id), [applied]] });
}

/** A signal that was deleted while it was joined must not stay in the score. */
async function removeIfDeleted(collections: Collections, signal: FeedbackDocument): Promise<void> {
  const { _id, project_uid, log_id } = signal;
  if (await collections.feedback.findOne({ _id, project_uid, log_id }, { projection: { _id: 1 } })) return;
  await collections.logs.updateOne({ _id: log_id, project_uid }, withoutSignal(_id));
}

/** The update of a log that takes a signal out. */
export function withoutSignal(id: string): object[] {
  return signalsUpdate(othersThan(id));
}

function othersThan(id: string): object {
  const signals = { $ifNull: ['$_signals', []] };
  return { $filter: { input: signals, as: 'other', cond: { $ne: ['$$other.id', id] } } };
}

/** Σ(score · weight) / Σ weight, rounded where floating point has no more to say; null where Σ weight is 0. */
function signalsUpdate(signals: object): object[] {
  const products = { $map: { input: '$_signals', as: 's', in: { $multiply: ['$$s.score', '$$s.weight'] } } };
  const weights = { $sum: '$_signals.weight' };
  const score = { $round: [{ $divide: [{ $sum: products }, weights] }, 12] };
  return [
    { $set: { _signals: signals, _counted_tags: TAGS_BEHIND, _counted_stats: STATS_BEHIND } },
    {
      $set: {
        feedback_count: { $size: '$_signals' },
        score: { $cond: [{ $gt: [weights, 0] }, score, null] },
      },
    },
  ];
}

/** Joins what waited for these logs. */
export async function joinWaitingSignals(
  collections: Collections,
  logs: readonly { _id: string; project_uid: string }[],
): Promise<void> {
  const waiting = collections.feedback.find({
    project_uid: { $in: [...new Set(logs.map((log) => log.project_uid))] },
    log_id: { $in: logs.map((log) => log._id) },
    _pending: true,
  });
  for await (const signal of waiting) await joinOrLeave(collections, signal);
}

/** False where it cannot be joined. One that MongoDB will never take must not keep the others from their logs. */
async function joinOrLeave(collections: Collections, signal: FeedbackDocument): Promise<boolean> {
  try {
    return await joinSignal(collections, signal);
  } catch (error) {
    if (isStorageAway(error)) throw error;
    return false;
  }
}

const BATCH = 500;

/** Joins what a crash left apart. Logs are looked up in batches: most signals that wait here wait for ever. */
export async function sweepWaitingSignals(collections: Collections): Promise<number> {
  let joined = 0;
  let batch: FeedbackDocument[] = [];
  const joinBatch = async () => {
    const landed = await collections.logs
      .find({
        project_uid: { $in: [...new Set(batch.map((signal) => signal.project_uid))] },
        _id: { $in: batch.map((signal) => signal.log_id) },
      })
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    const there = new Set(landed.map((log) => log._id));
    for (const signal of batch) {
      if (there.has(signal.log_id) && (await joinOrLeave(collections, signal))) joined++;
    }
    batch = [];
  };
  for await (const signal of collections.feedback.find({ _pending: true }, { hint: 'pending' })) {
    batch.push(signal);
    if (batch.length === BATCH) await joinBatch();
  }
  if (batch.length > 0) await joinBatch();
  return joined;
}
