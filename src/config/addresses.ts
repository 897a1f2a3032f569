import type { Environment } from './environment.js';

/** The address of the database where `MONGODB_URI` is not set. */
const DEFAULT_MONGODB_URI = 'mongodb://127.0.0.1:27017/sluice';

/** The URI of the database. It can contain a password. */
export function mongodbUriOf({ mongodbUri }: Environment): string {
  return mongodbUri?.reveal() ?? DEFAULT_MONGODB_URI;
}

/**
 * The URL at which this machine reaches a port that listens on the IP address `host`. A wildcard address cannot be
 * called, so the loopback address of the same kind is used.
 */
export function urlOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** The URL at which clients reach the gateway; by default the port on this machine. Without a trailing slash. */
export function gatewayUrlOf({ gatewayUrl, host, gatewayPort }: Environment): string {
  return gatewayUrl?.origin ?? urlOf(host, gatewayPort);
}
