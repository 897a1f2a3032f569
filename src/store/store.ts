import { type Clock, systemClock } from '../core/clock.js';
import type { DirectorySource } from '../core/directory-source.js';
import type { Logger } from '../core/logger.js';
import { type TraceWrite, untraced } from '../core/trace-write.js';
import type { CheckImprovement } from '../logs/improvement.js';
import type { LeaseStore } from '../policy/limits/lease-keeper.js';
import type { UsedOfCounter } from '../policy/limits/rebuild.js';
import { createStatStore, type StatStore } from './counts/stats.js';
import { createTagStore, type TagStore } from './counts/tag-counts.js';
import { type Administration, createAdministration } from './directory/administration.js';
import { createSessionStore, type SessionStore } from './directory/sessions.js';
import { createDirectorySource } from './directory/store-directory-source.js';
import { createFeedbackStore, type FeedbackStore, type FindMismatch } from './feedback/feedback.js';
import { createJudgementStore, type JudgementStore } from './judging/judgements.js';
import { createJobStore, type JobStore } from './logs/bulk/jobs.js';
import { findMismatch } from './logs/find-mismatch.js';
import { createLogWalk, type LogWalk } from './logs/log-walk.js';
import { createLogStore, type LogStore, readVersioned } from './logs/logs.js';
import { createNewLogs, type NewLogs } from './logs/new-logs.js';
import { createJudgingQueue, type JudgingQueue } from './logs/queue/judging-queue.js';
import { createPairStore, type PairStore } from './logs/queue/pairs.js';
import { deleteExpiredLogs, type RetentionRule } from './logs/retention.js';
import type { ListReach } from './logs/search/stretches.js';
import { sumLogs } from './logs/stats-of-logs.js';
import { createClient, databaseName } from './mongodb/client.js';
import { collectionsOf } from './mongodb/collections.js';
import { diagnose, type MemberState, readMembers, type StoreDiagnosis } from './mongodb/diagnosis.js';
import { ensureIndexes } from './mongodb/indexes.js';
import { startMaintenance } from './mongodb/maintenance.js';
import { createLeaseStore } from './policy/leases.js';
import { createSpendStore, type SpendStore } from './policy/spend.js';
import { usedByEngines } from './policy/used.js';

/** All that is kept in MongoDB. */
export interface Store {
  logs: LogStore;
  feedback: FeedbackStore;
  walk: LogWalk;
  tags: TagStore;
  stats: StatStore;
  jobs: JobStore;
  pairs: PairStore;
  queue: JudgingQueue;
  judgements: JudgementStore;
  newLogs: NewLogs;
  administration: Administration;
  sessions: SessionStore;
  directory: DirectorySource;
  spend: SpendStore;
  /** The leases by which engines share limits. */
  leases: LeaseStore;
  /**
   * What the logs of these engines report as usage in the windows that contain `now`. `without` are logs that do not count.
   */
  usedByEngines(
    engines: readonly string[],
    now: number,
    without: readonly string[],
  ): Promise<UsedOfCounter[]>;
  /** Creates missing indexes. Rejects with `storage_unavailable` when MongoDB is unreachable. */
  ensureIndexes(): Promise<void>;
  /**
   * Deletes logs that are older than their project's retention. Resolves with their number; `signal` stops it early.
   */
  deleteExpired(rules: readonly RetentionRule[], signal?: AbortSignal): Promise<number>;
  /** Starts the recurring chores. `rules` is called each time they run. */
  maintain(rules: () => readonly RetentionRule[]): { stop(): Promise<void> };
  /** Resolves where MongoDB answers now, and rejects with `storage_unavailable` where it does not. */
  ping(): Promise<void>;
  /**
   * How many milliseconds our clock is ahead of MongoDB's, up to the time of the round trip. Rejects as `ping` does.
   */
  clockOffsetMs(): Promise<number>;
  /** The state of the database. Rejects as `ping` does. */
  diagnose(): Promise<StoreDiagnosis>;
  /** The members of the replica set. Rejects as `ping` does, but needs no primary. */
  members(): Promise<MemberState[] | undefined>;
  close(): Promise<void>;
}

export interface StoreSettings {
  /** The URI of a replica set or a sharded cluster. The database is the one that it names, or `sluice`. */
  uri: string;
  logger: Logger;
  clock?: Clock;
  traceWrite?: TraceWrite;
  /** Whether a project has an index of words; without it `q` searches its newest logs. */
  searchesWords?: (projectUid: string) => boolean;
  /** How many logs lists examine for conditions without an index. Tests set it to see what happens beyond. */
  listReach?: ListReach;
  /** The most logs that are changed at once; a change of more is a job. Tests set it, because 10,000 logs take half a minute. */
  mostChangedAtOnce?: number;
  /** Checks improvements. Without it every improvement is accepted. */
  checkImprovement?: CheckImprovement;
}

/*
 * The driver's heartbeat notices a MongoDB that is gone or hangs within seconds, and ends calls in flight. These
 * limits are for one that is alive and does not answer; there are none for building indexes and reading on.
 */
const CALL_SILENCE_MS = 30_000;
const BACKGROUND_SILENCE_MS = 0;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** Returns at once. MongoDB need not be available yet, and may become unreachable and return. */
export function connectStore(settings: StoreSettings): Store {
  const { uri, logger, clock = systemClock, traceWrite = untraced, searchesWords = () => false } = settings;
  const { checkImprovement = async () => undefined } = settings;
  const client = createClient({ uri, silenceMs: CALL_SILENCE_MS });
  const backgroundClient = createClient({ uri, silenceMs: BACKGROUND_SILENCE_MS });
  const name = databaseName(uri);
  const collections = collectionsOf(client, client.db(name), searchesWords);
  const background = collectionsOf(backgroundClient, backgroundClient.db(name), searchesWords);
  const mismatchOf: FindMismatch = (project_uid, _id, improvement) =>
    findMismatch(collections, checkImprovement, { project_uid, _id }, improvement);
  const feedback = createFeedbackStore(collections, clock, traceWrite, mismatchOf);
  const tags = createTagStore(collections);
  const { listReach, mostChangedAtOnce } = settings;
  const jobs = createJobStore(background, clock, { checkImprovement, listReach, mostChangedAtOnce });
  const deleteExpired = (rules: readonly RetentionRule[], signal?: AbortSignal) =>
    background.guarded(() => deleteExpiredLogs(background, clock, rules, signal));
  return {
    logs: createLogStore(collections, logger, traceWrite, clock, listReach),
    feedback,
    walk: createLogWalk(background, feedback, listReach),
    tags,
    stats: createStatStore(collections, (projectUid, query) => sumLogs(collections, projectUid, query)),
    jobs,
    pairs: createPairStore(background, listReach),
    queue: createJudgingQueue(
      collections,
      clock,
      (document) => readVersioned(collections, document),
      listReach,
    ),
    judgements: createJudgementStore(collections, clock, traceWrite, mismatchOf),
    newLogs: createNewLogs(background, logger),
    administration: createAdministration(collections, clock),
    sessions: createSessionStore(collections, clock),
    deleteExpired,
    maintain: (rules) =>
      startMaintenance(
        [
          { name: 'counting logs', everyMs: 5 * SECOND_MS, run: (signal) => tags.apply(signal) },
          { name: 'work on jobs', everyMs: SECOND_MS, run: (signal) => jobs.work(signal) },
          { name: 'joining feedback with logs', everyMs: 5 * MINUTE_MS, run: () => feedback.sweep() },
          {
            name: 'deleting expired logs',
            everyMs: MINUTE_MS,
            run: (signal) => deleteExpired(rules(), signal),
          },
        ],
        logger,
      ),
    directory: createDirectorySource(collections, background, logger),
    spend: createSpendStore(background),
    leases: createLeaseStore(collections),
    usedByEngines: (engines, now, without) => usedByEngines(background, engines, now, without),
    ensureIndexes: () => background.guarded(() => ensureIndexes(background)),
    ping: () =>
      collections.guarded(async () => {
        await collections.database.command({ ping: 1 });
      }),
    clockOffsetMs: () =>
      collections.guarded(async () => {
        const before = Date.now();
        const { localTime } = await collections.database.command({ hello: 1 });
        return (before + Date.now()) / 2 - (localTime as Date).getTime();
      }),
    diagnose: () => collections.guarded(() => diagnose(collections)),
    members: () => collections.guarded(() => readMembers(client)),
    close: async () => {
      await Promise.all([client.close(), backgroundClient.close()]);
    },
  };
}
