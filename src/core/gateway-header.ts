/**
 * Envoy sets it on calls that it gives to the admin service, which all come from its own address. Who sets it without
 * Envoy is counted among those, and wins nothing by it.
 */
export const GATEWAY_HEADER = 'x-sluice-gateway';
