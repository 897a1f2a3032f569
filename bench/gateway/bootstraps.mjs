export const TYPE = 'type.googleapis.com/envoy.extensions';

/** An Envoy that passes all requests to the provider, and nothing else. */
export function bareConfig({ port, providerPort }) {
  return bootstrap(
    port,
    [],
    [cluster('provider', { socket_address: { address: '127.0.0.1', port_value: providerPort } })],
  );
}

/** An Envoy that asks an engine on `socket` about everything. */
export function noopConfig({ port, providerPort, socket }) {
  const filter = {
    name: 'noop',
    typed_config: {
      '@type': `${TYPE}.filters.http.ext_proc.v3.ExternalProcessor`,
      grpc_service: { envoy_grpc: { cluster_name: 'engine' }, timeout: '0s' },
      processing_mode: {
        request_header_mode: 'SEND',
        response_header_mode: 'SEND',
        request_body_mode: 'FULL_DUPLEX_STREAMED',
        response_body_mode: 'FULL_DUPLEX_STREAMED',
        request_trailer_mode: 'SEND',
        response_trailer_mode: 'SEND',
      },
    },
  };
  const engine = {
    ...cluster('engine', { pipe: { path: socket } }),
    ...protocol({ explicit_http_config: { http2_protocol_options: {} } }),
  };
  return bootstrap(
    port,
    [filter],
    [cluster('provider', { socket_address: { address: '127.0.0.1', port_value: providerPort } }), engine],
  );
}

/** The part of a cluster that says how Envoy speaks HTTP to it. */
export function protocol(options) {
  return {
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': `${TYPE}.upstreams.http.v3.HttpProtocolOptions`,
        ...options,
      },
    },
  };
}

export function cluster(name, address) {
  return {
    name,
    type: 'STATIC',
    load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
  };
}

const TO_PROVIDER = [{ match: { prefix: '/' }, route: { cluster: 'provider', timeout: '0s' } }];

/** A bootstrap with one listener. Without `routes`, all requests go to the provider. */
export function bootstrap(port, filters, clusters, routes = TO_PROVIDER) {
  const manager = {
    '@type': `${TYPE}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'bench',
    route_config: {
      virtual_hosts: [{ name: 'all', domains: ['*'], routes }],
    },
    http_filters: [
      ...filters,
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': `${TYPE}.filters.http.router.v3.Router` },
      },
    ],
  };
  return {
    layered_runtime: {
      layers: [
        { name: 'static', static_layer: { 'envoy.reloadable_features.ext_proc_graceful_grpc_close': true } },
      ],
    },
    static_resources: {
      listeners: [
        {
          name: 'bench',
          address: { socket_address: { address: '127.0.0.1', port_value: port } },
          filter_chains: [
            { filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }] },
          ],
        },
      ],
      clusters,
    },
  };
}
