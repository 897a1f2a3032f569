import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Provider } from '../core/settings.js';
import { addressOf } from './clusters.js';
import {
  EXCHANGE_NAMESPACE,
  PROVIDER_HEADER,
  providerCluster,
  providerStatistics,
  ROUTE_HEADER,
  ROUTE_NAMESPACE,
} from './names.js';

/*
 * What Envoy Gateway needs to call the engine from routes of its own, with the Envoy that it brings: each provider is a
 * backend with a route, and the engine says which by a header. There is one try; a chain needs `meshes.ts` and Envoy 1.40.
 */

export interface GatewayRoutesOptions {
  /** Of the Gateway. */
  name: string;
  providers: Iterable<Provider>;
  adminUrl: URL;
  /** Of the engine, or of each of its workers. */
  engineSockets: readonly string[];
  /** The largest body of a request, which Envoy keeps until it is whole. */
  requestBodyBytes: number;
}

const GROUP = 'gateway.envoyproxy.io';
const ROUTES_GROUP = 'gateway.networking.k8s.io';
/** An HTTPRoute has sixteen rules at most, and one is for what no provider is named for. */
const PROVIDERS_PER_ROUTE = 15;
const LONGEST_NAME = 63;
/** What the Gateway adds for services of one's own: a provider need not know the client's address. */
const OF_THE_GATEWAY = ['x-envoy-external-address', 'x-forwarded-proto'];
/** Envoy by itself refuses the 1,025th request to a backend. The engine has bounds of its own. */
const UNBOUNDED = {
  maxConnections: 1_000_000,
  maxPendingRequests: 1_000_000,
  maxParallelRequests: 1_000_000,
  maxParallelRetries: 1_000_000,
};

export function renderGatewayRoutes(options: GatewayRoutesOptions): object[] {
  const { name, adminUrl, engineSockets } = options;
  const providers = [...options.providers];
  const routes = inGroups(providers, PROVIDERS_PER_ROUTE).map((group, index) =>
    providerRoute(name, group, index),
  );
  const targets = routes.map(targetOf);
  const admin = adminRoute(name);
  return [
    engineBackend(name, engineSockets),
    backend(`sluice-${name}-admin`, [endpointOf(adminUrl)], adminUrl),
    ...providers.map((provider) => {
      const url = new URL(provider.base_url);
      return backend(backendName(name, provider), [endpointOf(url)], url);
    }),
    filter(`sluice-${name}-host`, { urlRewrite: { hostname: { type: 'Backend' } } }),
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
  // The first is there in any case: lists of models need no provider.
  for (let at = 0; at === 0 || at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

/** Names in Kubernetes are shorter, and have lower-case letters and dashes alone. */
function backendName(gateway: string, provider: Provider): string {
  const wanted = `sluice-${gateway}-${providerStatistics(provider)}`;
  const allowed = wanted.toLowerCase().replaceAll('_', '-').replace(/-+$/, '');
  if (allowed === wanted && wanted.length <= LONGEST_NAME) return wanted;
  const mark = createHash('sha256').update(wanted).digest('hex').slice(0, 8);
  return `${allowed.slice(0, LONGEST_NAME - mark.length - 1)}-${mark}`;
}

/** It speaks gRPC. */
function engineBackend(gateway: string, sockets: readonly string[]): object {
  const { spec, ...rest } = backend(
    `sluice-${gateway}-engine`,
    sockets.map((path) => ({ unix: { path } })),
  );
  return { ...rest, spec: { ...spec, appProtocols: [`${GROUP}/h2c`] } };
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

/** For a request whose provider has no route here: it must not go elsewhere, with the credential that it has by then. */
function noProvider(): object {
  const message = 'The provider is not known to this gateway. Write its manifests again.';
  const error = { message, type: 'server_error', param: null, code: 'upstream_unavailable' };
  const body = { type: 'Inline', inline: JSON.stringify({ error }) };
  return { directResponse: { statusCode: 502, contentType: 'application/json', body } };
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

/** The first of several has the rule for all requests at first: the engine is asked there, and names the provider. */
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
    // The engine keeps the times.
    timeouts: { request: '0s' },
  }));
  if (index === 0) {
    rules.push({ matches: [{ path: ANYWHERE }], filters: [extension(`sluice-${gateway}-nowhere`)] });
  }
  return route(`sluice-${gateway}${index === 0 ? '' : `-${index + 1}`}`, gateway, rules);
}

function extension(name: string): object {
  return { type: 'ExtensionRef', extensionRef: { group: GROUP, kind: 'HTTPRouteFilter', name } };
}

/** Feedback and patches, past the engine. */
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
          backendSettings: { circuitBreaker: UNBOUNDED },
          // The engine keeps the times.
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

/** Without one, a Gateway keeps 32 KiB of a body. A byte more than the engine takes, so that the engine tells the error. */
function clientPolicy(gateway: string, requestBodyBytes: number): object {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'ClientTrafficPolicy',
    metadata: { name: `sluice-${gateway}` },
    spec: {
      targetRefs: [{ group: ROUTES_GROUP, kind: 'Gateway', name: gateway }],
      connection: { bufferLimit: String(requestBodyBytes + 1) },
    },
  };
}
