import { backgroundPace } from '../../core/pacing/background-work.js';
import { type Histogram, percentiles } from '../../logs/latency-histogram.js';
import type { StatDocument } from '../mongodb/collections.js';

/** What happened in a period, for one endpoint, model, status, key, plugin, tag, error or reason for a fallback. */
export interface StatRow {
  at: Date;
  /** The key of the first grouping; null without a grouping, and for logs that have none. */
  key: string | null;
  /** The keys by the name of their grouping, where there are two groupings. */
  keys?: Record<string, string | null>;
  requests: number;
  errors: number;
  /** The number of attempts beyond the first one. */
  fallbacks: number;
  invalid: number;
  rejected: number;
  input_tokens: number;
  output_tokens: number;
  /** The cost in US dollars; null where no cost is known. */
  cost: number | null;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  ttft_p50_ms: number | null;
  /** The mean of the logs' scores. */
  score: number | null;
  /** The number of feedback signals. */
  feedback: number;
}

/** The numbers of a count, which can be added up. */
export type Counts = Omit<StatDocument, '_id' | 'project_uid' | 'bucket' | 'by' | 'at' | 'key'>;

function rowOf(
  place: Pick<StatRow, 'at' | 'key' | 'keys'>,
  { latency = {}, first_token = {}, scores = 0, scored = 0, cost = 0, priced = 0, ...counts }: Counts,
): StatRow {
  const [p50_ms = null, p95_ms = null, p99_ms = null] = percentiles(latency, [0.5, 0.95, 0.99]);
  const [ttft_p50_ms = null] = percentiles(first_token, [0.5]);
  return {
    at: place.at,
    key: place.key,
    ...(place.keys === undefined ? {} : { keys: place.keys }),
    requests: counts.requests ?? 0,
    errors: counts.errors ?? 0,
    fallbacks: counts.fallbacks ?? 0,
    invalid: counts.invalid ?? 0,
    rejected: counts.rejected ?? 0,
    input_tokens: counts.input_tokens ?? 0,
    output_tokens: counts.output_tokens ?? 0,
    cost: priced === 0 ? null : round(cost),
    p50_ms,
    p95_ms,
    p99_ms,
    ttft_p50_ms,
    score: scored === 0 ? null : round(scores / scored),
    feedback: counts.feedback ?? 0,
  };
}

/** Creates the rows in steps, because the percentiles of thousands of rows take longer than the event loop may be blocked. */
export async function rowsOf<Item>(
  items: readonly Item[],
  read: (item: Item) => Parameters<typeof rowOf>,
): Promise<StatRow[]> {
  const rows: StatRow[] = [];
  const pace = backgroundPace();
  for (const item of items) {
    rows.push(rowOf(...read(item)));
    await pace.pause();
  }
  return rows;
}

/** Rounds a sum of fractions, because digits beyond the twelfth are noise. */
function round(value: number): number {
  return Number(value.toFixed(12));
}

/** Adds counts up by time and groupings. */
export class StatSums {
  readonly #sums = new Map<string, { at: Date; keys: (string | null)[]; counts: Counts }>();

  constructor(private readonly names: readonly string[]) {}

  get size(): number {
    return this.#sums.size;
  }

  add(at: Date, keys: (string | null)[], counts: Counts): void {
    addCounts(this.#of(at, keys), counts);
  }

  /** Adds values: alternately a path, such as `latency.12`, and a number. */
  addValues(at: Date, keys: (string | null)[], values: readonly (string | number)[]): void {
    const counts = this.#of(at, keys);
    for (let index = 0; index < values.length; index += 2) {
      addPath(counts, values[index] as string, values[index + 1] as number);
    }
  }

  #of(at: Date, keys: (string | null)[]): Counts {
    const id = JSON.stringify([at.getTime(), ...keys]);
    let sum = this.#sums.get(id);
    if (sum === undefined) {
      sum = { at, keys, counts: {} };
      this.#sums.set(id, sum);
    }
    return sum.counts;
  }

  /** The rows in order of time, and within one time the busiest first. */
  rows(): Promise<StatRow[]> {
    const sums = [...this.#sums.values()]
      .filter(({ counts }) => (counts.requests ?? 0) > 0)
      .sort((a, b) => a.at.getTime() - b.at.getTime() || (b.counts.requests ?? 0) - (a.counts.requests ?? 0));
    return rowsOf(sums, ({ at, keys, counts }) => [
      { at, key: keys[0] ?? null, ...this.#named(keys) },
      counts,
    ]);
  }

  #named(keys: (string | null)[]): Pick<StatRow, 'keys'> {
    if (this.names.length < 2) return {};
    return { keys: Object.fromEntries(this.names.map((name, index) => [name, keys[index] ?? null])) };
  }
}

function addCounts(total: Counts, { latency, first_token, ...counts }: Counts): void {
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

function addPath(counts: Counts, path: string, value: number): void {
  const [name = '', step] = path.split('.');
  if (step === undefined) {
    const field = name as Exclude<keyof Counts, 'latency' | 'first_token'>;
    counts[field] = (counts[field] ?? 0) + value;
    return;
  }
  const field = name as 'latency' | 'first_token';
  const histogram = counts[field] ?? {};
  counts[field] = histogram;
  histogram[step] = (histogram[step] ?? 0) + value;
}
