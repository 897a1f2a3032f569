import type { Clock } from '../../core/clock.js';
import { SluiceError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { LogRecord, LogSource, QualityRating } from '../../core/log-record.js';
import type { LogAmendment, StartedEngine } from '../../core/log-sink.js';
import type { Logger } from '../../core/logger.js';
import { backgroundPace } from '../../core/pacing/background-work.js';
import { isHeavy } from '../../core/pacing/heavy-work.js';
import type { TraceWrite } from '../../core/trace-write.js';
import { createKnownSeries, readTagSeries } from '../counts/tag-series.js';
import type { Expected } from '../directory/entry-store.js';
import { joinWaitingSignals } from '../feedback/feedback-join.js';
import type { Collections, LogDocument, LogPosition } from '../mongodb/collections.js';
import { isStorageAway } from '../mongodb/storage-errors.js';
import { KnownFragments } from './fragments/known-fragments.js';
import { type Amendments, amendLog, NEXT_REVISION, tagsUpdate, termsWithout } from './inserts/amendments.js';
import { packMetadata } from './inserts/log-document.js';
import { type InsertedLog, type InsertResult, insertLogs, type LogWriter } from './inserts/log-inserts.js';
import { claimLogPhase, unclaimed } from './log-phase-claims.js';
import { readWhole } from './read-whole.js';
import {
  type BoundedCount,
  countBounded,
  listNewest,
  listSorted,
  type SortedPosition,
  type SortName,
} from './search/bounded-list.js';
import { findLead } from './search/find-lead.js';
import { behind, type LogFilter } from './search/log-filter.js';
import { metadataTerms } from './search/metadata-terms.js';
import { LIST_REACH, type ListReach } from './search/stretches.js';

/** What lists show of a log: everything except its bodies. */
export type LogSummary = Omit<LogRecord, 'request' | 'response' | 'client_response'>;

/** A change of one log. Absent fields stay unchanged. */
export interface LogPatch {
  metadata?: JsonObject;
  tags?: string[];
  quality_rating?: QualityRating | null;
}

/** A log, with the number of changes that people made. */
export interface VersionedLog {
  log: LogRecord;
  revision: number;
  /** Whether serialising it takes long. */
  isLarge: boolean;
}

export interface LogPage<Log> {
  logs: Log[];
  /** The position after the last log; null where there are no more. */
  next: LogPosition | null;
  /** How many of the newest logs were searched, where a condition has no index. */
  searched?: number;
}

/** Identifies a log: within a project, or by its id alone for callers that may see all of them. */
export interface LogKey {
  id: string;
  project_uid?: string;
}

/** The collection `logs`. Each call rejects with `storage_unavailable` when MongoDB is unreachable. */
export interface LogStore {
  /** Inserts logs. They are durable when it resolves. A record that exists already counts as stored. */
  insertMany(records: LogSource, amendments?: Amendments): Promise<InsertResult>;
  /** Applies an amendment once, however often it is called. False where its log does not exist. */
  amend(amendment: LogAmendment): Promise<boolean>;
  get(key: LogKey): Promise<LogRecord | undefined>;
  getVersioned(key: LogKey): Promise<VersionedLog | undefined>;
  /** When the newest log of a caller, such as `key:bot`, began. */
  newestOfCaller(projectUid: string, caller: string): Promise<Date | undefined>;
  /** The newest log of a client's request. */
  newestOfRequest(projectUid: string, clientRequestId: string): Promise<string | undefined>;
  /**
   * Logs whose LOG plugins nobody runs any more, oldest first; with an engine, also those that it left before its
   * start. Each is claimed when it is returned: no other process gets it within the next minutes.
   */
  dueForLogPhase(engine?: StartedEngine): AsyncGenerator<LogRecord>;
  exists(key: LogKey): Promise<boolean>;
  /** The uid of the project that a log belongs to. */
  projectOf(id: string): Promise<string | undefined>;
  /** Rejects with `precondition_failed` where the log has another revision than expected. */
  patch(key: LogKey, patch: LogPatch, expected?: Expected): Promise<VersionedLog | undefined>;
  /** How many logs match, counted up to the limit. */
  count(projectUid: string, filter: LogFilter, limit: number): Promise<BoundedCount>;
  list(
    projectUid: string,
    filter: LogFilter,
    page: { limit: number; after?: LogPosition },
  ): Promise<LogPage<LogSummary>>;
  /** The logs with the largest values first, among the newest logs. */
  listBy(
    projectUid: string,
    filter: LogFilter,
    sort: SortName,
    page: { limit: number; after?: SortedPosition },
  ): Promise<Omit<LogPage<LogSummary>, 'next'> & { next: SortedPosition | null }>;
}

const SUMMARY = {
  request: 0,
  response: 0,
  client_response: 0,
  '_packed.request': 0,
  'attempts.error.output': 0,
  _words: 0,
  _metadata_terms: 0,
  _signals: 0,
  _judged: 0,
  _judges: 0,
  _findings: 0,
  _tokens: 0,
} as const;
const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;
const DUE_AT_ONCE = 10;

export function createLogStore(
  collections: Collections,
  logger: Logger,
  traceWrite: TraceWrite,
  clock: Clock,
  reach: ListReach = LIST_REACH,
): LogStore {
  const { logs, guarded } = collections;
  const whole = (document: LogDocument) => readWhole(collections, document);
  /** The logs of a list, which have no bodies. */
  const allWhole = async (documents: readonly LogDocument[]) => {
    const pace = backgroundPace();
    const records: LogRecord[] = [];
    for (const document of documents) {
      records.push(await whole(document));
      const rest = pace.pause();
      if (rest !== undefined) await rest;
    }
    return records;
  };
  const series = createKnownSeries((projectUid) => readTagSeries(collections, projectUid));
  const known = new KnownFragments(clock);
  const writer: LogWriter = { collections, series, traceWrite, clock, known };
  const leadOf = (projectUid: string, filter: LogFilter) => findLead(collections, projectUid, filter, reach);

  return {
    insertMany: (records, amendments = new Map()) =>
      guarded(async () => {
        const { logs: landed, result } = await insertLogs(writer, records, amendments).catch((error) => {
          known.clear();
          throw error;
        });
        await joinLanded(collections, landed, logger);
        return result;
      }),

    amend: (amendment) => guarded(() => amendLog(collections, amendment)),

    get: (key) =>
      guarded(async () => {
        const document = await logs.findOne(keyQuery(key));
        return document === null ? undefined : whole(document);
      }),

    getVersioned: (key) =>
      guarded(async () => {
        const document = await logs.findOne(keyQuery(key));
        return document === null ? undefined : readVersioned(collections, document);
      }),

    newestOfRequest: (project_uid, client_request_id) =>
      guarded(async () => {
        const options = { sort: NEWEST_FIRST, projection: { _id: 1 } } as const;
        // The index contains ids that are texts, and is only used where the query says so.
        const query = { project_uid, client_request_id: { $eq: client_request_id, $gt: '' } };
        return (await logs.findOne(query, options))?._id;
      }),

    newestOfCaller: (project_uid, caller) =>
      guarded(async () => {
        const options = { sort: NEWEST_FIRST, projection: { created_at: 1 } } as const;
        return (await logs.findOne({ project_uid, caller }, options))?.created_at;
      }),

    async *dueForLogPhase(engine) {
      const due = unclaimed(engine);
      let query = due;
      for (;;) {
        const page = await guarded(() =>
          logs
            .find(query, { projection: { created_at: 1 } })
            .sort({ created_at: 1, _id: 1 })
            .limit(DUE_AT_ONCE)
            .toArray(),
        );
        for (const { _id } of page) {
          const claimed = await guarded(() => claimLogPhase(collections, _id, engine));
          if (claimed === null) continue;
          const record = await guarded(() => whole(claimed));
          const { _span_id } = claimed;
          yield _span_id === undefined ? record : { ...record, _span_id };
        }
        const last = page.at(-1);
        if (last === undefined || page.length < DUE_AT_ONCE) return;
        query = behind(due, { created_at: last.created_at, id: last._id }, 'oldest');
      }
    },

    exists: (key) =>
      guarded(async () => (await logs.findOne(keyQuery(key), { projection: { _id: 1 } })) !== null),

    projectOf: (id) =>
      guarded(async () => {
        const document = await logs.findOne({ _id: id }, { projection: { project_uid: 1 } });
        return document?.project_uid;
      }),

    patch: (key, patch, expected = 'any') =>
      guarded(async () => {
        const query = { ...keyQuery(key), ...revisionQuery(expected) };
        const document = await logs.findOneAndUpdate(query, patchUpdate(patch), {
          returnDocument: 'after',
        });
        if (document !== null) return readVersioned(collections, document);
        const isThere = await logs.findOne(keyQuery(key), { projection: { _id: 1 } });
        if (expected === 'any' || isThere === null) return undefined;
        throw new SluiceError('precondition_failed', 'The log was changed in the meantime. Read it again.', {
          param: 'If-Match',
        });
      }),

    count: (projectUid, filter, limit) =>
      guarded(async () => countBounded(collections, await leadOf(projectUid, filter), reach, limit)),

    list: (projectUid, filter, { limit, after }) =>
      guarded(async () => {
        const page = { limit, after, projection: SUMMARY, reach };
        const lead = await findLead(collections, projectUid, filter, reach, after);
        const { documents, ...rest } = await listNewest(collections, lead, page);
        return { logs: await allWhole(documents), ...rest };
      }),

    listBy: (projectUid, filter, sort, { limit, after }) =>
      guarded(async () => {
        const page = { limit, after, projection: SUMMARY, reach };
        const lead = await leadOf(projectUid, filter);
        const { documents, ...rest } = await listSorted(collections, projectUid, lead, sort, page);
        return { logs: await allWhole(documents), ...rest };
      }),
  };
}

function keyQuery({ id, project_uid }: LogKey): { _id: string; project_uid?: string } {
  return project_uid === undefined ? { _id: id } : { _id: id, project_uid };
}

/** A log that nobody changed has no revision yet. */
function revisionQuery(expected: Expected): object {
  if (expected === 'any') return {};
  return { _revision: expected === 0 ? { $in: [null, 0] } : expected };
}

/** Reads a log with its bodies, and its revision. */
export async function readVersioned(collections: Collections, document: LogDocument): Promise<VersionedLog> {
  const { _revision: revision = 0, _packed: packed = {} } = document;
  const isLarge = Object.values(packed).some((body) => !('pieces' in body) || isHeavy(body.bytes));
  return { log: await readWhole(collections, document), revision, isLarge };
}

/** The change as one atomic update. `$literal` prevents texts that start with `$` from being read as paths. */
function patchUpdate(patch: LogPatch): object[] {
  const set: Record<string, unknown> = { _revision: NEXT_REVISION };
  const unset: string[] = [];
  if (patch.metadata !== undefined) {
    const { metadata, packed } = packMetadata(patch.metadata);
    // `$set` of an object would merge it into the old one, so it is replaced in a stage of its own.
    set.metadata = { $literal: metadata };
    if (packed === undefined) unset.push('_packed.metadata');
    else set['_packed.metadata'] = { $literal: packed };
  }
  if (patch.tags !== undefined) {
    const tags = [...new Set(patch.tags)];
    Object.assign(set, tagsUpdate({ $literal: tags }), { _metadata_terms: termsWithout(tags) });
  }
  // The terms do not depend on the tags here.
  if (patch.metadata !== undefined) set._metadata_terms = { $literal: metadataTerms(patch.metadata) };
  if (patch.quality_rating !== undefined) set.quality_rating = patch.quality_rating;
  return [{ $set: set }, ...(unset.length > 0 ? [{ $unset: unset }] : [])];
}

/**
 * Joins the feedback that waited for these logs. In an outage this throws, and the logs are sent again later, which
 * repeats only this step. Any other error is logged, because it must not keep logs from being acknowledged; the next
 * sweep joins the rest. Where very many signals wait, the rest is joined in the background.
 */
async function joinLanded(
  collections: Collections,
  records: readonly InsertedLog[],
  logger: Logger,
): Promise<void> {
  try {
    if (await joinWaitingSignals(collections, records)) void joinRest(collections, records, logger);
  } catch (error) {
    if (isStorageAway(error)) throw error;
    logger.warn({ err: error }, 'waiting feedback could not be added to its log; trying again later');
  }
}

async function joinRest(
  collections: Collections,
  records: readonly InsertedLog[],
  logger: Logger,
): Promise<void> {
  try {
    while (await joinWaitingSignals(collections, records));
  } catch (error) {
    logger.warn({ err: error }, 'waiting feedback could not be added to its log; trying again later');
  }
}
