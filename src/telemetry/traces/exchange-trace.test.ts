import { describe, expect, it } from 'vitest';
import { parentOf, passOnTrace } from './exchange-trace.js';

const CLIENT = '00-11111111111111111111111111111111-2222222222222222-01';
const ENVOY = '00-33333333333333333333333333333333-4444444444444444-00';

describe('a trace that nobody records', () => {
  it('passes on the trace context of the client, which takes precedence over that of Envoy', () => {
    const trace = passOnTrace({ traceparent: CLIENT, envoyTraceparent: ENVOY });
    expect(trace.traceId).toBe('1'.repeat(32));
    expect(trace.attempt(1, 'openai', 'small').traceparent).toBe(CLIENT);
  });

  it('is below the span of Envoy where that belongs to the trace of the client', () => {
    const envoy = '00-11111111111111111111111111111111-4444444444444444-01';
    expect(parentOf({ traceparent: CLIENT, envoyTraceparent: envoy })).toEqual({
      parent: { traceId: '1'.repeat(32), spanId: '4'.repeat(16), sampled: true },
      byEnvoy: true,
    });
  });

  it('passes on the trace context of Envoy where the client has no valid one', () => {
    const trace = passOnTrace({ traceparent: 'nonsense', envoyTraceparent: ENVOY });
    expect(trace.traceId).toBe('3'.repeat(32));
    expect(trace.attempt(1, 'openai', 'small').traceparent).toBe(ENVOY);
  });

  it('has an id of its own where nobody has one, the same for all tries', () => {
    const trace = passOnTrace({});
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    const headers = [1, 2].map((number) => trace.attempt(number, 'openai', 'small').traceparent);
    expect(headers[0]).toMatch(new RegExp(`^00-${trace.traceId}-[0-9a-f]{16}-00$`));
    expect(headers[1]).toBe(headers[0]);
  });
});
