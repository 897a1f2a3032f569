import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../core/clock.js';
import { SluiceError } from '../../../core/errors.js';
import type { CheckImprovement } from '../../../logs/improvement.js';
import type { Collections, JobDocument, JobState, Skipped } from '../../mongodb/collections.js';
import { isStorageAway } from '../../mongodb/storage-errors.js';
import { type BoundedCount, countBounded } from '../search/bounded-list.js';
import { findLead } from '../search/find-lead.js';
import { LIST_REACH, type ListReach } from '../search/stretches.js';
import { type BatchHooks, BULK_START, type BulkRequest, changeBatch } from './bulk.js';
import type { BulkProgress } from './bulk-limits.js';

/** A long change and its progress. */
export interface Job {
  id: string;
  project_uid: string;
  state: JobState;
  /** The number of logs that matched when it began, as far as they were counted. It is at least `matched`. */
  total: number;
  matched: number;
  changed: number;
  /** Present where part of the change exceeded the limits of some logs. */
  skipped?: Skipped;
  /** Why the job failed; null where it did not. */
  error: string | null;
  created_at: Date;
  updated_at: Date;
}

export type BulkOutcome = { matched: number; changed: number; skipped?: Skipped } | { job_id: string };

export interface JobStore {
  /** Changes logs at once, or creates a job where they are too many to wait for. */
  changeLogs(projectUid: string, request: BulkRequest): Promise<BulkOutcome>;
  get(projectUid: string, id: string): Promise<Job | undefined>;
  /** Works on open jobs until none is left, or `signal` is aborted. Jobs of other processes are left to them. */
  work(signal: AbortSignal): Promise<void>;
}

/** A change of more logs than this becomes a job, and the client does not wait for it. */
const MOST_CHANGED_AT_ONCE = 10_000;
/**
 * The most logs of a filter that are counted when a job begins. Where there are more, the total grows with the logs that were
 * examined.
 */
const MOST_COUNTED = 100_000;
/** After this long without a sign, the process that worked on a job counts as gone. A batch takes well under a second. */
const LEASE_MS = 30_000;
const OPEN = ['queued', 'running'] as const satisfies JobState[];

export interface JobSettings {
  checkImprovement: CheckImprovement;
  listReach?: ListReach;
  mostChangedAtOnce?: number;
}

export function createJobStore(collections: Collections, clock: Clock, settings: JobSettings): JobStore {
  const { jobs, guarded } = collections;
  const { checkImprovement, listReach: reach = LIST_REACH } = settings;
  const { mostChangedAtOnce = MOST_CHANGED_AT_ONCE } = settings;
  const hooks = { checkImprovement, reach };
  return {
    changeLogs: (project_uid, wanted) =>
      guarded(async () => {
        await refuseUndoWhileRunning(collections, project_uid, wanted);
        const request = await pinFoundWords(collections, project_uid, wanted);
        const found = await countLogs(collections, project_uid, request, reach);
        if ('undo' in request.target && found.count === 0) throw nothingToUndo(request.target.undo);
        if (found.count <= mostChangedAtOnce && !found.more) {
          return changeAtOnce(collections, project_uid, request, hooks);
        }
        const job = newJob(project_uid, request, found.count, new Date(clock.now()));
        await jobs.insertOne(job);
        return { job_id: job._id };
      }),

    get: (project_uid, id) =>
      guarded(async () => {
        const job = await jobs.findOne({ _id: id, project_uid });
        return job === null ? undefined : toJob(job);
      }),

    work: (signal) =>
      guarded(async () => {
        for (let job = await claim(collections, clock); job !== null; job = await claim(collections, clock)) {
          await workOn(collections, clock, job, hooks, signal);
          if (signal.aborted) return;
        }
      }),
  };
}

/** Refuses to undo a running job, because what the job does afterwards would stay. */
async function refuseUndoWhileRunning(
  { jobs }: Collections,
  project_uid: string,
  { target }: BulkRequest,
): Promise<void> {
  if (!('undo' in target)) return;
  const open = { project_uid, state: { $in: [...OPEN] } };
  const known = { $or: [{ change_id: target.undo }, { change_id: { $exists: false } }] };
  const running = await jobs
    .find({ ...open, ...known }, { projection: { change_id: 1, request: 1 } })
    .toArray();
  // A job of an older version has the id of its change only in its request.
  if (!running.some(({ change_id, request }) => (change_id ?? keptAs(request)) === target.undo)) return;
  throw new SluiceError('still_running', 'The change is still running. Undo it when its job is done.');
}

function nothingToUndo(changeId: string): SluiceError {
  return new SluiceError(
    'not_found',
    `The change ${changeId} cannot be undone in this project: it is unknown, was undone already, changed nothing, or is over 7 days old.`,
  );
}

/**
 * Words without an index are searched for in the newest logs, which change over time. So the logs that were found are fixed
 * for the job.
 */
async function pinFoundWords(
  collections: Collections,
  project_uid: string,
  request: BulkRequest,
): Promise<BulkRequest> {
  const { target } = request;
  if (!('filter' in target) || target.filter.q === undefined) return request;
  const { among } = await findLead(collections, project_uid, target.filter);
  return among === undefined ? request : { ...request, target: { ids: among.ids } };
}

/** Counts the logs of a change, as far as one count looks. */
async function countLogs(
  collections: Collections,
  project_uid: string,
  { target }: BulkRequest,
  reach: ListReach,
): Promise<BoundedCount> {
  if ('filter' in target) {
    const lead = await findLead(collections, project_uid, target.filter, reach);
    return countBounded(collections, lead, reach, MOST_COUNTED);
  }
  const count =
    'ids' in target
      ? collections.logs.countDocuments({ project_uid, _id: { $in: target.ids } })
      : collections.undo.countDocuments({ project_uid, change_id: target.undo });
  return { count: await count, more: false };
}

async function changeAtOnce(
  collections: Collections,
  projectUid: string,
  request: BulkRequest,
  hooks: Omit<BatchHooks, 'record'>,
): Promise<BulkOutcome> {
  let progress: BulkProgress = BULK_START;
  while (!progress.done) {
    progress = await changeBatch(collections, projectUid, request, progress, {
      ...hooks,
      record: async () => {},
    });
  }
  const { matched, changed, skipped } = progress;
  return { matched, changed, ...shownSkipped(skipped) };
}

/** Most changes are complete, so that nothing was skipped. */
function shownSkipped(skipped: Skipped = {}): { skipped?: Skipped } {
  return Object.keys(skipped).length > 0 ? { skipped } : {};
}

function newJob(project_uid: string, request: BulkRequest, total: number, now: Date): JobDocument {
  return {
    _id: randomUUID(),
    project_uid,
    state: 'queued',
    request: JSON.stringify(request),
    change_id: request.keepAs ?? null,
    total,
    matched: 0,
    changed: 0,
    skipped: {},
    position: null,
    error: null,
    worker: null,
    lease_until: now,
    created_at: now,
    updated_at: now,
  };
}

/** Claims the oldest job that no process works on. */
function claim({ jobs }: Collections, clock: Clock): Promise<JobDocument | null> {
  const now = new Date(clock.now());
  return jobs.findOneAndUpdate(
    { state: { $in: [...OPEN] }, lease_until: { $lte: now } },
    {
      $set: {
        state: 'running',
        worker: randomUUID(),
        lease_until: new Date(clock.now() + LEASE_MS),
        updated_at: now,
      },
    },
    { sort: { created_at: 1 }, returnDocument: 'after' },
  );
}

async function workOn(
  collections: Collections,
  clock: Clock,
  job: JobDocument,
  hooks: Omit<BatchHooks, 'record'>,
  signal: AbortSignal,
): Promise<void> {
  const { jobs } = collections;
  const request = parseRequest(job.request);
  let progress: BulkProgress = { skipped: {}, ...job, done: false };
  // Progress is written with the changes that it counts, so that a restart neither repeats nor skips any.
  const record: BatchHooks['record'] = async ({ matched, changed, skipped, position, done }, session) => {
    const now = clock.now();
    const state = done ? ('done' as const) : ('running' as const);
    const lease_until = new Date(now + LEASE_MS);
    const total = Math.max(job.total, matched);
    const set = { total, matched, changed, skipped, position, state, lease_until, updated_at: new Date(now) };
    const kept = await jobs.updateOne(held(job), { $set: set }, { session });
    if (kept.matchedCount === 0) throw new LeaseLost();
  };
  try {
    while (!progress.done && !signal.aborted) {
      progress = await changeBatch(collections, job.project_uid, request, progress, {
        record,
        ...hooks,
      });
    }
    if (!progress.done) await release(collections, clock, job);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (isStorageAway(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const failed = { state: 'failed' as const, error: message, updated_at: new Date(clock.now()) };
    await jobs.updateOne(held(job), { $set: failed });
  }
}

/** Another process has taken over the job. Its work must not be done twice. */
class LeaseLost extends Error {}

/** A query that finds the job only as long as no other process has taken it over. */
function held({ _id, worker }: JobDocument): Pick<JobDocument, '_id' | 'worker'> {
  return { _id, worker };
}

/** Releases a job for another process. */
async function release({ jobs }: Collections, clock: Clock, job: JobDocument): Promise<void> {
  await jobs.updateOne(held(job), { $set: { lease_until: new Date(clock.now()) } });
}

function keptAs(request: string): string | undefined {
  return (JSON.parse(request) as BulkRequest).keepAs;
}

function parseRequest(json: string): BulkRequest {
  const request = JSON.parse(json) as BulkRequest;
  if (!('filter' in request.target)) return request;
  const { filter } = request.target;
  if (filter.from !== undefined) filter.from = new Date(filter.from);
  if (filter.to !== undefined) filter.to = new Date(filter.to);
  return request;
}

function toJob({
  _id,
  project_uid,
  state,
  total,
  matched,
  changed,
  skipped,
  error,
  created_at,
  updated_at,
}: JobDocument): Job {
  const counts = { total, matched, changed, ...shownSkipped(skipped) };
  return { id: _id, project_uid, state, ...counts, error, created_at, updated_at };
}
