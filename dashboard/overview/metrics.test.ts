import { expect, it } from 'vitest';
import { gaugesOf } from './metrics.ts';

it('reads the spool from the metrics, and nothing from metrics that are missing', () => {
  const gauges = gaugesOf(
    [
      '# TYPE sluice_spool_records gauge',
      'sluice_spool_records 3',
      'sluice_spool_oldest_seconds 1.5',
      'sluice_spool_oldest_seconds{worker="2"} 0.5',
      'go_something{a="b"} 7',
    ].join('\n'),
  );
  expect(gauges).toEqual({ spoolRecords: 3, spoolOldestSeconds: 1.5 });
  expect(gaugesOf('')).toEqual({ spoolRecords: 0, spoolOldestSeconds: 0 });
});
