import { parse, stringify } from 'yaml';
import type { Provider } from '../core/settings.js';
import { renderClusters } from './clusters.js';
import { type Part, withEngineChains } from './engine-chains.js';
import { type MeshOptions, renderGatewayRoutes } from './envoy-gateway.js';
import { type RemoteEngine, toRemoteEngine } from './remote-engine.js';

/* The same listener and clusters as in the bootstrap, in the words of who controls the Envoy that is there already. */

/** The key that Istio's sidecars read of the ConfigMap in their annotation `sidecar.istio.io/bootstrapOverride`. */
const ISTIO_BOOTSTRAP_KEY = 'custom_bootstrap.json';

export type Mesh = 'istio' | 'envoy-gateway';

interface Resource {
  name: string;
  [key: string]: unknown;
}

interface Resources {
  listeners: Resource[];
  clusters: Resource[];
  /** Settings of Envoy itself that the engine needs. */
  bootstrap: object;
}

/**
 * Manifests for Kubernetes. The bootstrap is that of `renderBootstrap`. With Istio its listener is added to the sidecars of a
 * workload; with Envoy Gateway routes of the Gateway's own listener ask the engine. Neither needs an Envoy with the chain.
 */
export function renderForMesh(mesh: Mesh, bootstrap: string, options: MeshOptions): string {
  const { name, providers, remoteEngine } = options;
  const own = withEngineChains(bootstrap, providers);
  const resources = resourcesOf(
    remoteEngine === undefined ? own : toRemoteEngine(own, remoteEngine),
    providers,
  );
  if (mesh === 'istio') return print(istio(resources, name));
  return print([...renderGatewayRoutes(options), envoyProxy(resources.bootstrap, name)]);
}

function print(manifests: object[]): string {
  return manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false })).join('---\n');
}

/**
 * The bootstrap of an Envoy of ours whose engines are elsewhere. There is one stream for each request, so any of them may take
 * it; and what is written here is all that the Envoy knows of providers.
 */
export function renderForRemoteEngine(
  bootstrap: string,
  providers: Iterable<Provider>,
  engine: RemoteEngine,
): string {
  const all = [...providers];
  const changed = toRemoteEngine(withEngineChains(bootstrap, all), engine);
  delete changed.dynamic_resources;
  changed.static_resources.clusters = resourcesOf(changed, all).clusters;
  return stringify(changed, { aliasDuplicateObjects: false });
}

function resourcesOf(bootstrap: Part, providers: Iterable<Provider>): Resources {
  const { static_resources: known, layered_runtime, grpc_async_client_manager_config } = bootstrap;
  const written: Resource[] = parse(renderClusters(providers)).resources;
  return {
    // A listener of Istio may be called as ours is.
    listeners: known.listeners.map((listener: Resource) => ({
      ...listener,
      name: `sluice-${listener.name}`,
    })),
    clusters: [...known.clusters, ...written.map(({ '@type': _type, ...cluster }) => cluster)],
    bootstrap: { layered_runtime: withLocalReplies(layered_runtime), grpc_async_client_manager_config },
  };
}

/**
 * Envoy 1.36 hides from the engine what Envoy answers by itself, unless it is told otherwise. Later ones never do: they ignore
 * this setting, and say so in their log when they start.
 */
function withLocalReplies(runtime: Part): Part {
  const [{ static_layer, ...layer }, ...rest] = runtime.layers;
  const shown = { ...static_layer, 'envoy.reloadable_features.skip_ext_proc_on_local_reply': false };
  return { ...runtime, layers: [{ ...layer, static_layer: shown }, ...rest] };
}

/**
 * Added as a whole to the sidecars of one workload. Settings of Envoy itself go into the bootstrap that a sidecar starts with:
 * its agent reads them from a ConfigMap that the pods name, since Istio no longer patches bootstraps.
 */
function istio({ listeners, clusters, bootstrap }: Resources, name: string): object[] {
  const match = { context: 'SIDECAR_OUTBOUND' };
  const adding = (applyTo: string) => (value: Resource) => ({
    applyTo,
    match,
    patch: { operation: 'ADD', value },
  });
  // A label may contain characters that the name of a resource may not.
  const resource = `sluice-${name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')}`;
  return [
    {
      apiVersion: 'networking.istio.io/v1alpha3',
      kind: 'EnvoyFilter',
      metadata: { name: resource },
      spec: {
        workloadSelector: { labels: { 'app.kubernetes.io/name': name } },
        configPatches: [...listeners.map(adding('LISTENER')), ...clusters.map(adding('CLUSTER'))],
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${resource}-bootstrap` },
      data: { [ISTIO_BOOTSTRAP_KEY]: JSON.stringify(bootstrap) },
    },
  ];
}

/** What the engine needs of the Gateway's Envoys, in the bootstrap that they start with. */
function envoyProxy(bootstrap: object, name: string): object {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: { name: `sluice-${name}` },
    spec: { bootstrap: { type: 'Merge', value: stringify(bootstrap) } },
  };
}
