import type { Answer } from '../api/client.ts';

export type Row = Answer<'GET /{project_uid}/stats'>['data'][number];
export type Bucket = 'minute' | 'hour' | 'day';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const BUCKETS_MS: Record<Bucket, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

export const RANGES = {
  '15m': { title: 'Last 15 minutes', bucket: 'minute', ms: 15 * MINUTE_MS },
  '1h': { title: 'Last hour', bucket: 'minute', ms: HOUR_MS },
  '6h': { title: 'Last 6 hours', bucket: 'minute', ms: 6 * HOUR_MS },
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
  bucket: Bucket;
  bucketMs: number;
}

/** A range of whole buckets in UTC, including the current one. */
export function spanOf(name: RangeName, now: number): Span {
  const { bucket, ms } = RANGES[name];
  const bucketMs = BUCKETS_MS[bucket];
  const end = Math.floor(now / bucketMs) * bucketMs + bucketMs;
  return { from: new Date(end - ms), to: new Date(end), bucket, bucketMs };
}

/** Counts by the minute are kept for two days, but one answer has no more rows than these hours have minutes. */
const MOST_MINUTES_MS = 12 * HOUR_MS;
const MOST_HOURS_MS = 14 * DAY_MS;
const MINUTES_KEPT_MS = 46 * HOUR_MS;

/**
 * A time that the reader chose, in whole buckets of the finest size that it allows. Undefined where the dates are not
 * valid.
 */
export function ownSpan(from: string | null, to: string | null, now: number): Span | undefined {
  const [start, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  if (Number.isNaN(start) || Number.isNaN(end) || start >= end) return undefined;
  const length = end - start;
  const bucket: Bucket =
    length <= MOST_MINUTES_MS && start > now - MINUTES_KEPT_MS
      ? 'minute'
      : length <= MOST_HOURS_MS
        ? 'hour'
        : 'day';
  const bucketMs = BUCKETS_MS[bucket];
  return {
    from: new Date(Math.floor(start / bucketMs) * bucketMs),
    to: new Date(Math.ceil(end / bucketMs) * bucketMs),
    bucket,
    bucketMs,
  };
}

/** The time of the same length before this one. */
export function spanBefore({ from, to, bucket, bucketMs }: Span): Span {
  return { from: new Date(2 * from.getTime() - to.getTime()), to: from, bucket, bucketMs };
}

/** One row for each bucket; undefined where nothing happened in it. */
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

/** The change of a number against the time before, such as `+25 %`; undefined where there is nothing to compare. */
export function changeOf(now: number | null, before: number | null | undefined): string | undefined {
  if (now === null || before === null || before === undefined) return undefined;
  if (before === 0) return now === 0 ? undefined : 'new';
  const percent = Math.round((100 * (now - before)) / before);
  if (percent === 0) return '±0 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}
