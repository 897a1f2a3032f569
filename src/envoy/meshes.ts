import { parse, stringify } from 'yaml';
import type { Provider } from '../core/settings.js';
import { renderClusters } from './clusters.js';
import { type Part, withEngineChains } from './engine-chains.js';
import { type MeshOptions, renderGatewayRoutes } from './envoy-gateway.js';
import { type RemoteEngine, toRemoteEngine } from './remote-engine.js';

/*
 * Turns the bootstrap's listener and clusters into resources for the control plane of an existing Envoy: Istio or
 * Envoy Gateway.
 */

/**
 * The key of the ConfigMap that Istio's sidecars read, named by their annotation
 * `sidecar.istio.io/bootstrapOverride`.
 */
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
 * Kubernetes manifests for a mesh, made from the bootstrap of `renderBootstrap`. With Istio, its listener is added to
 * the sidecars of a workload. With Envoy Gateway, routes of the Gateway's own listener call the engine. In both, the
 * engine makes the attempts of a chain of models.
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
 * The bootstrap of an Envoy of ours whose engines run elsewhere. There is one stream for each request, so any of the
 * engines may take it. Such an Envoy knows only the providers that are written here.
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
    // Istio may have a listener of the same name, so ours gets a prefix.
    listeners: known.listeners.map((listener: Resource) => ({
      ...listener,
      name: `sluice-${listener.name}`,
    })),
    clusters: [...known.clusters, ...written.map(({ '@type': _type, ...cluster }) => cluster)],
    bootstrap: { layered_runtime: withLocalReplies(layered_runtime), grpc_async_client_manager_config },
  };
}

/**
 * Envoy 1.36 hides from the engine which answers it created itself, unless this setting is there. Later versions
 * never hide them; they ignore the setting and say so in their log when they start.
 */
function withLocalReplies(runtime: Part): Part {
  const [{ static_layer, ...layer }, ...rest] = runtime.layers;
  const shown = { ...static_layer, 'envoy.reloadable_features.skip_ext_proc_on_local_reply': false };
  return { ...runtime, layers: [{ ...layer, static_layer: shown }, ...rest] };
}

/**
 * The resources for Istio. The listener and clusters are added as a whole to the sidecars of one workload. Settings
 * of Envoy itself belong into the bootstrap of the sidecar: its agent reads them from a ConfigMap that the pods name,
 * because Istio no longer patches bootstraps.
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

/** An EnvoyProxy resource with the settings that the engine needs in the bootstrap of the Gateway's Envoys. */
function envoyProxy(bootstrap: object, name: string): object {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyProxy',
    metadata: { name: `sluice-${name}` },
    spec: { bootstrap: { type: 'Merge', value: stringify(bootstrap) } },
  };
}
