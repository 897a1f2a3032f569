import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { GATEWAY_HEADER } from '../core/gateway/gateway-header.js';
import type { Provider } from '../core/settings.js';
import { addressOf } from './clusters.js';
import { READY_BODY } from './engine-chains.js';
import {
  ENGINE_ROUTE,
  EXCHANGE_NAMESPACE,
  PROVIDER_HEADER,
  providerCluster,
  providerStatistics,
  READY_STATUS,
  ROUTE_HEADER,
  ROUTE_NAMESPACE,
} from './names.js';
import type { RemoteEngine } from './remote-engine.js';

/*
 * The resources that Envoy Gateway needs so that its own Envoy calls the engine on its own routes. Each provider is a
 * backend with a route, and the engine chooses the route by a header. The attempts of a chain of models are made by
 * the engine.
 */

export interface MeshOptions {
  /** With Envoy Gateway, the name of the Gateway; with Istio, the workload's label `app.kubernetes.io/name`. */
  name: string;
  providers: Iterable<Provider>;
  adminUrl: URL;
  /** The sockets of the engine, or of each of its workers, where the engine runs beside Envoy. */
  engineSockets: readonly string[];
  /** The largest request body. Envoy buffers it completely. */
  requestBodyBytes: number;
  /** The engines to call over the network, where none runs beside Envoy. */
  remoteEngine?: RemoteEngine & { texts?: EngineTexts };
}

/** The content of the certificate files that `RemoteEngine.tls` names. Kubernetes needs it inside its resources. */
export interface EngineTexts {
  ca: string;
  client?: { cert: string; key: string };
}

const GROUP = 'gateway.envoyproxy.io';
const ROUTES_GROUP = 'gateway.networking.k8s.io';
/** An HTTPRoute has at most sixteen rules, and the first route has two that are not for providers. */
const PROVIDERS_PER_ROUTE = 14;
const LONGEST_NAME = 63;
/** Headers that the Gateway adds for its own services. A provider must not learn the client's address. */
const OF_THE_GATEWAY = ['x-envoy-external-address', 'x-forwarded-proto'];
/** By default Envoy refuses the 1,025th concurrent request to a backend. The engine has limits of its own. */
const UNBOUNDED = {
  maxConnections: 1_000_000,
  maxPendingRequests: 1_000_000,
  maxParallelRequests: 1_000_000,
  maxParallelRetries: 1_000_000,
};

export function renderGatewayRoutes(options: MeshOptions): object[] {
  const { name, adminUrl, engineSockets, remoteEngine } = options;
  const providers = [...options.providers];
  const routes = inGroups(providers, PROVIDERS_PER_ROUTE).map((group, index) =>
    providerRoute(name, group, index),
  );
  const targets = routes.map(targetOf);
  const admin = adminRoute(name);
  return [
    ...(remoteEngine === undefined
      ? [
          engineBackend(
            name,
            engineSockets.map((path) => ({ unix: { path } })),
          ),
        ]
      : remoteEngineOf(name, remoteEngine)),
    backend(`sluice-${name}-admin`, [endpointOf(adminUrl)], adminUrl),
    ...providers.map((provider) => {
      const url = new URL(provider.base_url);
      return backend(backendName(name, provider), [endpointOf(url)], url);
    }),
    filter(`sluice-${name}-host`, { urlRewrite: { hostname: { type: 'Backend' } } }),
    filter(`sluice-${name}-chain`, directResponse(READY_STATUS, 'application/json', READY_BODY)),
    filter(`sluice-${name}-nowhere`, noProvider()),
    ...routes,
    admin,
    extensionPolicy(name, targets),
    trafficPolicy(name, [...targets, targetOf(admin)]),
    clientPolicy(name, options.requestBodyBytes),
  ];
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = [];
  // The first route always exists, because `GET /models` works without a provider.
  for (let at = 0; at === 0 || at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

/**
 * The name of a provider's backend. Names in Kubernetes are short and have only lower-case letters, digits and
 * dashes.
 */
function backendName(gateway: string, provider: Provider): string {
  const wanted = `sluice-${gateway}-${providerStatistics(provider)}`;
  const allowed = wanted.toLowerCase().replaceAll('_', '-').replace(/-+$/, '');
  if (allowed === wanted && wanted.length <= LONGEST_NAME) return wanted;
  const mark = createHash('sha256').update(wanted).digest('hex').slice(0, 8);
  return `${allowed.slice(0, LONGEST_NAME - mark.length - 1)}-${mark}`;
}

/** The backend of the engine, which speaks gRPC. */
function engineBackend(gateway: string, endpoints: object[], tls?: object): object {
  const { spec, ...rest } = backend(`sluice-${gateway}-engine`, endpoints);
  return {
    ...rest,
    spec: { ...spec, appProtocols: [`${GROUP}/h2c`], ...(tls === undefined ? {} : { tls }) },
  };
}

/**
 * The backend of engines on the network, with the certificates for mutual TLS: a ConfigMap with the authority that
 * signs the engines' certificates, and a Secret with the certificate that Envoy shows them.
 */
function remoteEngineOf(
  gateway: string,
  { host, port, texts }: RemoteEngine & { texts?: EngineTexts },
): object[] {
  const endpoints = [isIP(host) === 0 ? { fqdn: { hostname: host, port } } : { ip: { address: host, port } }];
  if (texts === undefined) return [engineBackend(gateway, endpoints)];
  const authority = `sluice-${gateway}-engine-ca`;
  const client = `sluice-${gateway}-engine-client`;
  const { cert, key } = texts.client ?? {};
  const tls = {
    caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: authority }],
    sni: host,
    ...(texts.client === undefined
      ? {}
      : { clientCertificateRef: { group: '', kind: 'Secret', name: client } }),
  };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: authority }, data: { 'ca.crt': texts.ca } },
    ...(texts.client === undefined
      ? []
      : [
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: client },
            type: 'kubernetes.io/tls',
            stringData: { 'tls.crt': cert, 'tls.key': key },
          },
        ]),
    engineBackend(gateway, endpoints, tls),
  ];
}

function backend(name: string, endpoints: object[], url?: URL) {
  const tls = url?.protocol === 'https:';
  const host = url === undefined ? '' : addressOf(url).host;
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Backend',
    metadata: { name },
    spec: {
      endpoints,
      ...(tls
        ? { tls: { wellKnownCACertificates: 'System', ...(isIP(host) === 0 ? { sni: host } : {}) } }
        : {}),
    },
  };
}

function endpointOf(url: URL): object {
  const { host, port } = addressOf(url);
  return isIP(host) === 0 ? { fqdn: { hostname: host, port } } : { ip: { address: host, port } };
}

function filter(name: string, spec: object): object {
  return { apiVersion: `${GROUP}/v1alpha1`, kind: 'HTTPRouteFilter', metadata: { name }, spec };
}

/**
 * The answer for a request whose provider has no route. The request must not go elsewhere, because it already carries
 * the provider's credential.
 */
function noProvider(): object {
  const message = 'The provider is not known to this gateway. Write its manifests again.';
  const error = { message, type: 'server_error', param: null, code: 'upstream_unavailable' };
  return directResponse(502, 'application/json', JSON.stringify({ error }));
}

function directResponse(statusCode: number, contentType: string, inline: string): object {
  return { directResponse: { statusCode, contentType, body: { type: 'Inline', inline } } };
}

function route(name: string, gateway: string, rules: object[]) {
  return {
    apiVersion: `${ROUTES_GROUP}/v1`,
    kind: 'HTTPRoute',
    metadata: { name },
    spec: { parentRefs: [{ name: gateway }], rules },
  };
}

const ANYWHERE = { type: 'PathPrefix', value: '/' };

/**
 * The route of some providers. The first route also has the rule for all incoming requests, at which the engine is
 * called and names the provider.
 */
function providerRoute(gateway: string, providers: readonly Provider[], index: number) {
  const rules: object[] = providers.map((provider) => ({
    matches: [{ path: ANYWHERE, headers: [{ name: PROVIDER_HEADER, value: providerCluster(provider) }] }],
    filters: [
      {
        type: 'RequestHeaderModifier',
        requestHeaderModifier: { remove: [PROVIDER_HEADER, ROUTE_HEADER, ...OF_THE_GATEWAY] },
      },
      extension(`sluice-${gateway}-host`),
    ],
    backendRefs: [{ group: GROUP, kind: 'Backend', name: backendName(gateway, provider) }],
    // The engine enforces the timeouts.
    timeouts: { request: '0s' },
  }));
  if (index === 0) {
    const chains = [{ path: ANYWHERE, headers: [{ name: ROUTE_HEADER, value: ENGINE_ROUTE }] }];
    rules.push({ matches: chains, filters: [extension(`sluice-${gateway}-chain`)] });
    rules.push({ matches: [{ path: ANYWHERE }], filters: [extension(`sluice-${gateway}-nowhere`)] });
  }
  return route(`sluice-${gateway}${index === 0 ? '' : `-${index + 1}`}`, gateway, rules);
}

function extension(name: string): object {
  return { type: 'ExtensionRef', extensionRef: { group: GROUP, kind: 'HTTPRouteFilter', name } };
}

/** Sends feedback and changes of logs directly to the admin service, without the engine. */
function adminRoute(gateway: string) {
  const match = (method: string, value: string) => ({
    method,
    path: { type: 'RegularExpression', value },
  });
  return route(`sluice-${gateway}-admin`, gateway, [
    {
      matches: [
        match('POST', '/[^/]+/feedback/(by-request/)?[^/]+/*'),
        match('PATCH', '(/[^/]+)?/log/[^/]+/*'),
      ],
      filters: [
        {
          type: 'RequestHeaderModifier',
          requestHeaderModifier: { set: [{ name: GATEWAY_HEADER, value: '1' }] },
        },
      ],
      backendRefs: [{ group: GROUP, kind: 'Backend', name: `sluice-${gateway}-admin` }],
      timeouts: { request: '30s' },
    },
  ]);
}

function targetOf({ metadata }: { metadata: { name: string } }): object {
  return { group: ROUTES_GROUP, kind: 'HTTPRoute', name: metadata.name };
}

function extensionPolicy(gateway: string, targetRefs: readonly object[]): object {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'EnvoyExtensionPolicy',
    metadata: { name: `sluice-${gateway}` },
    spec: {
      targetRefs,
      extProc: [
        {
          backendRefs: [{ group: GROUP, kind: 'Backend', name: `sluice-${gateway}-engine` }],
          // Where an engine does not answer or is shutting down, the request goes to another engine: nothing of it
          // was read yet.
          backendSettings: {
            circuitBreaker: UNBOUNDED,
            retry: { numRetries: 2, retryOn: { triggers: ['connect-failure', 'refused-stream'] } },
            // An engine that hangs or whose machine is gone is noticed within seconds. Otherwise requests would wait
            // for it without end.
            timeout: { tcp: { connectTimeout: '1s' } },
            http2: { connectionKeepalive: { interval: '5s', timeout: '4s' } },
          },
          // The engine enforces the timeouts.
          messageTimeout: '1h',
          processingMode: {
            request: { body: 'Buffered' },
            response: { body: 'FullDuplexStreamed', attributes: ['response.code_details'] },
          },
          metadata: { writableNamespaces: [ROUTE_NAMESPACE, EXCHANGE_NAMESPACE] },
          failOpen: false,
          statusOnError: 503,
        },
      ],
    },
  };
}

function trafficPolicy(gateway: string, targetRefs: readonly object[]): object {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'BackendTrafficPolicy',
    metadata: { name: `sluice-${gateway}` },
    spec: { targetRefs, circuitBreaker: UNBOUNDED },
  };
}

/**
 * The limits for clients. Without a buffer limit a Gateway accepts only 32 KiB of a body. The limit is one byte more
 * than the engine accepts, so that the engine itself reports a body that is too large. The same limit decides how
 * much Envoy reads of one connection before it serves others, so the HTTP/2 window limits what a client may send
 * before it is read, as in our own bootstrap.
 */
function clientPolicy(gateway: string, requestBodyBytes: number): object {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'ClientTrafficPolicy',
    metadata: { name: `sluice-${gateway}` },
    spec: {
      targetRefs: [{ group: ROUTES_GROUP, kind: 'Gateway', name: gateway }],
      connection: { bufferLimit: String(requestBodyBytes + 1) },
      http2: { initialConnectionWindowSize: '256Ki' },
    },
  };
}
