import type { Attributes } from '@opentelemetry/api';
import type { MetricName } from '../names.js';

/*
 * Our own counters and histograms. Those of OpenTelemetry sort and hash the labels at every call, which costs a request more
 * than its routing. Here one map for each label leads to a point, and `counts-producer.ts` passes the points on when they are
 * read.
 */

/** The most combinations of label values of one metric. Further ones are counted together as one. */
export const CARDINALITY = 10_000;
const OVERFLOW: Attributes = { 'otel.metric.overflow': true };

/** The labels of a metric, in order. A label without a value is left out. */
type Labels = readonly string[];
type Values = readonly (string | undefined)[];
type Branch = Map<string | undefined, unknown>;

/** One metric with its points, one for each combination of label values. */
export class Family<Point> {
  readonly metric: MetricName;
  readonly points: { attributes: Attributes; point: Point }[] = [];
  readonly #labels: Labels;
  readonly #make: () => Point;
  readonly #root: Branch = new Map();
  #overflow: Point | undefined;

  constructor(metric: MetricName, labels: Labels, make: () => Point) {
    this.metric = metric;
    this.#labels = labels;
    this.#make = make;
  }

  /** The point for these values, one for each label. */
  at(...values: Values): Point {
    let branch = this.#root;
    for (const value of values) {
      const next = branch.get(value);
      if (next === undefined) return this.#add(values);
      branch = next as Branch;
    }
    return branch as Point;
  }

  #add(values: Values): Point {
    if (this.points.length >= CARDINALITY) {
      this.#overflow ??= this.#keep(OVERFLOW);
      return this.#overflow;
    }
    const known = values.flatMap((value, index) =>
      value === undefined ? [] : [[this.#labels[index], value]],
    );
    const point = this.#keep(Object.fromEntries(known) as Attributes);
    let branch = this.#root;
    for (const value of values.slice(0, -1)) {
      let next = branch.get(value);
      if (next === undefined) {
        next = new Map();
        branch.set(value, next);
      }
      branch = next as Branch;
    }
    branch.set(values.at(-1), point);
    return point;
  }

  #keep(attributes: Attributes): Point {
    const point = this.#make();
    this.points.push({ attributes, point });
    return point;
  }
}

export class Count {
  value = 0;

  add(more: number): void {
    this.value += more;
  }
}

/** The trace in which a value was observed. */
export interface Exemplar {
  traceId: string;
  spanId: string;
  value: number;
  /** The time in epoch milliseconds. */
  at: number;
}

/** A histogram: the number of values in each bucket and above the last bound. */
export class Distribution {
  readonly counts: number[];
  /** The newest exemplar of each bucket, by its number. */
  readonly exemplars = new Map<number, Exemplar>();
  sum = 0;
  count = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Array(bounds.length + 1).fill(0);
  }

  /**
   * Adds a value, which must be at least 0; other values are ignored. `trace` is the trace in which it was observed, if that
   * is recorded.
   */
  record(value: number, trace?: Omit<Exemplar, 'value'>): void {
    if (!(value >= 0)) return;
    let bucket = 0;
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket++;
    this.counts[bucket]!++;
    if (trace !== undefined) {
      const { traceId, spanId, at } = trace;
      this.exemplars.set(bucket, { traceId, spanId, value, at });
    }
    this.count++;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }
}

/** All metrics of a process. */
export class Counts {
  readonly counters: Family<Count>[] = [];
  readonly histograms: Family<Distribution>[] = [];

  counter(metric: MetricName, labels: Labels): Family<Count> {
    const family = new Family(metric, labels, () => new Count());
    this.counters.push(family);
    return family;
  }

  histogram(metric: MetricName & { buckets: readonly number[] }, labels: Labels): Family<Distribution> {
    const family = new Family(metric, labels, () => new Distribution(metric.buckets));
    this.histograms.push(family);
    return family;
  }
}
