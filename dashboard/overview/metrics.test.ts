import { expect, it } from 'vitest';
import { gaugesOf } from './metrics.ts';

it('reads the spool and the fallbacks out of the metrics, and nothing from what is not there', () => {
  const gauges = gaugesOf(
    [
      '# TYPE sluice_spool_records gauge',
      'sluice_spool_records 3',
      'sluice_spool_oldest_seconds 1.5',
      'sluice_fallbacks_total{project="p",endpoint="a",reason="timeout"} 2',
      'sluice_fallbacks_total{project="p",endpoint="b",reason="timeout"} 1',
      'go_something{a="b"} 7',
    ].join('\n'),
  );
  expect(gauges).toEqual({ spoolRecords: 3, spoolOldestSeconds: 1.5, fallbacks: new Map([['timeout', 3]]) });
  expect(gaugesOf('')).toEqual({ spoolRecords: 0, spoolOldestSeconds: 0, fallbacks: new Map() });
});
