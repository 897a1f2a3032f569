import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import {
  BSON,
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoServerError,
  type OrderedBulkOperation,
} from 'mongodb';
import type { LogRecord, LogSource } from '../../core/log-record.js';
import type { LogAmendment } from '../../core/log-sink.js';
import type { TraceWrite } from '../../core/trace-write.js';
import type { BodyPart, Collections, LogDocument } from '../mongodb/collections.js';
import { isAwayCode, isStorageAway, storageUnavailable } from '../mongodb/storage-errors.js';
import { inTransaction } from '../mongodb/transaction.js';
import { CountDeltas } from './counts/count-deltas.js';
import { STATS_BEHIND, UNCOUNTED } from './counts/stat-deltas.js';
import { CHANGES_AT_ONCE, TAGS_BEHIND } from './counts/tag-deltas.js';
import type { KnownSeries } from './counts/tag-series.js';
import { toLogDocument, toStoredRun } from './log-document.js';

export interface Refusal {
  id: string;
  reason: string;
}

export interface InsertResult {
  /** Ids that are in MongoDB now, those that were there before too. */
  stored: string[];
  /** Records that MongoDB will never take, with its reason. */
  refused: Refusal[];
  /** Whether the amendments landed with their logs; else each is still to be applied. */
  amended: boolean;
}

/** By the id of their log. */
export type Amendments = ReadonlyMap<string, readonly LogAmendment[]>;

const DUPLICATE_KEY = 11_000;
/** So many documents are made in one turn of the event loop: some milliseconds. */
const AT_ONCE = 25;

export interface LogWriter {
  collections: Collections;
  series: KnownSeries;
  traceWrite: TraceWrite;
}

/**
 * Inserts what is not there yet; parts of bodies go first, so that a log that is there can be read whole. New logs
 * have what is known of them already: an amendment costs nothing then, and alone as much as several logs.
 */
export async function insertLogs(
  writer: LogWriter,
  records: LogSource,
  amendments: Amendments,
): Promise<{ logs: readonly InsertedLog[]; result: InsertResult }> {
  const { collections, traceWrite } = writer;
  const { dbName: database, collectionName: collection } = collections.logs;
  const batch = await prepare(writer, records, amendments);
  const write = { operation: 'insert', database, collection, logs: batch.logs } as const;
  return traceWrite(write, async () => {
    const again = () => prepare(writer, records, amendments);
    if (await insertTogether(collections, batch, again)) {
      const stored = batch.logs.map(({ _id }) => _id);
      return { logs: batch.logs, result: { stored, refused: [], amended: true } };
    }
    const result: InsertResult = { stored: [], refused: [], amended: false };
    const documents: LogDocument[] = [];
    for await (const record of records) {
      const { document } = await toLogDocument(record);
      markUncounted(document);
      documents.push(document);
    }
    if (documents.length > 0) await insertDocuments(collections, documents, result);
    return { logs: batch.logs, result };
  });
}

/** What is needed of a log behind its insert. */
export type InsertedLog = Pick<LogRecord, '_id' | 'project_uid' | 'trace_id' | '_span_id'>;

/** Logs ready to be written. */
interface Batch {
  logs: InsertedLog[];
  /** Holds them as BSON; undefined where the driver cannot write one of them. */
  bulk?: OrderedBulkOperation;
  /** JSON of what they add to the counts. */
  changes: string;
}

/**
 * One log after the other becomes bytes, so that what it was parsed into lives for a moment only: a batch of parsed logs
 * would wait for MongoDB's answer, and fill the heap.
 */
async function prepare(
  { collections, series }: LogWriter,
  records: LogSource,
  amendments: Amendments,
): Promise<Batch> {
  const sums = new CountSums(series);
  const logs: InsertedLog[] = [];
  let bulk: OrderedBulkOperation | undefined = collections.logs.initializeOrderedBulkOp();
  for await (const record of records) {
    if (logs.length % AT_ONCE === AT_ONCE - 1) await turn();
    const { _id, project_uid, trace_id, _span_id } = record;
    logs.push({ _id, project_uid, trace_id, _span_id });
    await series.load(project_uid);
    const { document, parts } = await toLogDocument(record);
    await insertParts(collections, parts);
    const whole = withAmendments(document, amendments.get(_id));
    sums.add(whole);
    bulk = bulk && write(bulk, whole);
  }
  return { logs, bulk, changes: sums.toJson() };
}

/** The driver writes a document as soon as it has it. Undefined where it cannot. */
function write(bulk: OrderedBulkOperation, document: LogDocument): OrderedBulkOperation | undefined {
  try {
    return bulk.insert(new Once(document)) as OrderedBulkOperation;
  } catch (error) {
    if (isOwnFault(error)) return undefined;
    throw error;
  }
}

/** A document that is let go of when it is written, since the driver keeps what it was given until MongoDB answers. */
class Once {
  readonly _id: string;
  #document?: LogDocument;

  constructor(document: LogDocument) {
    this._id = document._id;
    this.#document = document;
  }

  /** Asked for by the driver. */
  toBSON(): LogDocument {
    const document = this.#document;
    if (document === undefined) throw new Error(`log ${this._id} was written before`);
    this.#document = undefined;
    return document;
  }
}

/** A new log as its amendments make it, the same as `amendLog` does to one that is there. */
function withAmendments(document: LogDocument, amendments: readonly LogAmendment[] = []): LogDocument {
  if (amendments.length === 0) return document;
  const hashes = new Set<string>();
  const tags = new Set(document.tags);
  const runs = [...document.plugin_runs];
  let isDue = document._log_phase_due;
  for (const amendment of amendments) {
    const hash = hashOf(amendment);
    if (hashes.has(hash) || (amendment.log_phase && !isDue)) continue;
    hashes.add(hash);
    if (amendment.log_phase) isDue = undefined;
    runs.push(...amendment.plugin_runs.map(toStoredRun));
    for (const tag of amendment.add_tags) tags.add(tag);
  }
  const { _log_phase_due, _log_phase_claimed_until, _log_phase_engine, ...rest } = document;
  return { ...(isDue ? document : rest), tags: [...tags], plugin_runs: runs, _amendments: [...hashes] };
}

/**
 * New logs with what they add to the counts, all or none: one write for each log instead of two, since none has to be
 * marked as not counted. False where one of them is there already, or is one that MongoDB does not take. `again` makes
 * the same batch, for a transaction that has to be run once more.
 */
async function insertTogether(
  { client, pendingCounts }: Collections,
  first: Batch,
  again: () => Promise<Batch>,
): Promise<boolean> {
  if (first.logs.length === 0) return true;
  if (first.bulk === undefined) return false;
  let unused: Batch | undefined = first;
  try {
    await inTransaction(client, async (session) => {
      const { bulk, changes } = unused ?? (await again());
      unused = undefined;
      await bulk!.execute({ session });
      await pendingCounts.insertOne({ _id: first.logs[0]!._id, changes }, { session });
    });
    return true;
  } catch (error) {
    if (!isStorageAway(error)) return false;
    throw error;
  }
}

/** What the counts have to learn of many logs. One with tags beyond the bound is marked, and counted in steps. */
class CountSums {
  readonly #deltas: CountDeltas;
  #room = CHANGES_AT_ONCE;

  constructor({ isCounted }: KnownSeries) {
    this.#deltas = new CountDeltas(isCounted);
  }

  add(document: LogDocument): void {
    const { tags, stats } = this.#deltas;
    if (document.tags.length > this.#room) {
      markUncounted(document);
      return;
    }
    this.#room -= document.tags.length;
    tags.add(document.project_uid, document.tags, 1);
    stats.addNew(document);
  }

  toJson(): string {
    return this.#deltas.toJson();
  }
}

function markUncounted(document: LogDocument): void {
  document._counted_tags = [];
  document._counted_stats = UNCOUNTED;
}

async function insertParts({ bodies }: Collections, parts: BodyPart[]): Promise<void> {
  for (const { _id, project_uid, log_id, data } of parts) {
    await bodies.updateOne({ _id, project_uid }, { $setOnInsert: { log_id, data } }, { upsert: true });
  }
}

async function insertDocuments(
  collections: Collections,
  documents: LogDocument[],
  result: InsertResult,
): Promise<void> {
  try {
    await collections.logs.insertMany(documents, { ordered: false });
    result.stored.push(...documents.map((document) => document._id));
  } catch (error) {
    if (error instanceof MongoBulkWriteError && errorsOf(error).length > 0) {
      sortOut(documents, error, result);
    } else if (!isOwnFault(error)) {
      throw error;
    } else if (documents.length === 1) {
      result.refused.push(refusalOf(documents[0]!, error));
    } else {
      // The driver refuses a batch whole for one document that it cannot write: each is tried alone.
      for (const document of documents) await insertDocuments(collections, [document], result);
    }
  }
}

function errorsOf(error: MongoBulkWriteError) {
  return Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
}

function sortOut(documents: LogDocument[], error: MongoBulkWriteError, result: InsertResult): void {
  const failures = new Map(errorsOf(error).map((failure) => [failure.index, failure]));
  // A write concern that was not met leaves open what is durable: all is sent again.
  const unmet = error.result.getWriteConcernError();
  const away = [...failures.values()].find(({ code }) => code !== DUPLICATE_KEY && isAwayCode(code));
  if (away || unmet) throw storageUnavailable(away ?? unmet);
  documents.forEach((document, index) => {
    const failure = failures.get(index);
    if (failure === undefined || failure.code === DUPLICATE_KEY) result.stored.push(document._id);
    else result.refused.push({ id: document._id, reason: failure.errmsg ?? `code ${failure.code}` });
  });
}

function refusalOf(document: LogDocument, error: unknown): Refusal {
  // The driver writes into a buffer of the largest size that a document can have, and runs over its end.
  if (error instanceof RangeError)
    return { id: document._id, reason: 'larger than a document of MongoDB can be' };
  return { id: document._id, reason: error instanceof Error ? error.message : String(error) };
}

const TOO_LARGE_CODES = new Set([10_334, 17_420]);

/** Whether a document, and not the state of MongoDB, is why nothing was written. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError && isOwnFault(error.errorResponse)) return true;
  if (error instanceof RangeError || error instanceof BSON.BSONError) return true;
  if (error instanceof MongoInvalidArgumentError) return true;
  return error instanceof MongoServerError && TOO_LARGE_CODES.has(error.code as number);
}

/** By which a second application is known. */
function hashOf(amendment: LogAmendment): string {
  return createHash('sha256').update(JSON.stringify(amendment)).digest('base64url').slice(0, 22);
}

/** Adds what was learned later. False where the log is not there (yet). */
export async function amendLog(collections: Collections, amendment: LogAmendment): Promise<boolean> {
  const hash = hashOf(amendment);
  const id = amendment.log_id;
  const tags = [...new Set(amendment.add_tags)];
  const due = amendment.log_phase ? { _log_phase_due: true as const } : {};
  const result = await collections.logs.updateOne({ _id: id, _amendments: { $ne: hash }, ...due }, [
    ...(amendment.log_phase
      ? [{ $unset: ['_log_phase_due', '_log_phase_claimed_until', '_log_phase_engine'] }]
      : []),
    {
      $set: {
        plugin_runs: {
          $concatArrays: ['$plugin_runs', { $literal: amendment.plugin_runs.map(toStoredRun) }],
        },
        _amendments: { $concatArrays: [{ $ifNull: ['$_amendments', []] }, [hash]] },
        _counted_tags: TAGS_BEHIND,
        _counted_stats: STATS_BEHIND,
        ...(tags.length > 0 ? { ...tagsUpdate(addedTags(tags)), _revision: NEXT_REVISION } : {}),
      },
    },
  ]);
  if (result.matchedCount > 0) return true;
  return (await collections.logs.countDocuments({ _id: id }, { limit: 1 })) > 0;
}

/** An aggregation expression: the log's revision after a change of what people can change. */
export const NEXT_REVISION = { $add: [{ $ifNull: ['$_revision', 0] }, 1] };

/** An aggregation expression: the log's tags and those that it has not. */
function addedTags(tags: string[]): object {
  const isNew = { $not: { $in: ['$$tag', '$tags'] } };
  return { $concatArrays: ['$tags', { $filter: { input: { $literal: tags }, as: 'tag', cond: isNew } }] };
}

/** The fields that change with a log's tags: the counts still hold the old ones. */
export function tagsUpdate(tags: object): object {
  return { tags, _counted_tags: TAGS_BEHIND, _counted_stats: STATS_BEHIND };
}
