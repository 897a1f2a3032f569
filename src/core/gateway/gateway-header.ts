/**
 * Envoy sets it on calls that it forwards to the admin service, which all come from Envoy's own address. A client that
 * sets it itself is counted among Envoy's calls and gains nothing by it.
 */
export const GATEWAY_HEADER = 'x-sluice-gateway';
