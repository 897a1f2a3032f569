import { setTimeout as delay } from 'node:timers/promises';
import type { ClientSession } from 'mongodb';
import { v7 as uuid } from 'uuid';
import type { Clock } from '../../core/clock.js';
import { backgroundPace } from '../../core/pacing/background-work.js';
import { CountDeltas } from '../counts/count-deltas.js';
import { STAT_FIELDS } from '../counts/stat-values.js';
import { CHANGES_AT_ONCE, stepTowards, TAG_FIELDS } from '../counts/tag-deltas.js';
import type { Collections } from '../mongodb/collections.js';
import { readInTurns } from '../mongodb/read-in-turns.js';
import { BY_ID } from '../mongodb/run-writes.js';
import { inTransaction } from '../mongodb/transaction.js';
import { deleteExpiredFragments } from './fragments/expire-fragments.js';

/** How long the logs of a project are kept. */
export interface RetentionRule {
  project_uid: string;
  days: number;
}

/**
 * The number of logs that are deleted in one transaction. It takes some tens of milliseconds in MongoDB and a few of the
 * event loop, so that requests meanwhile do not wait.
 */
const BATCH = 250;
/** How many batches are planned at once, and deleted side by side where the deletion is late. */
const BATCHES_AT_ONCE = 4;
/** Logs that should have been deleted longer ago than this are late. */
const LATE_MS = 10 * 60_000;
/** Where nothing is late, a batch is followed by a pause of this many times its own length. */
const PAUSE = 3;
const DAY_MS = 86_400_000;

/** Logs of a project between two times, including both. */
interface Batch {
  project_uid: string;
  from: Date;
  to: Date;
}

/**
 * Deletes logs that are older than their project's retention, with their feedback. Works at an even pace that leaves most of
 * MongoDB to others, and as fast as it can where it is late. Resolves with their number; after `signal`, when the current
 * batches are done.
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
    for (;;) {
      const batches = await planBatches(collections, project_uid, cutoff);
      const [oldest] = batches;
      if (oldest === undefined) break;
      if (cutoff.getTime() - oldest.from.getTime() > LATE_MS) {
        const numbers = await Promise.all(batches.map((batch) => deleteBatch(collections, batch)));
        for (const number of numbers) deleted += number;
      } else {
        deleted += await deleteSlowly(collections, clock, batches, signal);
      }
      if (signal?.aborted) return deleted;
    }
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
 * The oldest logs in batches that share no time, so that they can be deleted side by side. The times come from an index, and
 * no log is read.
 */
async function planBatches({ logs }: Collections, project_uid: string, cutoff: Date): Promise<Batch[]> {
  const found = await readInTurns(
    logs
      .find(
        { project_uid, created_at: { $lt: cutoff } },
        { projection: { _id: 0, created_at: 1 }, hint: 'by_time' },
      )
      .sort({ created_at: 1, _id: 1 })
      .limit(BATCH * BATCHES_AT_ONCE),
  );
  const times = found.map(({ created_at }) => created_at);
  const batches: Batch[] = [];
  for (let at = 0; at < times.length; at += BATCH) {
    const [from, to] = [times[at]!, times[Math.min(at + BATCH, times.length) - 1]!];
    if (at === 0 || from > batches.at(-1)!.to) batches.push({ project_uid, from, to });
  }
  return batches;
}

async function deleteSlowly(
  collections: Collections,
  clock: Clock,
  batches: readonly Batch[],
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (const batch of batches) {
    const start = clock.monotonic();
    deleted += await deleteBatch(collections, batch);
    await delay(PAUSE * (clock.monotonic() - start), undefined, { signal }).catch(() => {});
    if (signal?.aborted) break;
  }
  return deleted;
}

/**
 * Deletes a batch in one transaction, so that no log is deleted without its feedback and its share in the counts. What the
 * counts lose waits to be applied like what new logs add, so that batches do not meet in the counts of common tags. A log with
 * too many tags for one transaction first loses its tags in steps.
 */
async function deleteBatch(collections: Collections, batch: Batch): Promise<number> {
  const { client, logs, pendingCounts } = collections;
  const { project_uid } = batch;
  return inTransaction(client, async (session) => {
    const deltas = new CountDeltas();
    const ids: string[] = [];
    let room = CHANGES_AT_ONCE;
    const pace = backgroundPace();
    for (const log of await readBatch(collections, batch, session)) {
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
      await pace.pause();
    }
    if (deltas.size > 0)
      await pendingCounts.insertOne({ _id: uuid(), changes: deltas.toJson() }, { session });
    if (ids.length === 0) return 0;
    await deleteBelongings(collections, project_uid, ids, session);
    const { deletedCount } = await logs.deleteMany(
      { project_uid, _id: { $in: ids } },
      { session, hint: BY_ID },
    );
    return deletedCount;
  });
}

/** The logs of a batch, with what is needed to take them out of the counts. */
async function readBatch({ logs }: Collections, { project_uid, from, to }: Batch, session: ClientSession) {
  const read = (fields: object) =>
    readInTurns(
      logs
        .find(
          { project_uid, created_at: { $gte: from, $lte: to } },
          { session, projection: { ...TAG_FIELDS, ...fields }, hint: 'by_time' },
        )
        .sort({ created_at: 1, _id: 1 })
        .limit(BATCH),
    );
  const found = await read({ _counted_stats: 1 });
  // Usually each log is counted completely, so the many fields of which counts consist are not read.
  return found.some(({ _counted_stats }) => _counted_stats !== undefined) ? read(STAT_FIELDS) : found;
}

/**
 * Deletes what belongs to logs in other collections. Most logs have nothing there, which one look at the range of their ids
 * shows.
 */
async function deleteBelongings(
  { feedback, judgements, bodies }: Collections,
  project_uid: string,
  ids: readonly string[],
  session: ClientSession,
): Promise<void> {
  const sorted = [...ids].sort();
  const range = { $gte: sorted[0]!, $lte: sorted.at(-1)! };
  const look = { session, projection: { _id: 1 }, hint: 'log' } as const;
  const log_id = { $in: sorted };
  const options = { session, hint: 'log' };
  if ((await feedback.findOne({ project_uid, log_id: range }, look)) !== null)
    await feedback.deleteMany({ project_uid, log_id }, options);
  if ((await judgements.findOne({ project_uid, signals: { $elemMatch: { log_id: range } } }, look)) !== null)
    await judgements.deleteMany({ project_uid, 'signals.log_id': log_id }, options);
  if ((await bodies.findOne({ project_uid, log_id: range }, look)) !== null)
    await bodies.deleteMany({ project_uid, log_id }, options);
}
