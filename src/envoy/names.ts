import { baseUrl } from '../core/base-url.js';

/*
 * What Envoy's configuration and the engine must agree on. envoy/bootstrap.yaml is held against this list by a test.
 */

/** Dynamic metadata: the chain of this request, as the priority group specifier reads it. */
export const ROUTE_NAMESPACE = 'sluice.route';
/** Dynamic metadata: joins the attempt filter's streams to their exchange. A client cannot reach it. */
export const EXCHANGE_NAMESPACE = 'sluice.exchange';
/** In that namespace: what joins, and for the answers that Envoy writes by itself the log id and the client's API. */
export const JOIN_KEY = 'key';
export const LOG_ID_KEY = 'log_id';
export const DIALECT_KEY = 'dialect';

/** Chooses between the two routes; Envoy takes it off before the provider. */
export const ROUTE_HEADER = 'x-sluice-route';
/** Its value where the engine itself makes the tries: Envoy answers at once, and that answer is replaced. */
export const ENGINE_ROUTE = 'engine';
/** The status of the answer that is replaced. An error, in case an Envoy does not show it to the engine. */
export const READY_STATUS = 503;
/** Chooses the route to a provider, by the name of its cluster, where the Envoy has no chain: it has one for each provider. */
export const PROVIDER_HEADER = 'x-sluice-provider';
/** On a judged answer: try the next model. */
export const RETRY_HEADER = 'x-sluice-retry';

/** gRPC metadata that tells which filter opened a stream. Where there is none, the Envoy has no chain. */
export const FILTER_METADATA = 'x-sluice-filter';

/**
 * Envoy's cluster of a provider. One that moved to another host has another cluster, so that what was written for
 * the one, its credential above all, never goes to the other.
 */
export function providerCluster(provider: { name: string; base_url: string }): string {
  return `${providerStatistics(provider)}@${baseUrl(provider).origin}`;
}

/** How Envoy's statistics call a provider, wherever it is. */
export function providerStatistics(provider: { name: string }): string {
  return `provider-${provider.name}`;
}

/** Envoy's cluster of the engine: of all its workers, and of one of them. */
export const ENGINE_CLUSTER = 'engine';

export function workerCluster(worker: number): string {
  return `${ENGINE_CLUSTER}-${worker}`;
}

/** The value of ROUTE_HEADER for a chain of models; each try goes to the worker that took the request. */
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
/** Left by `sluice drain` when nothing is under way any more, for what ends Envoy. */
export const DRAINED_FILE = 'drained';
