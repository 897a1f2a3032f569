import { inject } from 'vitest';
import type { Mesh } from '../../src/envoy/meshes.js';
import { type OlderVersion, olderEnvoy } from './older-envoy.js';
import { translateGateway, translateIstio } from './translated-gateway.js';

/** Where the Envoy of a test listens. */
export interface Place {
  port: number;
  adminSocket: string;
}

/** An Envoy that a control plane configures with the manifests of `sluice envoy-config`. */
export interface Way {
  name: string;
  /** The value of `--for`. */
  mesh: Mesh | 'standalone';
  binary: string;
  /** The engine is reached over TCP, with certificates on both sides (`--engine …`). */
  isRemote?: true;
  /** Turns the manifests into an Envoy bootstrap, as a control plane does. */
  translate(manifests: string, place: Place): string | Promise<string>;
  /** Why it cannot be tested here; null where it can. */
  missing: string | null;
}

const programsMissing = inject('missing');

export const ISTIO = await olderWay('istio', '1.36.2', translateIstio);
export const ENVOY_GATEWAY = await olderWay('envoy-gateway', '1.38.3', translateGateway);
/** One way for each control plane, each with another version of Envoy. */
export const ONE_OF_EACH: readonly Way[] = [ISTIO, ENVOY_GATEWAY];

/** The remaining pairs of a control plane and a version of Envoy. */
export async function otherWays(): Promise<readonly Way[]> {
  return [
    await olderWay('istio', '1.38.3', translateIstio),
    await olderWay('envoy-gateway', '1.36.2', translateGateway),
    newest('istio', translateIstio),
    newest('envoy-gateway', translateGateway),
  ];
}

/**
 * Ways with an engine on another machine: an Envoy of ours, and one that gets the certificates from Kubernetes
 * resources. A sidecar of Istio needs no way of its own, because Istio adds to it what our Envoy has.
 */
export const REMOTE_WAYS: readonly Way[] = [
  {
    name: 'an Envoy 1.40 of ours, with its engine elsewhere',
    mesh: 'standalone',
    binary: inject('envoyBinary') ?? '',
    missing: programsMissing,
    isRemote: true,
    translate: (bootstrap) => bootstrap,
  },
  remote(ENVOY_GATEWAY),
];

export function remote(way: Way): Way {
  return { ...way, name: `${way.name}, with its engine elsewhere`, isRemote: true };
}

async function olderWay(mesh: Mesh, version: OlderVersion, translate: Way['translate']): Promise<Way> {
  const found = await olderEnvoy(version);
  const missing = programsMissing ?? ('missing' in found ? found.missing : null);
  const binary = 'binary' in found ? found.binary : '';
  return { name: nameOf(mesh, version), mesh, binary, translate, missing };
}

function newest(mesh: Mesh, translate: Way['translate']): Way {
  const binary = inject('envoyBinary') ?? '';
  return { name: nameOf(mesh, '1.40'), mesh, binary, translate, missing: programsMissing };
}

function nameOf(mesh: Mesh, version: string): string {
  return `an Envoy ${version} as ${mesh} configures it`;
}
