import { baseUrl } from '../core/base-url.js';

/*
 * Names on which Envoy's configuration and the engine must agree. A test compares envoy/bootstrap.yaml with this
 * list.
 */

/** The dynamic metadata with the chain of models of a request. Envoy's priority group specifier reads it. */
export const ROUTE_NAMESPACE = 'sluice.route';
/** The dynamic metadata that joins the attempt filter's streams to their exchange. Clients cannot set it. */
export const EXCHANGE_NAMESPACE = 'sluice.exchange';
/**
 * Keys in that namespace: the join key and, for answers that Envoy writes itself, the log id, the client's API and the
 * origin of the page that calls.
 */
export const JOIN_KEY = 'key';
export const LOG_ID_KEY = 'log_id';
export const DIALECT_KEY = 'dialect';
export const PAGE_KEY = 'page';

/** The header that chooses between the two routes. Envoy removes it before the request goes to a provider. */
export const ROUTE_HEADER = 'x-sluice-route';
/**
 * The value of ROUTE_HEADER where the engine makes the attempts: Envoy answers at once, and the engine replaces that
 * answer.
 */
export const ENGINE_ROUTE = 'engine';
/**
 * The body's length in a request with a single attempt, because Envoy removes content-length. No provider gets a
 * header of this name.
 */
export const LENGTH_HEADER = 'x-sluice-length';
/**
 * A body of at most this many bytes, by the client's content-length, goes to the engine together with the headers. Envoy keeps such a
 * body until it is complete, also for a client without a key, and for each stream that the client may open.
 */
export const SHORT_BODY_BYTES = 16_384;
/**
 * The status of the answer that the engine replaces. It is an error, in case an Envoy does not show the answer to the
 * engine.
 */
export const READY_STATUS = 503;
/**
 * The header that chooses the route to a provider by the name of its cluster, for an Envoy without chains, which has
 * a route for each provider.
 */
export const PROVIDER_HEADER = 'x-sluice-provider';
/** The header in which Envoy counts attempts, from 1 on. No provider gets it. */
export const ATTEMPT_HEADER = 'x-envoy-attempt-count';
/** The header on a judged answer that makes Envoy try the next model. */
export const RETRY_HEADER = 'x-sluice-retry';

/** The gRPC metadata that says which filter opened a stream. An Envoy without chains does not send it. */
export const FILTER_METADATA = 'x-sluice-filter';

/**
 * The name of a provider's cluster in Envoy. A provider that moves to another host gets another cluster, so that a
 * request for the old host, and its credential, never reaches the new one.
 */
export function providerCluster(provider: { name: string; base_url: string }): string {
  return `${providerStatistics(provider)}@${baseUrl(provider).origin}`;
}

/** The name of a provider in Envoy's statistics, wherever the provider is. */
export function providerStatistics(provider: { name: string }): string {
  return `provider-${provider.name}`;
}

/**
 * The names of the engine's clusters in Envoy: for the gateway filter, for the attempt filter, and for each worker.
 */
export const ENGINE_CLUSTER = 'engine';
export const ATTEMPTS_CLUSTER = 'engine-attempts';

export function workerCluster(worker: number): string {
  return `${ENGINE_CLUSTER}-${worker}`;
}

/** The value of ROUTE_HEADER for a chain of models. Each attempt goes to the worker that took the request. */
export function chainRoute(worker?: number): string {
  return worker === undefined ? 'chain' : `chain-${worker}`;
}

/** The names of files and sockets in the data directory. */
export function engineSocket(worker?: number): string {
  return worker === undefined ? 'engine.sock' : `engine-${worker}.sock`;
}
export const CLUSTERS_FOLDER = 'envoy';
export const CLUSTERS_FILE = 'clusters.yaml';
export const ENVOY_ADMIN_SOCKET = 'envoy-admin.sock';
/**
 * The file that `sluice drain` writes when no request is in flight any more. The program that ends Envoy waits for
 * it.
 */
export const DRAINED_FILE = 'drained';
