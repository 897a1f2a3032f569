import { type Histogram, percentiles } from '../../logs/latency-histogram.js';
import type { Collections, StatDocument } from '../mongodb/collections.js';
import { applyBatch } from './apply-counts.js';
import { BUCKET_MS, type StatBucket, type StatDimension } from './stat-deltas.js';
import { readTagSeries } from './tag-series.js';

export interface StatQuery {
  /** Buckets from the one that holds this moment on. */
  from: Date;
  to: Date;
  /** `total` is one for the whole time. */
  bucket: StatBucket | 'total';
  /** One row for each key; without it one for all. */
  by?: StatDimension;
}

/** What happened in an hour or a day (UTC), of one endpoint, model, status, plugin, tag, error or reason to fall back. */
export interface StatRow {
  at: Date;
  /** Null without `by`, and for logs that have none. */
  key: string | null;
  requests: number;
  errors: number;
  /** Tries beyond the first. */
  fallbacks: number;
  invalid: number;
  rejected: number;
  input_tokens: number;
  output_tokens: number;
  /** US dollars; null where no cost is known. */
  cost: number | null;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  ttft_p50_ms: number | null;
  /** The mean of the logs' scores. */
  score: number | null;
  /** Signals. */
  feedback: number;
}

export interface StatStore {
  /** In order of time and key. Undefined where it would be more than `MOST_ROWS`. */
  read(projectUid: string, query: StatQuery): Promise<StatRow[] | undefined>;
}

/** So many take about 60 ms. */
export const MOST_ROWS = 2_500;
/** Days and hours that a total is made of, at most. */
const MOST_SUMMED = 10_000;
/** What is counted before an answer, so that it shows what its caller just did. The rest is counted behind it. */
const BATCH_BEFORE_READ = 100;

export function createStatStore(collections: Collections): StatStore {
  const { stats, guarded } = collections;
  return {
    read: (project_uid, { from, to, bucket, by = 'all' as const }) =>
      guarded(async () => {
        await applyBatch(collections, { project_uid }, BATCH_BEFORE_READ);
        const read = (size: StatBucket, start: Date, end: Date, most: number) =>
          stats
            .find(
              { project_uid, by, bucket: size, at: { $gte: start, $lt: end } },
              { projection: SHOWN, batchSize: most + 1 },
            )
            .sort({ at: 1, key: 1 })
            .limit(most + 1)
            .toArray();
        const isTotal = bucket === 'total';
        const most = isTotal ? MOST_SUMMED : MOST_ROWS;
        const spans = isTotal
          ? wholeDays(from, to)
          : [{ size: bucket, start: beginOf(bucket, from), end: to }];
        const [isCounted, ...found] = await Promise.all([
          by === 'tag' ? countedTags(collections, project_uid) : undefined,
          ...spans.map(({ size, start, end }) => read(size, start, end, most)),
        ]);
        const documents = found.flat();
        if (documents.length > most) return undefined;
        const shown = isCounted === undefined ? documents : documents.filter(isCounted);
        return (isTotal ? totalsOf(shown, beginOf('hour', from)) : shown).map(toRow);
      }),
  };
}

function beginOf(bucket: StatBucket, moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / BUCKET_MS[bucket]) * BUCKET_MS[bucket]);
}

/** A time as the whole days in it, and the hours before and after them. */
function wholeDays(from: Date, to: Date): { size: StatBucket; start: Date; end: Date }[] {
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

/** The documents of each key as one, the busiest first. */
function totalsOf(documents: Counts[], at: Date): Counts[] {
  const totals = new Map<string | null, Counts>();
  for (const document of documents) {
    const { key } = document;
    const total = totals.get(key);
    if (total === undefined) totals.set(key, { ...structuredClone(document), at });
    else addCounts(total, document);
  }
  return [...totals.values()].sort((a, b) => (b.requests ?? 0) - (a.requests ?? 0));
}

function addCounts(total: Counts, { at: _at, key: _key, latency, first_token, ...counts }: Counts): void {
  for (const [name, count] of Object.entries(counts) as [keyof typeof counts, number][]) {
    total[name] = (total[name] ?? 0) + count;
  }
  total.latency = addHistogram(total.latency, latency);
  total.first_token = addHistogram(total.first_token, first_token);
}

function addHistogram(total: Histogram = {}, other: Histogram = {}): Histogram {
  for (const [step, count] of Object.entries(other)) total[step] = (total[step] ?? 0) + count;
  return total;
}

/** Tags of keys that have too many values by now were counted for a while; one taken from all its logs leaves nothing. */
async function countedTags(
  collections: Collections,
  projectUid: string,
): Promise<(counts: Counts) => boolean> {
  const tags = new Set((await readTagSeries(collections, projectUid)).tags);
  return ({ key, requests = 0 }) => key !== null && tags.has(key) && requests > 0;
}

const SHOWN = { _id: 0, project_uid: 0, bucket: 0, by: 0 } as const;

type Counts = Omit<StatDocument, keyof typeof SHOWN>;

function toRow(document: Counts): StatRow {
  const { latency = {}, first_token = {}, scores = 0, scored = 0, cost = 0, priced = 0 } = document;
  const [p50_ms = null, p95_ms = null, p99_ms = null] = percentiles(latency, [0.5, 0.95, 0.99]);
  const [ttft_p50_ms = null] = percentiles(first_token, [0.5]);
  return {
    at: document.at,
    key: document.key,
    requests: document.requests ?? 0,
    errors: document.errors ?? 0,
    fallbacks: document.fallbacks ?? 0,
    invalid: document.invalid ?? 0,
    rejected: document.rejected ?? 0,
    input_tokens: document.input_tokens ?? 0,
    output_tokens: document.output_tokens ?? 0,
    cost: priced === 0 ? null : round(cost),
    p50_ms,
    p95_ms,
    p99_ms,
    ttft_p50_ms,
    score: scored === 0 ? null : round(scores / scored),
    feedback: document.feedback ?? 0,
  };
}

/** Sums of fractions: what is behind the twelfth digit is noise. */
function round(value: number): number {
  return Number(value.toFixed(12));
}
