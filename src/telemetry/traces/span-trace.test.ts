import { SpanStatusCode } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { logRecord } from '../../../test/support/log-record.js';
import type { LogRecord } from '../../core/log-record.js';
import type { Provider } from '../../core/settings.js';
import type { ExchangeDetails } from '../exchange-details.js';
import type { Lookup } from '../metrics/outcomes.js';
import { ATTRIBUTES } from '../names.js';
import { startTrace } from './span-trace.js';

/** The spans of an exchange with one attempt, which began 100 ms after it. */
function spansOf(record: LogRecord, details: ExchangeDetails = {}, baseUrl = 'http://127.0.0.1/v1') {
  const spans: ReadableSpan[] = [];
  const clock = { ms: 1_000, now: () => 1_700_000_000_000, monotonic: () => clock.ms };
  const provider = { api: 'openai', base_url: baseUrl } as Provider;
  const lookup: Lookup = { project: () => undefined, provider: () => provider };
  const trace = startTrace(
    {},
    {
      origin: {
        resource: resourceFromAttributes({}),
        instrumentationScope: { name: 'sluice', version: '1' },
        limits: { attributes: 128, valueLength: Number.POSITIVE_INFINITY, links: 128 },
        processors: [{ onEnd: (span) => void spans.push(span) }],
      },
      sampling: { follows: 'parent', share: 1 },
      clock: clock as never,
      lookup,
      content: false,
      openinference: false,
    },
  );
  clock.ms += 100;
  trace.attempt(1, 'openai', 'large');
  clock.ms += 400;
  trace.end(record, details);
  const [attempt, exchange] = spans;
  return { attempt: attempt!, exchange: exchange! };
}

describe('the span of an exchange', () => {
  const statusOf = (changes: Partial<LogRecord>) => spansOf(logRecord(changes)).exchange.status.code;

  it.each<[string, Partial<LogRecord>]>([
    ['a status of a server', { status: 'error', http_status: 503 }],
    ['a stream that broke after its head', { status: 'error', http_status: 200, stream: true }],
  ])('is marked as failed: %s', (_, changes) => {
    expect(statusOf(changes)).toBe(SpanStatusCode.ERROR);
  });

  it.each<[string, Partial<LogRecord>]>([
    ['an answer', {}],
    ['a mistake of the client', { status: 'error', http_status: 400 }],
    ['a guard that refused', { status: 'rejected', http_status: 200 }],
    ['a client that left', { status: 'aborted', http_status: 499 }],
  ])('is not marked as failed: %s', (_, changes) => {
    expect(statusOf(changes)).toBe(SpanStatusCode.UNSET);
  });
});

describe('the span of an attempt', () => {
  it('measures the time to the first chunk from its own start', () => {
    const timing = { total_ms: 500, time_to_first_token_ms: 250, engine_ms: 1 };
    const { attempt } = spansOf(logRecord({ stream: true, timing }), { lastAttemptStartMs: 100 });
    expect(attempt.attributes[ATTRIBUTES.timeToFirstChunk]).toBe(0.15);
  });

  it('has the address of its provider, of IPv6 without brackets', () => {
    const addressOf = (url: string) => {
      const { attributes } = spansOf(logRecord(), {}, url).attempt;
      return [attributes[ATTRIBUTES.serverAddress], attributes[ATTRIBUTES.serverPort]];
    };
    expect(addressOf('http://[::1]:9101/v1')).toEqual(['::1', 9101]);
    expect(addressOf('https://api.example.com/v1')).toEqual(['api.example.com', 443]);
  });
});
