import type { Clock } from '../../../core/clock.js';
import { judgedMark } from '../../judging/judgements.js';
import type { Collections, LogDocument } from '../../mongodb/collections.js';
import { isDuplicate } from '../../mongodb/storage-errors.js';
import type { VersionedLog } from '../logs.js';
import { type LogFilter, type LogQuery, narrow } from '../search/log-filter.js';
import { planLogQuery } from '../search/rarest-first.js';
import { findGaps, type NamedQueueOf } from './named-gaps.js';

export interface QueueRequest {
  project_uid: string;
  /** Who asks: the same log may be given to them again, and to nobody else while they have it. */
  holder: string;
  filter: LogFilter;
  /** Logs to skip this time. */
  skip: readonly string[];
  /** The named queue that it is. Without one, a log leaves the queue with the first feedback or rating. */
  named?: NamedQueueOf;
}

export interface QueuedLog extends VersionedLog {
  /** The number of waiting logs, including this one; at most `MOST_COUNTED`. */
  left: number;
  leased_until: Date;
}

/**
 * Any filter as a queue of logs to judge, newest first: successful ones that nobody gave feedback on or rated, unless the
 * filter itself asks for others. A log that somebody works on is leased to them, in MongoDB, so that several
 * people, at several processes, get different ones.
 */
export interface JudgingQueue {
  /** Undefined where every waiting log is leased to others. */
  next(request: QueueRequest): Promise<QueuedLog | undefined>;
  /** Returns a log to the queue; false where the holder does not have it. */
  release(projectUid: string, logId: string, holder: string): Promise<boolean>;
}

export const LEASE_MS = 5 * 60_000;
const MOST_COUNTED = 1000;
const EVERYWHERE: LogQuery = {};
/** Leases of others are excluded by the query; beyond this number one may be found, and is skipped. */
const MOST_LEASES = 1000;
const CANDIDATES = 20;
const UNJUDGED: LogQuery = { feedback_count: 0, quality_rating: null };

export function createJudgingQueue(
  collections: Collections,
  clock: Clock,
  read: (document: LogDocument) => Promise<VersionedLog>,
): JudgingQueue {
  const { logs, leases, guarded } = collections;

  /** False where somebody else has it. */
  const lease = async (projectUid: string, logId: string, holder: string, until: Date): Promise<boolean> => {
    const free = { $or: [{ holder }, { leased_until: { $lte: new Date(clock.now()) } }] };
    const key = { _id: leaseId(projectUid, logId), project_uid: projectUid };
    const set = { log_id: logId, holder, leased_until: until };
    try {
      await leases.updateOne({ ...key, ...free }, { $set: set }, { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  };

  const queryOf = async ({ project_uid, holder, filter, skip, named }: QueueRequest): Promise<LogQuery> => {
    const taken = await leases
      .find({ project_uid, leased_until: { $gt: new Date(clock.now()) }, holder: { $ne: holder } })
      .project<{ log_id: string }>({ log_id: 1 })
      .limit(MOST_LEASES)
      .toArray();
    const without = [...skip, ...taken.map(({ log_id }) => log_id)];
    const fits = await planLogQuery(collections, project_uid, filter);
    return narrow(
      fits,
      ...(named !== undefined ? [leftIn(named)] : asksForJudged(filter) ? [] : [UNJUDGED]),
      ...(asksForEnding(filter) ? [] : [{ status: 'success' as const }]),
      ...(without.length > 0 ? [{ _id: { $nin: without } }] : []),
    );
  };

  const candidatesIn = (query: LogQuery, gap: LogQuery) =>
    logs
      .find(narrow(query, gap), { projection: { _id: 1 } })
      .sort({ created_at: -1, _id: -1 })
      .limit(CANDIDATES)
      .toArray();

  const count = async (query: LogQuery, where: readonly LogQuery[]): Promise<number> => {
    let left = 0;
    for (const gap of where) {
      if (left < MOST_COUNTED)
        left += await logs.countDocuments(narrow(query, gap), { limit: MOST_COUNTED - left });
    }
    return left;
  };

  return {
    next: (request) =>
      guarded(async () => {
        const { project_uid, holder, named } = request;
        const query = await queryOf(request);
        const gaps = named === undefined ? [] : await findGaps(collections, project_uid, named);
        const leased_until = new Date(clock.now() + LEASE_MS);
        for (const [index, place] of [...gaps, EVERYWHERE].entries()) {
          const candidates = await candidatesIn(query, place);
          for (const { _id } of candidates) {
            if (!(await lease(project_uid, _id, holder, leased_until))) continue;
            // It may have been judged since it was found.
            const document = await logs.findOne(narrow(query, { _id }));
            if (document === null) {
              await leases.deleteOne({ _id: leaseId(project_uid, _id), project_uid, holder });
              continue;
            }
            // These are all that is left, so they need no count of their own.
            const isAll = place === EVERYWHERE && candidates.length < CANDIDATES;
            const where = place === EVERYWHERE ? [EVERYWHERE] : gaps.slice(index);
            const left = isAll ? candidates.length : await count(query, where);
            return { ...(await read(document)), left, leased_until };
          }
        }
        return undefined;
      }),

    release: (project_uid, logId, holder) =>
      guarded(async () => {
        const deleted = await leases.deleteOne({ _id: leaseId(project_uid, logId), project_uid, holder });
        return deleted.deletedCount > 0;
      }),
  };
}

/** What has not been judged by enough people in this queue, and not by this one. */
function leftIn({ name, judges, annotator }: NamedQueueOf): LogQuery {
  return {
    [`_judges.${name}`]: { $not: { $gte: judges } },
    _judged: { $ne: judgedMark(name, annotator) },
  };
}

function asksForJudged({ has_feedback, quality_rating, min_score, max_score }: LogFilter): boolean {
  return has_feedback === true || [quality_rating, min_score, max_score].some((value) => value !== undefined);
}

/** Whether a filter says how its logs ended. Without that there is an answer to judge. */
function asksForEnding({ status, error_code, rejected_by }: LogFilter): boolean {
  return [status, error_code, rejected_by].some((value) => value !== undefined);
}

function leaseId(projectUid: string, logId: string): string {
  return `${projectUid}/${logId}`;
}
