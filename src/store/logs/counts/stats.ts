import { percentiles } from '../../../logs/latency-histogram.js';
import type { Collections, StatDocument } from '../../mongodb/collections.js';
import { applyBatch } from './apply-counts.js';
import { BUCKET_MS, type StatBucket, type StatDimension } from './stat-deltas.js';

export interface StatQuery {
  /** Buckets from the one that holds this moment on. */
  from: Date;
  to: Date;
  bucket: StatBucket;
  /** One row for each key; without it one for all. */
  by?: StatDimension;
}

/** What happened in an hour or a day (UTC), of one endpoint, model, status or plugin. */
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

export const MOST_ROWS = 10_000;
/** What is counted before an answer, so that it shows what its caller just did. The rest is counted behind it. */
const BATCH_BEFORE_READ = 100;

export function createStatStore(collections: Collections): StatStore {
  const { stats, guarded } = collections;
  return {
    read: (project_uid, { from, to, bucket, by = 'all' as const }) =>
      guarded(async () => {
        await applyBatch(collections, { project_uid }, BATCH_BEFORE_READ);
        const first = new Date(Math.floor(from.getTime() / BUCKET_MS[bucket]) * BUCKET_MS[bucket]);
        const documents = await stats
          .find({ project_uid, bucket, by, at: { $gte: first, $lt: to } }, { projection: SHOWN })
          .sort({ at: 1, key: 1 })
          .limit(MOST_ROWS + 1)
          .toArray();
        return documents.length > MOST_ROWS ? undefined : documents.map(toRow);
      }),
  };
}

const SHOWN = { _id: 0, project_uid: 0, bucket: 0, by: 0 } as const;

function toRow(document: Omit<StatDocument, keyof typeof SHOWN>): StatRow {
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
