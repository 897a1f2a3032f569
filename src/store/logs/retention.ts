import type { Clock } from '../../core/clock.js';
import { CountDeltas } from '../counts/count-deltas.js';
import { STAT_FIELDS } from '../counts/stat-deltas.js';
import { CHANGES_AT_ONCE, stepTowards, TAG_FIELDS } from '../counts/tag-deltas.js';
import type { Collections } from '../mongodb/collections.js';
import { inTransaction } from '../mongodb/transaction.js';
import { deleteExpiredFragments } from './fragments/expire-fragments.js';

/** How long the logs of a project are kept. */
export interface RetentionRule {
  project_uid: string;
  days: number;
}

/**
 * The number of logs that are deleted at once. It takes some tens of milliseconds in MongoDB and a few of the event loop, so
 * that requests meanwhile do not wait.
 */
const BATCH = 100;
const DAY_MS = 86_400_000;

/**
 * Deletes logs that are older than their project's retention, with their feedback. Resolves with their number; after
 * `signal`, when the current batch is done.
 */
export async function deleteExpiredLogs(
  collections: Collections,
  clock: Clock,
  rules: readonly RetentionRule[],
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (const { project_uid, days } of rules) {
    const cutoff = new Date(clock.now() - days * DAY_MS);
    let more: boolean;
    do {
      const batch = await deleteBatch(collections, project_uid, cutoff);
      deleted += batch.deleted;
      more = batch.more;
      if (signal?.aborted) return deleted;
    } while (more);
    // Feedback that never found its log is deleted at the time at which its log would have been deleted.
    await collections.feedback.deleteMany(
      { project_uid, _pending: true, created_at: { $lt: cutoff } },
      { hint: 'pending' },
    );
    await deleteExpiredFragments(collections, project_uid, cutoff, signal);
    if (signal?.aborted) return deleted;
  }
  return deleted;
}

/**
 * Deletes a batch in one transaction, so that no log is deleted without its feedback and its share in the tag counts. A log
 * with too many tags for one transaction first loses its tags in steps.
 */
async function deleteBatch(
  collections: Collections,
  project_uid: string,
  cutoff: Date,
): Promise<{ deleted: number; more: boolean }> {
  const { client, logs, feedback, bodies, judgements } = collections;
  return inTransaction(client, async (session) => {
    const expired = await logs
      .find(
        { project_uid, created_at: { $lt: cutoff } },
        { session, projection: { ...TAG_FIELDS, ...STAT_FIELDS } },
      )
      .sort({ created_at: 1, _id: 1 })
      .limit(BATCH)
      .toArray();
    const deltas = new CountDeltas();
    const ids: string[] = [];
    let room = CHANGES_AT_ONCE;
    for (const log of expired) {
      const { removed, counted } = stepTowards([], log._counted_tags ?? log.tags, room);
      deltas.tags.add(project_uid, removed, -1);
      room -= removed.length;
      if (counted !== undefined) {
        const left = { $set: { tags: [], _counted_tags: counted } };
        await logs.updateOne({ _id: log._id, project_uid }, left, { session });
        break;
      }
      // Past usage stays counted, even that of a log that is deleted before it was counted.
      deltas.stats.add(log);
      deltas.stats.addTags(
        log,
        stepTowards(log.tags, log._counted_tags ?? log.tags, Number.POSITIVE_INFINITY),
      );
      ids.push(log._id);
    }
    await deltas.apply(collections, session);
    await feedback.deleteMany({ project_uid, log_id: { $in: ids } }, { session });
    await judgements.deleteMany({ project_uid, 'signals.log_id': { $in: ids } }, { session });
    await bodies.deleteMany({ project_uid, log_id: { $in: ids } }, { session });
    await logs.deleteMany({ project_uid, _id: { $in: ids } }, { session });
    return { deleted: ids.length, more: expired.length === BATCH || ids.length < expired.length };
  });
}
