import { parse } from 'yaml';
import type { Provider } from '../core/settings.js';
import { PROVIDER_HEADER, providerCluster } from './names.js';

/** A part of Envoy's configuration, as far as it is looked at here. */
type Part = Record<string, ReturnType<typeof JSON.parse>>;

const ADMIN_CLUSTER = 'admin';

/**
 * The bootstrap for an Envoy before 1.40, which has no priority group specifier: each provider has a route, and the engine
 * names one of them. The engine knows such an Envoy by streams that do not name their filter.
 */
export function withoutChain(bootstrap: string, providers: Iterable<Provider>): Part {
  const changed: Part = parse(bootstrap);
  const manager: Part = changed.static_resources.listeners[0].filter_chains[0].filters[0].typed_config;
  const [gateway, router] = manager.http_filters;
  delete gateway.typed_config.grpc_service.initial_metadata;
  delete router.typed_config.upstream_http_filters;
  delete router.typed_config.upstream_log;
  const config: Part = manager.route_config;
  const [host] = config.virtual_hosts;
  const adminRoutes = host.routes.filter(({ route }: Part) => route.cluster === ADMIN_CLUSTER);
  for (const { typed_per_filter_config: filters } of adminRoutes) delete filters.attempt;
  host.routes = [...adminRoutes, ...Array.from(providers, routeTo), NOWHERE];
  config.request_headers_to_remove = [...config.request_headers_to_remove, PROVIDER_HEADER];
  return changed;
}

function routeTo(provider: Provider): Part {
  const cluster = providerCluster(provider);
  return {
    match: { prefix: '/', headers: [{ name: PROVIDER_HEADER, string_match: { exact: cluster } }] },
    // The engine keeps the times.
    route: { cluster, timeout: '0s', auto_host_rewrite: true },
  };
}

/** A provider without a route must not be taken for another one: the request has its credential by then. */
const NOWHERE = {
  match: { prefix: '/' },
  direct_response: { status: 502, body: { inline_string: 'The provider is not known to this Envoy.' } },
};
