import { type HrTime, ValueType } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  InstrumentType,
  type MetricData,
  type MetricProducer,
  type MetricReader,
} from '@opentelemetry/sdk-metrics';
import type { Clock } from '../../core/clock.js';
import { toHrTime } from '../hr-time.js';
import type { MetricName } from '../names.js';
import type { Count, Counts, Distribution } from './counts.js';

type Sums = Pick<Distribution, 'sum' | 'count'> & { counts: readonly number[] };

/** Gives our counts to one reader of OpenTelemetry: as totals, or as changes since its last read, whichever it wants. */
export class CountsProducer implements MetricProducer {
  #reader: Pick<MetricReader, 'selectAggregationTemporality'> | undefined;
  #startTime: HrTime;
  readonly #reportedCounts = new Map<Count, number>();
  readonly #reportedSums = new Map<Distribution, Sums>();

  constructor(
    private readonly counts: Counts,
    private readonly scope: { name: string; version: string },
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.#startTime = toHrTime(clock.now());
  }

  /** Connects the reader, which says whether it wants totals or changes. */
  serve<Reader extends MetricReader>(reader: Reader): Reader {
    this.#reader = reader;
    return reader;
  }

  async collect(): Promise<CollectionResult> {
    const endTime = toHrTime(this.clock.now());
    const metrics = [...this.#readCounters(endTime), ...this.#readHistograms(endTime)];
    if (this.#isDelta(InstrumentType.COUNTER)) this.#startTime = endTime;
    return {
      resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: this.scope, metrics }] },
      errors: [],
    };
  }

  #readCounters(endTime: HrTime): MetricData[] {
    const isDelta = this.#isDelta(InstrumentType.COUNTER);
    return this.counts.counters
      .filter(({ points }) => points.length > 0)
      .map(({ metric, points }) => ({
        ...this.#head(metric, isDelta),
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: points.map(({ attributes, point }) => ({
          ...this.#span(endTime),
          attributes,
          value: isDelta ? this.#sinceReport(point) : point.value,
        })),
      }));
  }

  #readHistograms(endTime: HrTime): MetricData[] {
    const isDelta = this.#isDelta(InstrumentType.HISTOGRAM);
    return this.counts.histograms
      .filter(({ points }) => points.length > 0)
      .map(({ metric, points }) => ({
        ...this.#head(metric, isDelta),
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: points.map(({ attributes, point }) => {
          const { counts, ...sums } = isDelta ? this.#sumsSinceReport(point) : copyOf(point);
          const boundaries = metric.buckets ?? [];
          return {
            ...this.#span(endTime),
            attributes,
            value: { ...sums, buckets: { boundaries, counts: [...counts] } },
          };
        }),
      }));
  }

  #head({ name, unit, description }: MetricName, isDelta: boolean) {
    return {
      descriptor: { name, unit, description, valueType: ValueType.DOUBLE },
      aggregationTemporality: isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
    };
  }

  #span(endTime: HrTime): { startTime: HrTime; endTime: HrTime } {
    return { startTime: this.#startTime, endTime };
  }

  #isDelta(type: InstrumentType): boolean {
    return this.#reader?.selectAggregationTemporality(type) === AggregationTemporality.DELTA;
  }

  #sinceReport(point: Count): number {
    const reported = this.#reportedCounts.get(point) ?? 0;
    this.#reportedCounts.set(point, point.value);
    return point.value - reported;
  }

  /** The sums since the last report. Minimum and maximum are left out, because they are those of all time. */
  #sumsSinceReport(point: Distribution): Sums {
    const reported = this.#reportedSums.get(point);
    const { sum, count, counts } = point;
    this.#reportedSums.set(point, { sum, count, counts: [...counts] });
    return {
      sum: sum - (reported?.sum ?? 0),
      count: count - (reported?.count ?? 0),
      counts: counts.map((number, bucket) => number - (reported?.counts[bucket] ?? 0)),
    };
  }
}

function copyOf({ sum, count, counts, min, max }: Distribution): Sums & { min?: number; max?: number } {
  return count === 0 ? { sum, count, counts } : { sum, count, counts, min, max };
}
