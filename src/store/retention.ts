import type { Clock } from '../core/clock.js';
import type { Collections } from './collections.js';
import { TAG_FIELDS, TagDeltas } from './tag-counts.js';
import { inTransaction } from './transaction.js';

/** How long the logs of a project are kept. */
export interface RetentionRule {
  project_uid: string;
  days: number;
}

const BATCH = 500;
const DAY_MS = 86_400_000;

/** Deletes logs that are older than their project keeps them, with their feedback. Resolves with their number. */
export async function deleteExpiredLogs(
  collections: Collections,
  clock: Clock,
  rules: readonly RetentionRule[],
): Promise<number> {
  let deleted = 0;
  for (const { project_uid, days } of rules) {
    const cutoff = new Date(clock.now() - days * DAY_MS);
    let batch: number;
    do {
      batch = await deleteBatch(collections, project_uid, cutoff);
      deleted += batch;
    } while (batch === BATCH);
    // What never found its log goes when its log would have gone.
    await collections.feedback.deleteMany(
      { project_uid, _pending: true, created_at: { $lt: cutoff } },
      { hint: 'pending' },
    );
  }
  return deleted;
}

/** One transaction, so that no log goes without its feedback and its share in the tag counts. */
async function deleteBatch(collections: Collections, project_uid: string, cutoff: Date): Promise<number> {
  const { client, logs, feedback, bodies } = collections;
  return inTransaction(client, async (session) => {
    const expired = await logs
      .find({ project_uid, created_at: { $lt: cutoff } }, { session, projection: TAG_FIELDS })
      .sort({ created_at: 1, _id: 1 })
      .limit(BATCH)
      .toArray();
    if (expired.length === 0) return 0;
    const ids = expired.map((log) => log._id);
    const deltas = new TagDeltas();
    for (const log of expired) deltas.add(project_uid, log._counted_tags ?? log.tags, -1);
    await deltas.apply(collections, session);
    await feedback.deleteMany({ project_uid, log_id: { $in: ids } }, { session });
    await bodies.deleteMany({ project_uid, log_id: { $in: ids } }, { session });
    await logs.deleteMany({ project_uid, _id: { $in: ids } }, { session });
    return expired.length;
  });
}
