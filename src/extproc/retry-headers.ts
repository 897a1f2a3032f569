import type { Exchange } from '../pipeline/exchange/exchange.js';

/** Envoy's retry policy for this request: how often, on what, and how long one attempt may take. */
export function retryHeaders(exchange: Exchange): Record<string, string> {
  const endpoint = exchange.endpoint!;
  const on = new Set(['retriable-headers']);
  if (endpoint.fallback_on.includes('connect')) on.add('connect-failure');
  // Envoy reports a timeout and a broken connection in the same way. The next attempt finds out which one it was.
  if (endpoint.fallback_on.includes('timeout') || endpoint.fallback_on.includes('server_error'))
    on.add('reset');
  return {
    // Envoy's access log names the exchange of an attempt by this id. With an id from the client, one request could
    // be mistaken for another.
    'x-request-id': exchange.id,
    'x-envoy-max-retries': String(exchange.plan!.models.length - 1),
    'x-envoy-retry-on': [...on].join(','),
    'x-envoy-upstream-rq-per-try-timeout-ms': String(exchange.tryTimeoutMs),
  };
}
