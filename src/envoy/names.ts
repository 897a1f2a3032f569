import { baseUrl } from '../core/base-url.js';

/*
 * Names that Envoy's configuration and the engine must agree on. A test checks envoy/bootstrap.yaml against this
 * list.
 */

/** Dynamic metadata with the chain of a request, which the priority group specifier reads. */
export const ROUTE_NAMESPACE = 'sluice.route';
/** Dynamic metadata that joins the attempt filter's streams to their exchange. Clients cannot set it. */
export const EXCHANGE_NAMESPACE = 'sluice.exchange';
/**
 * Keys in that namespace: the join key and, for answers that Envoy writes itself, the log id, the client's API and the
 * origin of the page that calls.
 */
export const JOIN_KEY = 'key';
export const LOG_ID_KEY = 'log_id';
export const DIALECT_KEY = 'dialect';
export const PAGE_KEY = 'page';

/** Chooses between the two routes. Envoy removes it before the provider. */
export const ROUTE_HEADER = 'x-sluice-route';
/** Its value where the engine itself makes the tries: Envoy answers at once, and that answer is replaced. */
export const ENGINE_ROUTE = 'engine';
/** The length of the body of the only attempt, where Envoy removed it. No provider gets it by this name. */
export const LENGTH_HEADER = 'x-sluice-length';
/** A body of which the client says that it is no longer goes to the engine together with the headers. In bytes. */
export const SHORT_BODY_BYTES = 65_536;
/** The status of the answer that is replaced. An error, in case an Envoy does not show it to the engine. */
export const READY_STATUS = 503;
/** Chooses the route to a provider, by the name of its cluster, where the Envoy has no chain: it has one for each provider. */
export const PROVIDER_HEADER = 'x-sluice-provider';
/** Envoy's number of an attempt, from 1 on. No provider gets it. */
export const ATTEMPT_HEADER = 'x-envoy-attempt-count';
/** On a judged answer: try the next model. */
export const RETRY_HEADER = 'x-sluice-retry';

/** gRPC metadata that tells which filter opened a stream. Where there is none, the Envoy has no chain. */
export const FILTER_METADATA = 'x-sluice-filter';

/**
 * Envoy's cluster of a provider. A provider that moves to another host gets another cluster, so that a request for
 * the old one, above all its credential, never reaches the new one.
 */
export function providerCluster(provider: { name: string; base_url: string }): string {
  return `${providerStatistics(provider)}@${baseUrl(provider).origin}`;
}

/** The name of a provider in Envoy's statistics, wherever the provider is. */
export function providerStatistics(provider: { name: string }): string {
  return `provider-${provider.name}`;
}

/** Envoy's clusters of the engine: for the gateway's filter, for the attempt filter, and of each worker. */
export const ENGINE_CLUSTER = 'engine';
export const ATTEMPTS_CLUSTER = 'engine-attempts';

export function workerCluster(worker: number): string {
  return `${ENGINE_CLUSTER}-${worker}`;
}

/** The value of ROUTE_HEADER for a chain of models. Each attempt goes to the worker that took the request. */
export function chainRoute(worker?: number): string {
  return worker === undefined ? 'chain' : `chain-${worker}`;
}

/** File and socket names below the data directory. */
export function engineSocket(worker?: number): string {
  return worker === undefined ? 'engine.sock' : `engine-${worker}.sock`;
}
export const CLUSTERS_FOLDER = 'envoy';
export const CLUSTERS_FILE = 'clusters.yaml';
export const ENVOY_ADMIN_SOCKET = 'envoy-admin.sock';
/** Written by `sluice drain` when no request is in flight any more, for the program that ends Envoy. */
export const DRAINED_FILE = 'drained';
