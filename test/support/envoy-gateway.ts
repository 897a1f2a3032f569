import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { runProgram } from '../../src/local/processes/run-program.js';
import type { Place } from './ways.js';

/*
 * What Envoy Gateway itself makes of our manifests, by `egctl experimental translate`: what it would send to its Envoy, put
 * into a bootstrap, so that a real Envoy can serve with it where there is no cluster of Kubernetes.
 */

type Part = Record<string, ReturnType<typeof JSON.parse>>;

export interface Translated {
  /** The bootstrap of an Envoy. */
  bootstrap: Part;
  /** The conditions which say that a resource was not accepted. */
  complaints: string[];
}

/** Inside a cluster, Envoy Gateway rejects a Backend with a loopback address, so other addresses are used in their place. */
const LOOPBACK = '127.0.0.1';
const STAND_INS = [
  [LOOPBACK, '192.0.2.1'],
  ['localhost', 'localhost.stand-in.example'],
] as const;
const NAMES: Record<string, string> = {
  bootstrap: 'BootstrapConfigDump',
  endpoints: 'EndpointsConfigDump',
  clusters: 'ClustersConfigDump',
  listeners: 'ListenersConfigDump',
  routes: 'RoutesConfigDump',
};

export async function translateWithEgctl(
  egctl: string,
  manifests: string,
  { folder, port, adminSocket }: Place & { folder: string },
): Promise<Translated> {
  const path = join(folder, 'manifests.yaml');
  const all = [manifests, ...gatewayOf(port).map((manifest) => stringify(manifest))].join('---\n');
  await writeFile(
    path,
    STAND_INS.reduce((text, [real, other]) => text.replaceAll(real, other), all),
  );
  const words = ['experimental', 'translate', '--to', 'gateway-api,xds', '-o', 'json'];
  const result = await runProgram(egctl, [...words, '-f', path], { environment: process.env });
  if (result.code !== 0) throw new Error(`egctl: ${result.problem}`);
  const translated = STAND_INS.reduce((text, [real, other]) => text.replaceAll(other, real), result.stdout);
  const { xds, ...resources } = JSON.parse(translated);
  const [gateway] = Object.values<Part>(xds);
  if (gateway === undefined) throw new Error(`egctl made nothing of the Gateway: ${result.stdout}`);
  return {
    bootstrap: withSecrets(bootstrapOf(gateway.configs, adminSocket), manifests),
    complaints: complaintsIn(resources),
  };
}

/** The resources that an operator has in addition to those that we write. */
function gatewayOf(port: number): object[] {
  const group = 'gateway.networking.k8s.io';
  const apiVersion = `${group}/v1`;
  const proxy = { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: 'sluice-edge' };
  return [
    {
      apiVersion,
      kind: 'GatewayClass',
      metadata: { name: 'envoy' },
      spec: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    },
    {
      apiVersion,
      kind: 'Gateway',
      metadata: { name: 'edge' },
      spec: {
        gatewayClassName: 'envoy',
        infrastructure: { parametersRef: proxy },
        listeners: [{ name: 'http', protocol: 'HTTP', port }],
      },
    },
  ];
}

/**
 * Resources that Envoy would fetch over the network are put into the bootstrap, and the connection to the control
 * plane is removed.
 */
function bootstrapOf(configs: Part[], adminSocket: string): Part {
  const dump = (kind: string): Part =>
    configs.find(({ '@type': type }) => String(type).endsWith(`.${NAMES[kind]}`)) ?? {};
  const { bootstrap } = dump('bootstrap');
  const { dynamicResources: _control, clusterManager: _local, ...settings } = bootstrap;
  const endpoints = new Map<string, Part>(
    (dump('endpoints').dynamicEndpointConfigs ?? []).map(({ endpointConfig }: Part) => {
      const { '@type': _type, ...assignment } = endpointConfig;
      return [assignment.clusterName, assignment];
    }),
  );
  const routes = new Map<string, Part>(
    (dump('routes').dynamicRouteConfigs ?? []).map(({ routeConfig }: Part) => {
      const { '@type': _type, ...config } = routeConfig;
      return [config.name, config];
    }),
  );
  const clusters = (dump('clusters').dynamicActiveClusters ?? []).map(({ cluster }: Part) =>
    withEndpoints(cluster, endpoints),
  );
  const listeners = (dump('listeners').dynamicListeners ?? []).map(({ activeState }: Part) =>
    withRoutes(activeState.listener, routes),
  );
  // Envoy Gateway's own listeners, for metrics and readiness, are left out: tests do not call them, and every Envoy
  // would use the same ports.
  const served = listeners.filter(({ name }: Part) => !name.startsWith('envoy-gateway-proxy'));
  return {
    ...settings,
    node: { id: 'gateway', cluster: 'gateway' },
    admin: { address: { pipe: { path: adminSocket, mode: 384 } } },
    staticResources: { clusters, listeners: served },
  };
}

function withEndpoints(
  { '@type': _type, edsClusterConfig, ...cluster }: Part,
  endpoints: Map<string, Part>,
): Part {
  if (edsClusterConfig === undefined) return cluster;
  return { ...cluster, type: 'STATIC', loadAssignment: endpoints.get(edsClusterConfig.serviceName) };
}

function withRoutes({ '@type': _type, ...listener }: Part, routes: Map<string, Part>): Part {
  const chains = [
    ...(listener.filterChains ?? []),
    ...(listener.defaultFilterChain ? [listener.defaultFilterChain] : []),
  ];
  for (const { filters } of chains) {
    for (const { typedConfig } of filters) {
      if (typedConfig.rds === undefined) continue;
      typedConfig.routeConfig = routes.get(typedConfig.rds.routeConfigName) ?? {};
      delete typedConfig.rds;
    }
  }
  const address = { ...listener.address.socketAddress, address: LOOPBACK };
  return { ...listener, address: { socketAddress: address } };
}

/** Adds the certificates of our manifests, which the control plane sends apart from the rest. */
function withSecrets(bootstrap: Part, manifests: string): Part {
  const all = parseAllDocuments(manifests).map((document): Part => document.toJS());
  const ofKind = (kind: string) => all.find((manifest) => manifest.kind === kind);
  const names = new Set<string>();
  const changed = withoutSource(bootstrap, names);
  const text = (inlineString: string) => ({ inlineString });
  changed.staticResources.secrets = [...names].map((name) => {
    if (name.endsWith('-ca')) {
      return { name, validationContext: { trustedCa: text(ofKind('ConfigMap')!.data['ca.crt']) } };
    }
    const { 'tls.crt': certificate, 'tls.key': key } = ofKind('Secret')!.stringData;
    return { name, tlsCertificate: { certificateChain: text(certificate), privateKey: text(key) } };
  });
  return changed;
}

/** Removes the source from references to secrets, so that Envoy looks for the secrets in its bootstrap. */
function withoutSource(value: Part, names: Set<string>): Part {
  if (Array.isArray(value)) return value.map((item) => withoutSource(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const { sdsConfig, ...rest } = value;
  if (sdsConfig !== undefined) names.add(rest.name);
  return Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, withoutSource(item, names)]));
}

const FINE = new Set(['Accepted', 'ResolvedRefs', 'Programmed']);

function complaintsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(complaintsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { conditions = [] } = value as { conditions?: Part[] };
  const own = conditions
    .filter(({ type, status }) => status !== 'True' || !FINE.has(type))
    .map(({ type, status, message }) => `${type} is ${status}: ${message}`);
  return [...own, ...Object.values(value).flatMap(complaintsIn)];
}
