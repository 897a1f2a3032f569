/**
 * A header that Envoy sets on calls that it forwards to the admin service, because all of them come from Envoy's own
 * address. A client that sets it itself is counted among Envoy's calls, which is no advantage.
 */
export const GATEWAY_HEADER = 'x-sluice-gateway';
