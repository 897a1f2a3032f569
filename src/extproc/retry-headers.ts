import type { Exchange } from '../pipeline/exchange/exchange.js';

/** Envoy's retry policy for this request: how often, on what, and how long one attempt may take. */
export function retryHeaders(exchange: Exchange): Record<string, string> {
  const endpoint = exchange.endpoint!;
  const on = new Set(['retriable-headers']);
  if (endpoint.fallback_on.includes('connect')) on.add('connect-failure');
  // Envoy uses the same word for a timeout and a broken connection; the next attempt finds out which it was.
  if (endpoint.fallback_on.includes('timeout') || endpoint.fallback_on.includes('server_error'))
    on.add('reset');
  return {
    // Envoy's access log names an attempt by this id; with a client's own id, one request could act for
    // another.
    'x-request-id': exchange.id,
    'x-envoy-max-retries': String(exchange.plan!.models.length - 1),
    'x-envoy-retry-on': [...on].join(','),
    'x-envoy-upstream-rq-per-try-timeout-ms': String(exchange.tryTimeoutMs),
  };
}
