import type { Clock } from '../../../core/clock.js';
import { judgedMark } from '../../judging/judgements.js';
import type { Collections, LogDocument } from '../../mongodb/collections.js';
import { isDuplicate } from '../../mongodb/storage-errors.js';
import type { VersionedLog } from '../logs.js';
import { findLead } from '../search/find-lead.js';
import { type Lead, withChecks, withHint } from '../search/lead.js';
import type { LogFilter, LogQuery } from '../search/log-filter.js';
import { LIST_REACH, type ListReach, SORTS, type Stretch, stretchesOf } from '../search/stretches.js';
import { findGaps, type NamedQueueOf } from './named-gaps.js';

export interface QueueRequest {
  project_uid: string;
  /** The person who asks. The same log may be given to them again, but to nobody else while they have it. */
  holder: string;
  filter: LogFilter;
  /** Logs to skip this time. */
  skip: readonly string[];
  /** The named queue that is asked. Without one, a log leaves the queue with its first feedback or rating. */
  named?: NamedQueueOf;
}

export interface QueuedLog extends VersionedLog {
  /** The number of waiting logs, including this one, as far as they were counted: at most `MOST_COUNTED`. */
  left: number;
  leased_until: Date;
}

/**
 * Turns any filter into a queue of logs to judge, newest first. It has successful logs without feedback or rating, unless the
 * filter itself asks for others. A log on which somebody works is leased to them in MongoDB, so that several people, also on
 * several processes, get different ones.
 */
export interface JudgingQueue {
  /** Where there is none: how far it looked, if there are more. */
  next(request: QueueRequest): Promise<QueuedLog | { looked?: QueueReach }>;
  /** Returns a log to the queue. False where the holder does not have it. */
  release(projectUid: string, logId: string, holder: string): Promise<boolean>;
}

/** How far a queue looked for a log. */
export interface QueueReach {
  /** The number of logs that were looked through, newest first. */
  searched: number;
  /** When the oldest of them came. */
  end: Date;
}

export const LEASE_MS = 5 * 60_000;
const MOST_COUNTED = 1000;
/** So many times as many logs as a list looks at are looked through for one that waits, and to count those behind it. */
const MOST_PARTS = 5;
const COUNTED_PARTS = 2;
/** The most leases of other people that the query excludes. Beyond this number a leased log may be found, and is skipped. */
const MOST_LEASES = 1000;
const CANDIDATES = 20;
const UNJUDGED: LogQuery = { feedback_count: 0, quality_rating: null };

export function createJudgingQueue(
  collections: Collections,
  clock: Clock,
  read: (document: LogDocument) => Promise<VersionedLog>,
  reach: ListReach = LIST_REACH,
): JudgingQueue {
  const { logs, leases, guarded } = collections;

  /** Leases a log. False where somebody else has it. */
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

  const leadOf = async ({ project_uid, holder, filter, skip, named }: QueueRequest): Promise<Lead> => {
    const taken = await leases
      .find({ project_uid, leased_until: { $gt: new Date(clock.now()) }, holder: { $ne: holder } })
      .project<{ log_id: string }>({ log_id: 1 })
      .limit(MOST_LEASES)
      .toArray();
    const without = [...skip, ...taken.map(({ log_id }) => log_id)];
    return withChecks(
      await findLead(collections, project_uid, filter, reach),
      ...(named !== undefined ? [leftIn(named)] : asksForJudged(filter) ? [] : [UNJUDGED]),
      ...(asksForEnding(filter) ? [] : [{ status: 'success' as const }]),
      ...(without.length > 0 ? [{ _id: { $nin: without } }] : []),
    );
  };

  const candidatesIn = (lead: Lead, { where }: Stretch) =>
    withHint(lead.hint, (options) =>
      logs
        .find(lead.queryWith(...where, ...lead.rest), { projection: { _id: 1 }, ...options })
        .sort(SORTS.newest)
        .limit(CANDIDATES)
        .toArray(),
    );

  const countIn = (lead: Lead, { where }: Stretch, limit: number) =>
    withHint(lead.hint, (options) =>
      logs.countDocuments(lead.queryWith(...where, ...lead.rest), { limit, ...options }),
    );

  /** The log, if it must still be judged. It was leased to the holder before. */
  const readLeased = async ({ project_uid, holder }: QueueRequest, lead: Lead, _id: string) => {
    const document = await logs.findOne(lead.queryWith({ _id }, ...lead.rest));
    if (document === null) await leases.deleteOne({ _id: leaseId(project_uid, _id), project_uid, holder });
    return document;
  };

  return {
    next: (request) =>
      guarded(async () => {
        const { project_uid, holder, named } = request;
        const lead = await leadOf(request);
        const gaps = named === undefined ? [] : await findGaps(collections, project_uid, named);
        const leased_until = new Date(clock.now() + LEASE_MS);
        const parts = partsOf(collections, lead, gaps, reach);
        let full = 0;
        for await (const { stretch, isGap } of parts) {
          const candidates = await candidatesIn(lead, stretch);
          for (const { _id } of candidates) {
            if (!(await lease(project_uid, _id, holder, leased_until))) continue;
            const document = await readLeased(request, lead, _id);
            if (document === null) continue;
            let left = await countIn(lead, stretch, MOST_COUNTED);
            for (let counted = 1; counted < COUNTED_PARTS && left < MOST_COUNTED; counted++) {
              const { value: part } = await parts.next();
              // This log lies between judged logs, so it was in no gap.
              if (part === undefined || part.isGap !== isGap) break;
              left += await countIn(lead, part.stretch, MOST_COUNTED - left);
            }
            return { ...(await read(document)), left, leased_until };
          }
          if (stretch.end !== undefined && ++full === MOST_PARTS) {
            return { looked: { searched: full * stretch.size, end: stretch.end.created_at } };
          }
        }
        const { searched, end } = lead.among ?? {};
        if (searched === undefined || end === undefined) return {};
        return { looked: { searched, end: end.created_at } };
      }),

    release: (project_uid, logId, holder) =>
      guarded(async () => {
        const deleted = await leases.deleteOne({ _id: leaseId(project_uid, logId), project_uid, holder });
        return deleted.deletedCount > 0;
      }),
  };
}

interface QueuePart {
  stretch: Stretch;
  /** Whether the part is a gap between logs that are judged in a named queue. */
  isGap: boolean;
}

/** All logs of a lead, in parts that one query can examine. The gaps of a named queue come first. */
async function* partsOf(
  collections: Collections,
  lead: Lead,
  gaps: readonly LogQuery[],
  reach: ListReach,
): AsyncGenerator<QueuePart, undefined> {
  for (const gap of gaps) {
    for await (const stretch of stretchesOf(collections, lead, { reach, within: [gap] })) {
      yield { stretch, isGap: true };
    }
  }
  for await (const stretch of stretchesOf(collections, lead, { reach })) yield { stretch, isGap: false };
}

/** The logs of this queue's sample that were not judged by enough people in it, nor by the person who asks. */
function leftIn({ name, judges, annotator, sample = 1 }: NamedQueueOf): LogQuery {
  return {
    [`_judges.${name}`]: { $not: { $gte: judges } },
    _judged: { $ne: judgedMark(name, annotator) },
    ...(sample < 1 ? drawn(sample) : {}),
  };
}

/** The last digits of a UUIDv7 are random. */
const DRAWN_FROM = 30;
const DRAWN_DIGITS = 6;

/** The logs whose ids end in a hexadecimal number below this share of all such numbers. */
function drawn(share: number): LogQuery {
  const numbers = 16 ** DRAWN_DIGITS;
  const limit = Math.min(Math.ceil(share * numbers), numbers - 1)
    .toString(16)
    .padStart(DRAWN_DIGITS, '0');
  return { $expr: { $lt: [{ $substrCP: ['$_id', DRAWN_FROM, DRAWN_DIGITS] }, limit] } };
}

function asksForJudged({ has_feedback, quality_rating, min_score, max_score }: LogFilter): boolean {
  return has_feedback === true || [quality_rating, min_score, max_score].some((value) => value !== undefined);
}

/** Whether a filter says how its logs ended. Without such a condition, only logs with an answer are in the queue. */
function asksForEnding({ status, error_code, rejected_by }: LogFilter): boolean {
  return [status, error_code, rejected_by].some((value) => value !== undefined);
}

function leaseId(projectUid: string, logId: string): string {
  return `${projectUid}/${logId}`;
}
