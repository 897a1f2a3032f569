import { BSON, MongoBulkWriteError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import type { Clock } from '../../../core/clock.js';
import type { LogRecord, LogSource, UnreadLog } from '../../../core/log-record.js';
import { heavyWork, isHeavy } from '../../../core/pacing/heavy-work.js';
import { Pace } from '../../../core/pacing/pace.js';
import type { TraceWrite } from '../../../core/trace-write.js';
import { CountDeltas } from '../../counts/count-deltas.js';
import { type CountableLog, UNCOUNTED } from '../../counts/stat-values.js';
import { CHANGES_AT_ONCE } from '../../counts/tag-deltas.js';
import type { KnownSeries } from '../../counts/tag-series.js';
import type { BodyPart, Collections, LogDocument } from '../../mongodb/collections.js';
import type { FragmentDocument } from '../../mongodb/fragment-documents.js';
import { runWrites } from '../../mongodb/run-writes.js';
import { isAwayCode, isStorageAway, storageUnavailable } from '../../mongodb/storage-errors.js';
import { inTransaction } from '../../mongodb/transaction.js';
import { FragmentBatch } from '../fragments/fragment-batch.js';
import type { KnownFragments } from '../fragments/known-fragments.js';
import { type Amendments, withAmendments } from './amendments.js';
import { LogBatch } from './log-batch.js';
import { toLogDocument } from './log-document.js';
import type { LogHead } from './log-text.js';

export interface Refusal {
  id: string;
  reason: string;
}

export interface InsertResult {
  /** The ids that are in MongoDB now, including those that were there before. */
  stored: string[];
  /** The records that MongoDB will never accept, with the reason. */
  refused: Refusal[];
  /** Whether the amendments were stored with their logs. Otherwise each must still be applied. */
  amended: boolean;
}

const DUPLICATE_KEY = 11_000;
/** Memory of an unusually large batch is not kept. */
const KEPT_BYTES = 4 * 1024 * 1024;

export interface LogWriter {
  collections: Collections;
  series: KnownSeries;
  traceWrite: TraceWrite;
  clock: Clock;
  known: KnownFragments;
  /** The buffer of a finished batch, for the next one. */
  memory?: Buffer;
}

/**
 * Inserts the logs that are missing. Parts of bodies and fragments are written first, or a few fragments together with the
 * logs, so that a stored log can always be read completely. New logs include their amendments, which then cost nothing.
 * Alone, each would cost as much as several logs.
 */
export async function insertLogs(
  writer: LogWriter,
  records: LogSource,
  amendments: Amendments,
): Promise<{ logs: readonly InsertedLog[]; result: InsertResult }> {
  const { collections, traceWrite } = writer;
  const { dbName: database, collectionName: collection } = collections.logs;
  const fragments = new FragmentBatch(writer.known, writer.clock);
  const batch = await prepare(writer, fragments, records, amendments);
  const few = await fragments.writeUnlessFew(collections);
  const { logs } = batch;
  return traceWrite({ operation: 'insert', database, collection, logs }, async () => {
    if (await insertWithFragments(collections, batch, fragments, few)) {
      const { memory } = batch.documents;
      if (memory.length <= KEPT_BYTES) writer.memory = memory;
      return { logs, result: { stored: logs.map(({ _id }) => _id), refused: [], amended: true } };
    }
    const result: InsertResult = { stored: [], refused: [], amended: false };
    const documents: LogDocument[] = [];
    for (const log of records) {
      const record = await recordOf(log);
      if (record === undefined) continue;
      const { document } = await toLogDocument(record, fragments);
      markUncounted(document);
      documents.push(document);
    }
    await fragments.write(collections);
    if (documents.length > 0) await insertDocuments(collections, documents, result);
    return { logs, result };
  });
}

/** The fields of a log that are needed after its insertion. */
export type InsertedLog = Pick<LogRecord, '_id' | 'project_uid' | 'trace_id' | '_span_id'>;

/** Logs that are ready to be written. */
interface Batch {
  logs: InsertedLog[];
  documents: LogBatch;
  /** Whether all of them could be turned into documents. */
  isWhole: boolean;
  /** What the logs of this batch add to the counts of tags and statistics, as JSON. */
  changes: string;
}

/**
 * Logs are converted to bytes one after the other, so that each parsed log lives only briefly: a batch of parsed logs
 * would wait for MongoDB and fill the heap.
 */
async function prepare(
  writer: LogWriter,
  fragments: FragmentBatch,
  records: LogSource,
  amendments: Amendments,
): Promise<Batch> {
  const { collections, series } = writer;
  const sums = new CountSums(series);
  const logs: InsertedLog[] = [];
  const documents = new LogBatch(fragments, writer.memory);
  writer.memory = undefined;
  let isWhole = true;
  const pace = new Pace();
  for (const log of records) {
    const rest = pace.pause();
    if (rest !== undefined) await rest;
    if (fragments.isFull) await fragments.write(collections);
    const learned = amendments.get(log._id);
    const written = learned === undefined ? asText(documents, log, sums) : undefined;
    if (written !== undefined) {
      const { _id, project_uid, trace_id, _span_id } = written;
      logs.push({ _id, project_uid, trace_id, _span_id });
      const loading = series.load(project_uid);
      if (loading !== undefined) await loading;
      sums.add(written);
      continue;
    }
    const record = await recordOf(log);
    if (record === undefined) continue;
    const { _id, project_uid, trace_id, _span_id } = record;
    logs.push({ _id, project_uid, trace_id, _span_id });
    await series.load(project_uid);
    const { document, parts } = await toLogDocument(record, fragments);
    await insertParts(collections, parts);
    const whole = learned === undefined ? document : withAmendments(document, learned);
    if (sums.hasRoom(whole)) sums.add(whole);
    else markUncounted(whole);
    isWhole &&= write(documents, whole);
  }
  return { logs, documents, isWhole, changes: sums.toJson() };
}

/** Adds a log without parsing it. Undefined where it must be parsed. */
function asText(documents: LogBatch, log: LogRecord | UnreadLog, sums: CountSums): LogHead | undefined {
  if (!('json' in log) || isHeavy(log.json.length)) return undefined;
  const head = documents.addText(log.json);
  if (head === undefined || sums.hasRoom(head)) return head;
  documents.removeLast();
  return undefined;
}

async function recordOf(log: LogRecord | UnreadLog): Promise<LogRecord | undefined> {
  if (!('json' in log)) return log;
  const turnOfHeavy = heavyWork.turn(log.json.length);
  if (turnOfHeavy !== undefined) await turnOfHeavy;
  return log.read();
}

/** Adds a document. False where it cannot be written. */
function write(documents: LogBatch, document: LogDocument): boolean {
  try {
    return documents.add(document);
  } catch (error) {
    if (isOwnFault(error)) return false;
    throw error;
  }
}

/**
 * Inserts logs with a few fragments. Where another process has inserted one of these meanwhile, the fragments are written on
 * their own.
 */
async function insertWithFragments(
  collections: Collections,
  batch: Batch,
  fragments: FragmentBatch,
  few: readonly FragmentDocument[],
): Promise<boolean> {
  if (await insertTogether(collections, batch, few)) {
    fragments.landed();
    return true;
  }
  if (few.length === 0) return false;
  await fragments.write(collections);
  return insertTogether(collections, batch, []);
}

/**
 * Inserts new logs together with what they add to the counts and a few fragments, all or nothing. This needs one write for
 * each log and not two, because no log must be marked as uncounted. False where one of them exists already, or is refused by
 * MongoDB.
 */
async function insertTogether(
  { client, database, logs: collection, pendingCounts, fragments }: Collections,
  { logs, documents, isWhole, changes }: Batch,
  few: readonly FragmentDocument[],
): Promise<boolean> {
  if (logs.length === 0) return true;
  if (!isWhole) return false;
  try {
    await inTransaction(client, async (session) => {
      if (few.length > 0) {
        await runWrites(database, { insert: fragments.collectionName, documents: few }, session);
      }
      await documents.insert(database, collection.collectionName, session);
      await pendingCounts.insertOne({ _id: logs[0]!._id, changes }, { session });
    });
    return true;
  } catch (error) {
    if (!isStorageAway(error)) return false;
    throw error;
  }
}

/** Sums up what many logs add to the counts. A log with too many tags is marked instead, and counted in steps later. */
class CountSums {
  readonly #deltas: CountDeltas;
  #room = CHANGES_AT_ONCE;

  constructor({ isCounted }: KnownSeries) {
    this.#deltas = new CountDeltas(isCounted);
  }

  /** Whether its tags fit in addition to those of the logs before it. */
  hasRoom({ tags }: Pick<CountableLog, 'tags'>): boolean {
    return tags.length <= this.#room;
  }

  add(log: CountableLog): void {
    const { tags, stats } = this.#deltas;
    this.#room -= log.tags.length;
    tags.add(log.project_uid, log.tags, 1);
    stats.addNew(log);
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
      // The driver refuses a whole batch for one document that it cannot write, so each is tried alone.
      for (const document of documents) await insertDocuments(collections, [document], result);
    }
  }
}

function errorsOf(error: MongoBulkWriteError) {
  return Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
}

function sortOut(documents: LogDocument[], error: MongoBulkWriteError, result: InsertResult): void {
  const failures = new Map(errorsOf(error).map((failure) => [failure.index, failure]));
  // After an unmet write concern it is unknown what is durable, so everything is sent again.
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
  // The driver writes into a buffer of the largest document size, and fails beyond its end.
  if (error instanceof RangeError)
    return { id: document._id, reason: 'larger than a document of MongoDB can be' };
  return { id: document._id, reason: error instanceof Error ? error.message : String(error) };
}

const TOO_LARGE_CODES = new Set([10_334, 17_420]);

/** Whether a document, and not the state of MongoDB, is the reason why nothing was written. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError && isOwnFault(error.errorResponse)) return true;
  if (error instanceof RangeError || error instanceof BSON.BSONError) return true;
  if (error instanceof MongoInvalidArgumentError) return true;
  return error instanceof MongoServerError && TOO_LARGE_CODES.has(error.code as number);
}
