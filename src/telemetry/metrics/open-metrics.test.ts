import { expect, it } from 'vitest';
import { Counts } from './counts.js';
import { addExemplars, toOpenMetrics } from './open-metrics.js';

const METRIC = {
  name: 'a.time',
  prometheus: 'a_time_seconds',
  unit: 's',
  description: 'x',
  buckets: [0.5, 1],
};
const NAME = () => 'a_time_seconds';
const TRACE = { traceId: 'abc', spanId: 'def', at: 1_700_000_000_123 };

it('adds the newest recorded trace of a bucket after it, and nothing after others', () => {
  const counts = new Counts();
  const point = counts.histogram(METRIC, ['endpoint.name']).at('say "hi"');
  point.record(0.2, { ...TRACE, traceId: 'before' });
  point.record(0.3, TRACE);
  point.record(0.7);
  point.record(7, TRACE);
  const series = (le: string) => `a_time_seconds_bucket{endpoint_name="say \\"hi\\"",le="${le}"}`;
  const text = [`${series('0.5')} 2`, `${series('1')} 3`, `${series('+Inf')} 4`, 'other 1'].join('\n');
  expect(addExemplars(text, counts, NAME).split('\n')).toEqual([
    `${series('0.5')} 2 # {trace_id="abc",span_id="def"} 0.3 1700000000.123`,
    `${series('1')} 3`,
    `${series('+Inf')} 4 # {trace_id="abc",span_id="def"} 7 1700000000.123`,
    'other 1',
  ]);
});

it('names counters as OpenMetrics does, keeps other metrics with such names, and marks the end', () => {
  const text = '# HELP a_total A\n# TYPE a_total counter\na_total 1\n# TYPE b_total gauge\nb_total 2\n';
  expect(toOpenMetrics(text)).toBe(
    '# HELP a A\n# TYPE a counter\na_total 1\n# TYPE b_total gauge\nb_total 2\n# EOF\n',
  );
});
