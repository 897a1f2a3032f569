import { describe, expect, it } from 'vitest';
import { systemClock } from '../../core/clock.js';
import { Counts } from './counts.js';
import { CountsProducer } from './counts-producer.js';
import { createOtlpMetricReader } from './otlp-metrics.js';

describe('a reader that sends metrics to a collector', () => {
  it.each(['-5', '0', 'soon'])('uses the default where an interval is invalid: %s', async (value) => {
    const producer = new CountsProducer(new Counts(), { name: 'test', version: '1' }, systemClock);
    const times = { OTEL_METRIC_EXPORT_INTERVAL: value, OTEL_METRIC_EXPORT_TIMEOUT: value };
    const reader = await createOtlpMetricReader(times, producer);
    await expect(reader.shutdown()).resolves.toBeUndefined();
  });
});
