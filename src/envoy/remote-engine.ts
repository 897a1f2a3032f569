import { isIP } from 'node:net';
import { loadAssignment, tlsTo } from './clusters.js';
import type { Part } from './engine-chains.js';
import { ENGINE_CLUSTER } from './names.js';
import { named, retryElsewhere } from './workers.js';

/** Engines that an Envoy reaches over the network, at one address or behind one name. */
export interface RemoteEngine {
  host: string;
  port: number;
  /** Paths of PEM files for TLS; undefined where the connection is not encrypted. */
  tls?: EngineTls;
}

export interface EngineTls {
  /** The certificate of the authority that signs the engines' certificates. */
  ca: string;
  /** The certificate that Envoy shows to the engines. */
  client?: { cert: string; key: string };
}

/**
 * Makes a bootstrap call engines on the network instead of the one beside Envoy. A host name may have many addresses;
 * each counts as an engine.
 */
export function toRemoteEngine(bootstrap: Part, { host, port, tls }: RemoteEngine): Part {
  const changed = structuredClone(bootstrap);
  const { listeners, clusters } = changed.static_resources;
  const engine = named(clusters, ENGINE_CLUSTER);
  const isName = isIP(host) === 0;
  Object.assign(engine, {
    type: isName ? 'STRICT_DNS' : 'STATIC',
    ...(isName ? { dns_lookup_family: 'V4_PREFERRED' } : {}),
    lb_policy: 'LEAST_REQUEST',
    load_assignment: loadAssignment(ENGINE_CLUSTER, { hostname: host, host, port }),
    ...(tls === undefined ? {} : { transport_socket: tlsTo(host, { trusted: tls.ca, client: tls.client }) }),
  });
  const manager: Part = listeners[0].filter_chains[0].filters[0].typed_config;
  named(manager.http_filters, 'gateway').typed_config.grpc_service.retry_policy = retryElsewhere();
  return changed;
}
