import { parse } from 'yaml';
import type { Provider } from '../core/settings.js';
import {
  ATTEMPTS_CLUSTER,
  ENGINE_ROUTE,
  PROVIDER_HEADER,
  providerCluster,
  READY_STATUS,
  ROUTE_HEADER,
} from './names.js';
import { named } from './workers.js';

/** A part of Envoy's configuration. Only the members that are used here are checked. */
export type Part = Record<string, ReturnType<typeof JSON.parse>>;

const ADMIN_CLUSTER = 'admin';

/**
 * The body of the answer that Envoy gives by itself where the engine makes the attempts. The engine replaces it. A
 * client sees it only where Envoy's bootstrap lacks the setting that shows such answers to the engine.
 */
export const READY_BODY = JSON.stringify({
  error: {
    message:
      'This Envoy does not show the engine its own answers: its bootstrap lacks the settings of "sluice envoy-config".',
    type: 'server_error',
    param: null,
    code: 'engine_unavailable',
  },
});

/**
 * The bootstrap for an Envoy without chains of models, such as one before 1.40, which has no priority group
 * specifier. Each provider has a route, and the engine names the route of a request. The attempts of a chain are made
 * by the engine. It recognizes such an Envoy because its streams do not name their filter.
 */
export function withEngineChains(bootstrap: string, providers: Iterable<Provider>): Part {
  const changed: Part = parse(bootstrap);
  const manager: Part = changed.static_resources.listeners[0].filter_chains[0].filters[0].typed_config;
  const gateway = named(manager.http_filters, 'gateway');
  const router = named(manager.http_filters, 'envoy.filters.http.router');
  manager.http_filters = [gateway, router];
  delete gateway.typed_config.grpc_service.initial_metadata;
  delete router.typed_config.upstream_http_filters;
  delete router.typed_config.upstream_log;
  const { clusters } = changed.static_resources;
  changed.static_resources.clusters = clusters.filter(({ name }: Part) => name !== ATTEMPTS_CLUSTER);
  if (manager.tracing !== undefined) manager.tracing = knownToAll(manager.tracing);
  const config: Part = manager.route_config;
  const [host] = config.virtual_hosts;
  delete host.include_request_attempt_count;
  const adminRoutes = host.routes.filter(({ route }: Part) => route?.cluster === ADMIN_CLUSTER);
  for (const { typed_per_filter_config: filters } of adminRoutes) delete filters.attempt;
  host.routes = [...adminRoutes, TO_ENGINE, ...Array.from(providers, routeTo), NOWHERE];
  config.request_headers_to_remove = [...config.request_headers_to_remove, PROVIDER_HEADER];
  return changed;
}

/**
 * Leaves out what only later versions of Envoy know: tags with a format (such as the path without its query), and the
 * setting that leaves a client's trace alone.
 */
function knownToAll({ no_context_propagation: _later, ...tracing }: Part): Part {
  const custom_tags = tracing.custom_tags.filter(({ value }: Part) => value === undefined);
  return { ...tracing, custom_tags };
}

function routeTo(provider: Provider): Part {
  const cluster = providerCluster(provider);
  return {
    match: { prefix: '/', headers: [{ name: PROVIDER_HEADER, string_match: { exact: cluster } }] },
    // The engine enforces the timeouts.
    route: { cluster, timeout: '0s', auto_host_rewrite: true },
  };
}

/**
 * The engine replaces this answer by that of a model. It needs a body, because Envoy lets a filter replace a body but
 * not add one.
 */
const TO_ENGINE = {
  match: { prefix: '/', headers: [{ name: ROUTE_HEADER, string_match: { exact: ENGINE_ROUTE } }] },
  direct_response: { status: READY_STATUS, body: { inline_string: READY_BODY } },
};

/**
 * A request for a provider without a route must not reach another provider, because it already carries the
 * credential.
 */
const NOWHERE = {
  match: { prefix: '/' },
  direct_response: { status: 502, body: { inline_string: 'The provider is not known to this Envoy.' } },
};
