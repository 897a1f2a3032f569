import { SpanKind } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RecordedSpan } from './recorded-span.js';
import { createSpanProcessors, readBatchSettings, readSpanLimits } from './span-processors.js';

const place = { traceId: '1'.repeat(32), spanId: '2'.repeat(16) };
const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the processors of spans', () => {
  it.each([
    [['otlp'], 1],
    [['otlp', 'console', 'otlp', 'zipkin'], 3],
    [['nobody'], 0],
  ])('are one for each known exporter: %j are %d', async (names, count) => {
    const processors = await createSpanProcessors(names, environment);
    expect(processors).toHaveLength(count);
    await Promise.all(processors.map((processor) => processor.shutdown()));
  });

  it('print them where the exporter is `console`', async () => {
    const print = vi.spyOn(console, 'dir').mockReturnValue(undefined);
    const processors = await createSpanProcessors(['console'], {});
    const span = new RecordedSpan(
      {
        resource: resourceFromAttributes({ 'service.name': 'sluice' }),
        instrumentationScope: { name: 'sluice', version: '1.2.3' },
        limits: readSpanLimits({}),
        processors,
      },
      {
        ...place,
        name: 'work',
        kind: SpanKind.INTERNAL,
        startMs: 1_000,
        parent: { spanId: '3', isRemote: true },
      },
    );
    span.set('sluice.endpoint', 'support');
    span.end(1_500);
    expect(print.mock.calls.map(([printed]) => printed)).toMatchObject([
      {
        name: 'work',
        traceId: place.traceId,
        id: place.spanId,
        parentSpanContext: { spanId: '3' },
        attributes: { 'sluice.endpoint': 'support' },
        timestamp: 1_000_000,
        duration: 500_000,
      },
    ]);
  });
});

describe('the limits of a span', () => {
  it.each([
    [{}, { attributes: 128, valueLength: Number.POSITIVE_INFINITY, links: 128 }],
    [
      { OTEL_ATTRIBUTE_COUNT_LIMIT: '9', OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '7' },
      { attributes: 9, valueLength: 7 },
    ],
    [{ OTEL_ATTRIBUTE_COUNT_LIMIT: '9', OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '300' }, { attributes: 300 }],
    [{ OTEL_SPAN_LINK_COUNT_LIMIT: '0' }, { links: 0 }],
    [
      { OTEL_SPAN_LINK_COUNT_LIMIT: 'many', OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '' },
      { attributes: 128, links: 128 },
    ],
  ])('are those of the standard variables: %j', (variables, expected) => {
    expect(readSpanLimits(variables)).toMatchObject(expected);
  });
});

describe('the batches that spans are exported in', () => {
  it.each([
    [{}, {}],
    [
      { OTEL_BSP_MAX_QUEUE_SIZE: '4096', OTEL_BSP_SCHEDULE_DELAY: '0' },
      { maxQueueSize: 4096, scheduledDelayMillis: 0 },
    ],
    // The SDK would go through its last spans in batches of none, without an end.
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '0', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '0' }, {}],
    [{ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 'many', OTEL_BSP_EXPORT_TIMEOUT: '-1' }, {}],
  ])('are those of the standard variables: %j', (variables, expected) => {
    expect(readBatchSettings(variables)).toEqual(expected);
  });
});
