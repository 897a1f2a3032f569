import type { Collections } from '../../mongodb/collections.js';
import { BY_ID } from '../../mongodb/run-writes.js';
import { USED_WITHIN_MS } from './fragment-batch.js';

const BATCH = 1_000;
/** Fragments are kept this much longer, because their use may be noted late, and by a clock that differs from ours. */
const SLACK_MS = 2 * USED_WITHIN_MS;

/**
 * Deletes the fragments of a project that no log can refer to any more, when its logs from before `cutoff` are deleted: the
 * last log that used them was one of those. After `signal`, it ends when the current batch is done.
 */
export async function deleteExpiredFragments(
  { fragments }: Collections,
  project_uid: string,
  cutoff: Date,
  signal?: AbortSignal,
): Promise<void> {
  const isExpired = { project_uid, used_at: { $lt: new Date(cutoff.getTime() - SLACK_MS) } };
  for (;;) {
    const expired = await fragments
      .find(isExpired, { projection: { _id: 1 }, hint: 'used' })
      .limit(BATCH)
      .toArray();
    if (expired.length === 0) return;
    // A fragment that is used again at this moment stays.
    await fragments.deleteMany(
      { ...isExpired, _id: { $in: expired.map(({ _id }) => _id) } },
      { hint: BY_ID },
    );
    if (signal?.aborted || expired.length < BATCH) return;
  }
}
