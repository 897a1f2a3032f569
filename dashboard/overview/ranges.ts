import type { Answer } from '../api/client.ts';

export type Row = Answer<'GET /{project_uid}/stats'>['data'][number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const RANGES = {
  '24h': { title: 'Last 24 hours', bucket: 'hour', ms: DAY_MS },
  '7d': { title: 'Last 7 days', bucket: 'hour', ms: 7 * DAY_MS },
  '30d': { title: 'Last 30 days', bucket: 'day', ms: 30 * DAY_MS },
  '90d': { title: 'Last 90 days', bucket: 'day', ms: 90 * DAY_MS },
} as const;

export type RangeName = keyof typeof RANGES;

export function isRange(name: string | null): name is RangeName {
  return name !== null && Object.hasOwn(RANGES, name);
}

export interface Span {
  from: Date;
  to: Date;
  bucket: 'hour' | 'day';
  bucketMs: number;
}

/** Whole buckets of UTC, the running one included. */
export function spanOf(name: RangeName, now: number): Span {
  const { bucket, ms } = RANGES[name];
  const bucketMs = bucket === 'hour' ? HOUR_MS : DAY_MS;
  const end = Math.floor(now / bucketMs) * bucketMs + bucketMs;
  return { from: new Date(end - ms), to: new Date(end), bucket, bucketMs };
}

/** A row for each bucket, undefined where nothing happened. */
export function fillBuckets(
  { from, to, bucketMs }: Span,
  rows: Row[],
): { at: number; row: Row | undefined }[] {
  const byTime = new Map(rows.map((row) => [Date.parse(row.at), row]));
  const count = (to.getTime() - from.getTime()) / bucketMs;
  return Array.from({ length: count }, (_, index) => {
    const at = from.getTime() + index * bucketMs;
    return { at, row: byTime.get(at) };
  });
}

export interface Totals {
  requests: number;
  errors: number;
  fallbacks: number;
  invalid: number;
  rejected: number;
  input_tokens: number;
  output_tokens: number;
  cost: number | null;
  feedback: number;
}

const COUNTS = [
  'requests',
  'errors',
  'fallbacks',
  'invalid',
  'rejected',
  'input_tokens',
  'output_tokens',
  'feedback',
] as const;

export function sumOf(rows: Row[]): Totals {
  const totals: Totals = {
    requests: 0,
    errors: 0,
    fallbacks: 0,
    invalid: 0,
    rejected: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost: null,
    feedback: 0,
  };
  for (const row of rows) {
    for (const name of COUNTS) totals[name] += row[name];
    if (row.cost !== null) totals.cost = (totals.cost ?? 0) + row.cost;
  }
  return totals;
}
