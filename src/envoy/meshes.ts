import { parse, stringify } from 'yaml';
import type { Provider } from '../core/settings.js';
import { renderClusters } from './clusters.js';
import { type GatewayRoutesOptions, renderGatewayRoutes } from './envoy-gateway.js';
import { withoutChain } from './without-chain.js';

/*
 * The same listener and clusters as in the bootstrap, in the words of who controls the Envoy that is there already.
 * That Envoy has to be 1.40 or later: older ones have no priority group specifier, and so no chain.
 */

const TYPED_STRUCT = 'type.googleapis.com/xds.type.v3.TypedStruct';

export type Mesh = 'istio' | 'envoy-gateway';

export interface MeshOptions {
  /** Of the workload's label `app.kubernetes.io/name` (Istio), or of the Gateway (Envoy Gateway). */
  name: string;
  providers: Iterable<Provider>;
}

interface Resource {
  name: string;
  [key: string]: unknown;
}

interface FilterChain {
  filters: { typed_config: { '@type': string } }[];
}

interface Listener extends Resource {
  address: { socket_address: { port_value: number } };
  filter_chains: FilterChain[];
}

interface Resources {
  listeners: Listener[];
  clusters: Resource[];
  /** What the engine needs of the Envoy's own settings. */
  bootstrap: object;
}

/** Manifests for Kubernetes. The bootstrap is that of `renderBootstrap`. */
export function renderForMesh(mesh: Mesh, bootstrap: string, options: MeshOptions): string {
  const resources = resourcesOf(bootstrap, options.providers);
  return print(mesh === 'istio' ? istio(resources, options) : envoyGateway(resources, options));
}

/** The same for an Envoy that has no chain. With Envoy Gateway routes of the Gateway's own ask the engine. */
export function renderWithoutChain(mesh: Mesh, bootstrap: string, options: GatewayRoutesOptions): string {
  const { name, providers } = options;
  if (mesh === 'istio') {
    const changed = stringify(withoutChain(bootstrap, providers), { aliasDuplicateObjects: false });
    return print(istio(resourcesOf(changed, providers), { name, providers }));
  }
  return print([
    ...renderGatewayRoutes(options),
    envoyProxy({ bootstrap: merging(resourcesOf(bootstrap, []).bootstrap) }, options.name),
  ]);
}

function print(manifests: object[]): string {
  return manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false })).join('---\n');
}

function resourcesOf(bootstrap: string, providers: Iterable<Provider>): Resources {
  const { static_resources: known, layered_runtime, grpc_async_client_manager_config } = parse(bootstrap);
  const written: Resource[] = parse(renderClusters(providers)).resources;
  return {
    // A listener of Istio or of a Gateway may be called as ours is.
    listeners: known.listeners.map((listener: Listener) => ({
      ...listener,
      name: `sluice-${listener.name}`,
      filter_chains: listener.filter_chains.map(unread),
    })),
    clusters: [...known.clusters, ...written.map(({ '@type': _type, ...cluster }) => cluster)],
    bootstrap: { layered_runtime, grpc_async_client_manager_config },
  };
}

/**
 * The filters in a form that control planes pass on without reading it. They refuse kinds and fields that are younger than
 * they are, such as the priority group specifier, also where the Envoy knows them.
 */
function unread({ filters, ...chain }: FilterChain): FilterChain {
  return {
    ...chain,
    filters: filters.map(({ typed_config: { '@type': type_url, ...value }, ...filter }) => ({
      ...filter,
      typed_config: { '@type': TYPED_STRUCT, type_url, value },
    })),
  };
}

/** Added whole to the sidecars of one workload; settings go into their bootstrap. */
function istio({ listeners, clusters, bootstrap }: Resources, { name }: MeshOptions): object[] {
  const match = { context: 'SIDECAR_OUTBOUND' };
  const adding = (applyTo: string) => (value: Resource) => ({
    applyTo,
    match,
    patch: { operation: 'ADD', value },
  });
  return [
    {
      apiVersion: 'networking.istio.io/v1alpha3',
      kind: 'EnvoyFilter',
      // A label may have what a resource's name may not.
      metadata: { name: `sluice-${name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')}` },
      spec: {
        workloadSelector: { labels: { 'app.kubernetes.io/name': name } },
        configPatches: [
          { applyTo: 'BOOTSTRAP', patch: { operation: 'MERGE', value: bootstrap } },
          ...listeners.map(adding('LISTENER')),
          ...clusters.map(adding('CLUSTER')),
        ],
      },
    },
  ];
}

/** Resources are added whole by patches with an empty path; settings are part of the proxy's bootstrap. */
function envoyGateway({ listeners, clusters, bootstrap }: Resources, { name }: MeshOptions): object[] {
  const adding = (type: string) => (value: Resource) => ({
    type: `type.googleapis.com/${type}`,
    name: value.name,
    operation: { op: 'add', path: '', value },
  });
  return [
    {
      apiVersion: 'gateway.envoyproxy.io/v1alpha1',
      kind: 'EnvoyPatchPolicy',
      metadata: { name: `sluice-${name}` },
      spec: {
        targetRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name },
        type: 'JSONPatch',
        jsonPatches: [
          ...listeners.map(adding('envoy.config.listener.v3.Listener')),
          ...clusters.map(adding('envoy.config.cluster.v3.Cluster')),
        ],
      },
    },
    envoyProxy({ bootstrap: merging(bootstrap), provider: serving(listeners) }, name),
  ];
}

function envoyProxy(spec: object, name: string): object {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: { name: `sluice-${name}` },
    spec,
  };
}

function merging(bootstrap: object): object {
  return { type: 'Merge', value: stringify(bootstrap) };
}

/** The Service has the ports of the Gateway's own listeners, and ours besides. */
function serving(listeners: readonly Listener[]): object {
  const ports = listeners.map(({ address }) => address.socket_address.port_value);
  const value = {
    spec: {
      ports: ports.map((port) => ({ name: `sluice-${port}`, port, targetPort: port, protocol: 'TCP' })),
    },
  };
  return { type: 'Kubernetes', kubernetes: { envoyService: { patch: { type: 'StrategicMerge', value } } } };
}
