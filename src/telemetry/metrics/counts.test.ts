import { AggregationTemporality } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import { CARDINALITY, Counts } from './counts.js';
import { CountsProducer } from './counts-producer.js';

const REQUESTS = {
  name: 'requests',
  prometheus: 'requests_total',
  unit: '{request}',
  description: 'Requests.',
};
const SECONDS = {
  name: 'duration',
  prometheus: 'duration_seconds',
  unit: 's',
  description: 'Durations.',
  buckets: [1, 10],
};
const SCOPE = { name: 'test', version: '1' };

/** What a reader gets who wants sums since the start, or since it last asked. */
function readerOf(counts: Counts, temporality: AggregationTemporality) {
  let now = 1_000;
  const producer = new CountsProducer(counts, SCOPE, { now: () => now });
  producer.serve({ selectAggregationTemporality: () => temporality } as never);
  return async () => {
    now += 1_000;
    const { resourceMetrics } = await producer.collect();
    return resourceMetrics.scopeMetrics[0]!.metrics.map(({ dataPoints, aggregationTemporality }) => {
      expect(aggregationTemporality).toBe(temporality);
      return dataPoints.map(({ attributes, value }) => ({ attributes, value }));
    });
  };
}

describe('our counts', () => {
  it('have one point for each set of labels, and leave out a label without a value', async () => {
    const counts = new Counts();
    const requests = counts.counter(REQUESTS, ['project', 'error']);
    requests.at('one', undefined).add(1);
    requests.at('one', 'timeout').add(2);
    requests.at('one', undefined).add(1);
    const [points] = await readerOf(counts, AggregationTemporality.CUMULATIVE)();
    expect(points).toEqual([
      { attributes: { project: 'one' }, value: 2 },
      { attributes: { project: 'one', error: 'timeout' }, value: 2 },
    ]);
  });

  it('put a value into the first bucket whose bound it does not exceed', async () => {
    const counts = new Counts();
    const durations = counts.histogram(SECONDS, ['api']);
    for (const value of [0, 1, 1.5, 10, 11, Number.NaN, -1]) durations.at('chat').record(value);
    const [points] = await readerOf(counts, AggregationTemporality.CUMULATIVE)();
    expect(points).toEqual([
      {
        attributes: { api: 'chat' },
        value: { sum: 23.5, count: 5, min: 0, max: 11, buckets: { boundaries: [1, 10], counts: [2, 2, 1] } },
      },
    ]);
  });

  it('report to a reader of differences what came since it last asked', async () => {
    const counts = new Counts();
    const requests = counts.counter(REQUESTS, ['project']);
    const durations = counts.histogram(SECONDS, ['project']);
    const [delta, other] = [0, 1].map(() => readerOf(counts, AggregationTemporality.DELTA)) as [
      ReturnType<typeof readerOf>,
      ReturnType<typeof readerOf>,
    ];
    requests.at('one').add(3);
    durations.at('one').record(2);
    await delta();
    requests.at('one').add(1);
    durations.at('one').record(20);
    const attributes = { project: 'one' };
    const buckets = (bucketCounts: number[]) => ({ boundaries: [1, 10], counts: bucketCounts });
    expect(await delta()).toEqual([
      [{ attributes, value: 1 }],
      [{ attributes, value: { sum: 20, count: 1, buckets: buckets([0, 0, 1]) } }],
    ]);
    expect(await other()).toEqual([
      [{ attributes, value: 4 }],
      [{ attributes, value: { sum: 22, count: 2, buckets: buckets([0, 1, 1]) } }],
    ]);
  });

  it('combine into one what exceeds a maximum of label sets', () => {
    const requests = new Counts().counter(REQUESTS, ['project', 'status']);
    for (let number = 0; number < CARDINALITY + 50; number++)
      requests.at(`project-${number}`, 'success').add(1);
    expect(requests.points).toHaveLength(CARDINALITY + 1);
    expect(requests.points.at(-1)).toMatchObject({
      attributes: { 'otel.metric.overflow': true },
      point: { value: 50 },
    });
    requests.at('project-7', 'success').add(1);
    expect(requests.points[7]!.point.value).toBe(2);
  });
});
