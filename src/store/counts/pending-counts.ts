import type { Collection } from 'mongodb';
import { backgroundPace } from '../../core/pacing/background-work.js';
import type { Collections, OldPendingCountsDocument, PendingCountsDocument } from '../mongodb/collections.js';
import { inTransaction } from '../mongodb/transaction.js';
import { type CountChanges, CountDeltas } from './count-deltas.js';
import { HOUR_MS } from './stat-places.js';
import { CHANGES_AT_ONCE } from './tag-deltas.js';

/** The most batches of logs in one step: a few hundred KiB of text. */
const AT_ONCE = 32;
/** With this many changes no further batch is added, because one batch contains up to `CHANGES_AT_ONCE` tags. */
const ENOUGH = CHANGES_AT_ONCE / 2;

/** Adds pending changes to the counts, oldest first. False where there were none. */
export async function applyPending(collections: Collections): Promise<boolean> {
  const { pendingCounts, oldPendingCounts } = collections;
  if (await apply(collections, pendingCounts as object as Collection<Waiting>)) return true;
  return apply(collections, oldPendingCounts as object as Collection<Waiting>);
}

type Waiting = PendingCountsDocument | OldPendingCountsDocument;

async function apply(collections: Collections, pending: Collection<Waiting>): Promise<boolean> {
  if ((await pending.findOne({}, { projection: { _id: 1 } })) === null) return false;
  return inTransaction(collections.client, async (session) => {
    const deltas = new CountDeltas();
    const ids: string[] = [];
    const pace = backgroundPace();
    for (const document of await pending.find({}, { session }).sort({ _id: 1 }).limit(AT_ONCE).toArray()) {
      if (deltas.size >= ENOUGH) break;
      deltas.add(changesOf(document));
      ids.push(document._id);
      await pace.pause();
    }
    await deltas.apply(collections, session);
    // Where another process has taken one of them first, this conflicts and the step is repeated without it.
    await pending.deleteMany({ _id: { $in: ids } }, { session });
    return ids.length > 0;
  });
}

function changesOf(document: Waiting): CountChanges {
  return 'changes' in document ? (JSON.parse(document.changes) as CountChanges) : changesOfOld(document);
}

/** A day is the sum of its hours, so its own documents are left out. */
function changesOfOld({ tags, stats }: OldPendingCountsDocument): CountChanges {
  return {
    tags: tags.map(({ project_uid, tag, count }) => [project_uid, [tag, count]]),
    stats: stats
      .filter(({ document }) => document.bucket === 'hour')
      .map(({ document: { project_uid, at, by, key }, additions }) => {
        return [project_uid, at.getTime() / HOUR_MS, [by, key], additions.flat()];
      }),
  };
}
