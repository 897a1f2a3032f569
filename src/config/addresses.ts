import type { Environment } from './environment.js';

/** Where the database is, if `MONGODB_URI` does not say otherwise. */
const DEFAULT_MONGODB_URI = 'mongodb://127.0.0.1:27017/sluice';

/** It can hold a password. */
export function mongodbUriOf({ mongodbUri }: Environment): string {
  return mongodbUri?.reveal() ?? DEFAULT_MONGODB_URI;
}

/**
 * Where this machine reaches a port that listens on `host`, an IP address. A wildcard address is no place to call:
 * the loopback one of its kind is.
 */
export function urlOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Where clients reach the gateway, unless told the port on this machine; without a slash at its end. */
export function gatewayUrlOf({ gatewayUrl, host, gatewayPort }: Environment): string {
  return gatewayUrl?.origin ?? urlOf(host, gatewayPort);
}
