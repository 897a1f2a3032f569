import { parseAllDocuments, stringify } from 'yaml';

/*
 * What control planes make of our manifests, as far as these translations go. So a real Envoy can be tested with them
 * without a Kubernetes cluster.
 */

type Part = Record<string, ReturnType<typeof JSON.parse>>;

const TYPE = 'type.googleapis.com/envoy.extensions';
const FILTER = 'envoy.filters.http.ext_proc/envoyextensionpolicy/default/sluice/extproc/0';

const BODY_MODES: Record<string, string> = {
  Buffered: 'BUFFERED',
  FullDuplexStreamed: 'FULL_DUPLEX_STREAMED',
};
/** How much of a body a Gateway buffers by default. */
const BUFFER_LIMIT = 32_768;
/** What Envoy Gateway gives a connection unless it is told otherwise. */
const CONNECTION_WINDOW = '1024Ki';

/** The bootstrap of an Envoy that listens on this port. */
export function translateGateway(
  manifests: string,
  { port, adminSocket }: { port: number; adminSocket: string },
) {
  const all: Part[] = parseAllDocuments(manifests).map((document) => document.toJS());
  const ofKind = (kind: string) => all.filter((manifest) => manifest.kind === kind);
  const [policy] = ofKind('EnvoyExtensionPolicy');
  const asked = new Set(policy!.spec.targetRefs.map(({ name }: Part) => name));
  const filters = new Map(ofKind('HTTPRouteFilter').map(({ metadata, spec }) => [metadata.name, spec]));
  const routes = ofKind('HTTPRoute').flatMap(({ metadata, spec }) =>
    spec.rules.flatMap((rule: Part) =>
      rule.matches.map((match: Part) => routeOf(match, rule, asked.has(metadata.name), filters)),
    ),
  );
  const [proxy] = ofKind('EnvoyProxy');
  const [clients] = ofKind('ClientTrafficPolicy');
  const settings = parseAllDocuments(proxy!.spec.bootstrap.value)[0]!.toJS();
  return stringify(
    {
      ...settings,
      node: { id: 'gateway', cluster: 'gateway' },
      admin: { address: { pipe: { path: adminSocket, mode: 384 } } },
      static_resources: {
        listeners: [
          listener(
            port,
            routes.sort((a, b) => b.weight - a.weight).map(({ route }) => route),
            policy!,
            Number(clients?.spec.connection.bufferLimit ?? BUFFER_LIMIT),
            kibibytes(clients?.spec.http2?.initialConnectionWindowSize ?? CONNECTION_WINDOW),
          ),
        ],
        clusters: ofKind('Backend').map((backend) => clusterOf(backend, all)),
      },
    },
    { aliasDuplicateObjects: false },
  );
}

/** What Istio makes of an EnvoyFilter: the bootstrap of a sidecar with its patches in it. */
export function translateIstio(manifests: string, place: { adminSocket: string }): string {
  const [filter] = parseAllDocuments(manifests).map((document): Part => document.toJS());
  const patches: Part[] = filter!.spec.configPatches;
  const added = (kind: string) =>
    patches.filter(({ applyTo }) => applyTo === kind).map(({ patch }) => patch.value);
  return sidecarOf(manifests, { listeners: added('LISTENER'), clusters: added('CLUSTER') }, place);
}

/** The bootstrap of a sidecar with these listeners and clusters, and the settings that Istio's agent adds. */
export function sidecarOf(
  manifests: string,
  static_resources: { listeners: Part[]; clusters: Part[] },
  { adminSocket }: { adminSocket: string },
): string {
  const all = parseAllDocuments(manifests).map((document): Part => document.toJS());
  const settings = all.find(({ kind, data }) => kind === 'ConfigMap' && 'custom_bootstrap.json' in data);
  return stringify(
    {
      ...JSON.parse(settings!.data['custom_bootstrap.json']),
      node: { id: 'sidecar', cluster: 'mesh' },
      admin: { address: { pipe: { path: adminSocket, mode: 384 } } },
      static_resources,
    },
    { aliasDuplicateObjects: false },
  );
}

/**
 * Routes with a path pattern come before those with a prefix, and routes with more headers before those with fewer.
 */
function routeOf(match: Part, rule: Part, asks: boolean, filters: ReadonlyMap<string, Part>) {
  const { path, headers = [], method } = match;
  const extensions = (rule.filters ?? [])
    .filter(({ type }: Part) => type === 'ExtensionRef')
    .map(({ extensionRef }: Part) => filters.get(extensionRef.name)!);
  const direct = extensions.find((filter: Part) => filter.directResponse !== undefined)?.directResponse;
  const removed = (rule.filters ?? []).flatMap(
    ({ requestHeaderModifier }: Part) => requestHeaderModifier?.remove ?? [],
  );
  const isPattern = path.type === 'RegularExpression';
  const exact = (name: string, value: string) => ({ name, string_match: { exact: value } });
  const route = {
    match: {
      ...(isPattern ? { safe_regex: { regex: path.value } } : { prefix: path.value }),
      headers: [
        ...headers.map(({ name, value }: Part) => exact(name, value)),
        ...(method === undefined ? [] : [exact(':method', method)]),
      ],
    },
    ...(direct === undefined
      ? {
          route: {
            cluster: rule.backendRefs[0].name,
            timeout: rule.timeouts.request,
            auto_host_rewrite: extensions.some((filter: Part) => filter.urlRewrite !== undefined),
          },
        }
      : { direct_response: { status: direct.statusCode, body: { inline_string: direct.body.inline } } }),
    request_headers_to_remove: removed,
    ...(asks
      ? {
          typed_per_filter_config: {
            [FILTER]: { '@type': 'type.googleapis.com/envoy.config.route.v3.FilterConfig', config: {} },
          },
        }
      : {}),
  };
  return { route, weight: (isPattern ? 100 : 0) + headers.length };
}

/** A quantity such as `256Ki`, in bytes. */
function kibibytes(quantity: string): number {
  return Number(quantity.replace(/Ki$/, '')) << 10;
}

function listener(
  port: number,
  routes: object[],
  policy: Part,
  bufferLimit: number,
  windowBytes: number,
): object {
  const [extProc] = policy.spec.extProc;
  const manager = {
    '@type': `${TYPE}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'gateway',
    http2_protocol_options: { initial_connection_window_size: windowBytes },
    route_config: { name: 'routes', virtual_hosts: [{ name: 'all', domains: ['*'], routes }] },
    http_filters: [
      {
        name: FILTER,
        disabled: true,
        typed_config: {
          '@type': `${TYPE}.filters.http.ext_proc.v3.ExternalProcessor`,
          grpc_service: { envoy_grpc: { cluster_name: extProc.backendRefs[0].name } },
          message_timeout: '3600s',
          failure_mode_allow: extProc.failOpen,
          status_on_error: { code: extProc.statusOnError },
          response_attributes: extProc.processingMode.response.attributes,
          metadata_options: { receiving_namespaces: { untyped: extProc.metadata.writableNamespaces } },
          processing_mode: {
            request_header_mode: 'SEND',
            response_header_mode: 'SEND',
            request_body_mode: BODY_MODES[extProc.processingMode.request.body],
            response_body_mode: BODY_MODES[extProc.processingMode.response.body],
            request_trailer_mode: 'SKIP',
            response_trailer_mode: 'SEND',
          },
        },
      },
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': `${TYPE}.filters.http.router.v3.Router` },
      },
    ],
  };
  return {
    name: 'gateway',
    per_connection_buffer_limit_bytes: bufferLimit,
    address: { socket_address: { address: '127.0.0.1', port_value: port } },
    filter_chains: [
      { filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }] },
    ],
  };
}

function clusterOf({ metadata, spec }: Part, all: readonly Part[]): object {
  const speaksHttp2 = spec.appProtocols?.includes('gateway.envoyproxy.io/h2c');
  const lb_endpoints = spec.endpoints.map(({ unix, ip, fqdn }: Part) => {
    const host = ip ?? fqdn;
    const address =
      unix === undefined
        ? { socket_address: { address: ip?.address ?? fqdn.hostname, port_value: host.port } }
        : { pipe: { path: unix.path } };
    return { endpoint: { address, ...(fqdn === undefined ? {} : { hostname: fqdn.hostname }) } };
  });
  return {
    name: metadata.name,
    type: spec.endpoints[0].fqdn === undefined ? 'STATIC' : 'STRICT_DNS',
    dns_lookup_family: 'V4_PREFERRED',
    connect_timeout: '10s',
    load_assignment: { cluster_name: metadata.name, endpoints: [{ lb_endpoints }] },
    ...(spec.tls?.caCertificateRefs === undefined ? {} : { transport_socket: tlsOf(spec.tls, all) }),
    ...(speaksHttp2
      ? {
          typed_extension_protocol_options: {
            'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
              '@type': `${TYPE}.upstreams.http.v3.HttpProtocolOptions`,
              explicit_http_config: { http2_protocol_options: {} },
            },
          },
        }
      : {}),
  };
}

/** The contents that the references of a Backend point to. */
function tlsOf(
  { caCertificateRefs: [authority], clientCertificateRef, sni }: Part,
  all: readonly Part[],
): object {
  const found = (reference: Part) =>
    all.find(({ kind, metadata }) => kind === reference.kind && metadata.name === reference.name)!;
  const text = (inline_string: string) => ({ inline_string });
  const { stringData } = found(clientCertificateRef);
  return {
    name: 'envoy.transport_sockets.tls',
    typed_config: {
      '@type': `${TYPE}.transport_sockets.tls.v3.UpstreamTlsContext`,
      sni,
      common_tls_context: {
        tls_certificates: [
          { certificate_chain: text(stringData['tls.crt']), private_key: text(stringData['tls.key']) },
        ],
        validation_context: {
          trusted_ca: text(found(authority).data['ca.crt']),
          match_typed_subject_alt_names: [{ san_type: 'DNS', matcher: { exact: sni } }],
        },
      },
    },
  };
}
