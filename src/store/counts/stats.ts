import { backgroundPace } from '../../core/pacing/background-work.js';
import type { Collections } from '../mongodb/collections.js';
import { readInTurns } from '../mongodb/read-in-turns.js';
import { applyBatch } from './apply-counts.js';
import {
  BUCKET_MS,
  CELL_DIMENSIONS,
  type CellDimension,
  MINUTES_KEPT_MS,
  type StatBucket,
  type StatDimension,
} from './stat-places.js';
import { rowsOf, type StatRow, StatSums } from './stat-rows.js';
import { readTagSeries } from './tag-series.js';

export type { StatRow } from './stat-rows.js';

export interface StatQuery {
  /** The first moment of the period. Buckets begin with the one that contains it. */
  from: Date;
  to: Date;
  /** The length of a bucket. `total` means one bucket for the whole period. */
  bucket: StatBucket | 'total';
  /** The groupings, at most two, with one row for each key. Without them, one row for all logs. */
  by?: readonly StatDimension[];
  /**
   * Of several values of one dimension one must match, and of several tags all. The name of a provider stands for all its
   * models.
   */
  where?: Partial<Record<CellDimension | 'tag', readonly string[]>>;
}

export interface Stats {
  rows: StatRow[];
  /**
   * How many of the newest logs were counted. Present where no stored count answers the question, and there are more logs.
   */
  searched?: number;
}

export interface StatStore {
  /** The rows in order of time and key. Undefined where there would be more than `MOST_ROWS`. */
  read(projectUid: string, query: StatQuery): Promise<Stats | undefined>;
}

/** The most rows of one answer, which take about 60 ms. */
export const MOST_ROWS = 2_500;
/** The most stored counts from which one answer is computed. */
const MOST_SUMMED = 10_000;
/** The number of stored counts that are read in one turn of the event loop. */
const READ_AT_ONCE = 500;
/**
 * How many logs are counted before an answer, so that it includes the caller's latest changes. The rest is counted
 * afterwards.
 */
const BATCH_BEFORE_READ = 100;
/** Totals of a period up to this length begin with its minute, longer ones with its hour. */
const MOST_MINUTES_MS = 6 * BUCKET_MS.hour;

/**
 * Counts the logs themselves, where no stored count answers the question. Undefined where there would be more than
 * `MOST_ROWS`.
 */
export type SumLogs = (projectUid: string, query: StatQuery) => Promise<Stats | undefined>;

export function createStatStore(collections: Collections, sumLogs: SumLogs): StatStore {
  return {
    read: (projectUid, query) =>
      collections.guarded(async () => {
        await applyBatch(collections, { project_uid: projectUid }, BATCH_BEFORE_READ);
        const stats = await readStats(collections, sumLogs, projectUid, query);
        return stats === undefined || stats.rows.length > MOST_ROWS ? undefined : stats;
      }),
  };
}

async function readStats(
  collections: Collections,
  sumLogs: SumLogs,
  projectUid: string,
  query: StatQuery,
): Promise<Stats | undefined> {
  const { by = [], where = {}, bucket } = query;
  const asked = [...by, ...Object.keys(where)];
  const isPlain = by.length < 2 && Object.keys(where).length === 0;
  const isOfCells = asked.every((name) => CELL_DIMENSIONS.includes(name as CellDimension));
  const isFine = bucket === 'minute' || (bucket === 'total' && isShort(query));
  if (isOfCells && (!isPlain || isFine)) return sumCells(collections, projectUid, query);
  if (isPlain && bucket !== 'minute') {
    const rows = await readCounts(collections, projectUid, query);
    return rows && { rows };
  }
  return sumLogs(projectUid, query);
}

/** Whether a period is short, and its counts by the minute are still kept. */
function isShort({ from, to }: StatQuery): boolean {
  return to.getTime() - from.getTime() <= MOST_MINUTES_MS && from.getTime() > Date.now() - MINUTES_KEPT_MS;
}

/** Reads the counts of one dimension, or of all logs. */
async function readCounts(
  collections: Collections,
  project_uid: string,
  { from, to, bucket, by: groupings = [] }: StatQuery,
): Promise<StatRow[] | undefined> {
  const by = groupings[0] ?? 'all';
  const isTotal = bucket === 'total';
  const most = isTotal ? MOST_SUMMED : MOST_ROWS;
  const [isCounted, documents] = await Promise.all([
    by === 'tag' ? countedTags(collections, project_uid) : undefined,
    readDocuments(collections, project_uid, by, spansOf({ from, to, bucket }, false), most),
  ]);
  if (documents === undefined) return undefined;
  const shown =
    isCounted === undefined ? documents : documents.filter(({ key, requests }) => isCounted(key, requests));
  if (!isTotal) return rowsOf(shown, ({ at, key, ...counts }) => [{ at, key }, counts]);
  const sums = new StatSums([by]);
  const start = beginOf('hour', from);
  const pace = backgroundPace();
  for (const { at: _at, key, ...counts } of shown) {
    sums.add(start, [key], counts);
    await pace.pause();
  }
  return sums.rows();
}

/** Sums of cells: each is one combination of key, endpoint, model and status. */
async function sumCells(
  collections: Collections,
  projectUid: string,
  query: StatQuery,
): Promise<Stats | undefined> {
  const { from, bucket, by = [], where = {} } = query;
  const isFine = bucket === 'minute' || (bucket === 'total' && isShort(query));
  const documents = await readDocuments(collections, projectUid, 'cell', spansOf(query, isFine), MOST_SUMMED);
  if (documents === undefined) return undefined;
  const start = beginOf(isFine ? 'minute' : 'hour', from);
  const sums = new StatSums(by);
  const places = by.map((name) => CELL_DIMENSIONS.indexOf(name as CellDimension));
  const pace = backgroundPace();
  for (const { at, key, ...counts } of documents) {
    await pace.pause();
    const cell = JSON.parse(key ?? '[]') as (string | null)[];
    if (!fits(cell, where)) continue;
    sums.add(
      bucket === 'total' ? start : at,
      places.map((place) => cell[place] ?? null),
      counts,
    );
  }
  return { rows: await sums.rows() };
}

function fits(cell: (string | null)[], where: NonNullable<StatQuery['where']>): boolean {
  return CELL_DIMENSIONS.every((name, index) => {
    const wanted = where[name];
    return wanted === undefined || wanted.some((one) => isOne(name, cell[index] ?? null, one));
  });
}

/** Whether a name matches a value. The name of a provider means all its models. */
export function isOne(name: string, value: string | null, wanted: string): boolean {
  if (value === wanted) return true;
  return name === 'model' && !wanted.includes('/') && value?.startsWith(`${wanted}/`) === true;
}

interface Span {
  size: StatBucket;
  start: Date;
  end: Date;
}

/** The stored counts to read for a period. With `isFine`, they are counts by the minute. */
function spansOf({ from, to, bucket }: Pick<StatQuery, 'from' | 'to' | 'bucket'>, isFine: boolean): Span[] {
  if (isFine) return [{ size: 'minute', start: beginOf('minute', from), end: to }];
  if (bucket === 'total') return wholeDays(from, to);
  return [{ size: bucket, start: beginOf(bucket, from), end: to }];
}

/** The documents of the counts. Undefined where there are more than may be summed. */
async function readDocuments(
  { stats }: Collections,
  project_uid: string,
  by: 'all' | 'cell' | StatDimension,
  spans: readonly Span[],
  most: number,
) {
  const found = await Promise.all(
    spans.map(({ size, start, end }) =>
      readInTurns(
        stats
          .find(
            { project_uid, by, bucket: size, at: { $gte: start, $lt: end } },
            { projection: SHOWN, batchSize: READ_AT_ONCE },
          )
          .sort({ at: 1, key: 1 })
          .limit(most + 1),
      ),
    ),
  );
  const documents = found.flat();
  return documents.length > most ? undefined : documents;
}

function beginOf(bucket: StatBucket, moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / BUCKET_MS[bucket]) * BUCKET_MS[bucket]);
}

/** A period as its whole days, and the hours before and after these. */
function wholeDays(from: Date, to: Date): Span[] {
  const first = beginOf('hour', from);
  const firstDay = new Date(Math.ceil(first.getTime() / BUCKET_MS.day) * BUCKET_MS.day);
  const lastDay = beginOf('day', to);
  if (firstDay >= lastDay) return [{ size: 'hour', start: first, end: to }];
  return [
    { size: 'hour', start: first, end: firstDay },
    { size: 'day', start: firstDay, end: lastDay },
    { size: 'hour', start: lastDay, end: to },
  ];
}

/**
 * The tags that are counted. Tags of keys that have too many values by now were counted for a while. Nothing is left of one
 * that is removed.
 */
async function countedTags(
  collections: Collections,
  projectUid: string,
): Promise<(key: string | null, requests: number | undefined) => boolean> {
  const tags = new Set((await readTagSeries(collections, projectUid)).tags);
  return (key, requests = 0) => key !== null && tags.has(key) && requests > 0;
}

const SHOWN = { _id: 0, project_uid: 0, bucket: 0, by: 0 } as const;
