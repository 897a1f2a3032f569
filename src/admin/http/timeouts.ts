const REQUEST_TIMEOUT_MS = 60_000;
/** How often Node looks for requests that took too long; by itself it does every 30 s. */
const TIMEOUT_CHECK_MS = 1_000;

/**
 * Options of a Fastify server. A client that never finishes its request would hold memory forever, and one of the connections
 * that the port has.
 */
export function requestTimeouts(timeoutMs = REQUEST_TIMEOUT_MS) {
  return {
    requestTimeout: timeoutMs,
    // Node takes the longer of the two for the whole request.
    http: { headersTimeout: timeoutMs, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
  };
}
