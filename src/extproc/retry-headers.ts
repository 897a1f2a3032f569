import type { Exchange } from '../pipeline/exchange/exchange.js';

/** Envoy's policy for this one request: how often it tries, on what, and how long one try may take. */
export function retryHeaders(exchange: Exchange): Record<string, string> {
  const endpoint = exchange.endpoint!;
  const on = new Set(['retriable-headers']);
  if (endpoint.fallback_on.includes('connect')) on.add('connect-failure');
  // Envoy tells a time that ran out and a broken connection by one word; the next try finds out which it was.
  if (endpoint.fallback_on.includes('timeout') || endpoint.fallback_on.includes('server_error'))
    on.add('reset');
  return {
    // Envoy's access log names a try by it; a client's own would let one request speak for another.
    'x-request-id': exchange.id,
    'x-envoy-max-retries': String(exchange.plan!.models.length - 1),
    'x-envoy-retry-on': [...on].join(','),
    'x-envoy-upstream-rq-per-try-timeout-ms': String(exchange.tryTimeoutMs),
  };
}
