import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { renderEnvoyConfig } from '../../../src/commands/envoy-config.js';
import type { Provider } from '../../../src/core/settings.js';
import { renderBootstrap } from '../../../src/envoy/bootstrap.js';
import { renderForMesh, renderWithoutChain } from '../../../src/envoy/meshes.js';
import { providerCluster } from '../../../src/envoy/names.js';
import { crdsOf, GATEWAY_DEFINITIONS } from '../../support/crds.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const crds = await crdsOf(GATEWAY_DEFINITIONS);
const missing = 'missing' in crds ? crds.missing : null;

function provider(name: string, base_url: string): Provider {
  return { name, api: 'openai', base_url, headers: {}, responses: false, prices: {}, forward_headers: [] };
}

const PROVIDERS = [
  provider('plain', 'http://models.internal:9101/v1'),
  provider('Public_One', 'https://api.openai.com/v1'),
  provider('six', 'http://[fd00::1]:9101/v1'),
  provider('address', 'https://10.0.0.1:8443/v1'),
  ...Array.from({ length: 20 }, (_none, index) => provider(`more-${index}`, `https://m${index}.example/v1`)),
];
const adminUrl = new URL('http://sluice-admin:8081');
const bootstrap = renderBootstrap({
  gatewayAddress: '0.0.0.0',
  gatewayPort: 8080,
  adminUrl,
  engineSocket: '/var/lib/sluice/engine.sock',
  envoyAdminSocket: '/var/lib/sluice/envoy-admin.sock',
  clustersFile: '/var/lib/sluice/envoy/clusters.yaml',
});
const engineSockets = ['/var/lib/sluice/engine-1.sock', '/var/lib/sluice/engine-2.sock'];
const read = (text: string) => parseAllDocuments(text).map((document) => document.toJS());
const options = { name: 'edge', adminUrl, engineSockets, requestBodyBytes: 1 << 20 };
const withoutChain = (providers = PROVIDERS) =>
  read(renderWithoutChain('envoy-gateway', bootstrap, { ...options, providers }));

describe.skipIf(missing !== null)(
  `manifests for Envoy Gateway${missing === null ? '' : ` (${missing})`}`,
  () => {
    const check = (manifest: never) => (crds as Exclude<typeof crds, { missing: string }>).check(manifest);

    it.each([
      [
        'with the chain',
        read(renderForMesh('envoy-gateway', bootstrap, { name: 'edge', providers: PROVIDERS })),
      ],
      ['without it', withoutChain()],
      ['without it and without a provider', withoutChain([])],
    ])('fit the definitions of their kinds: %s', (_name, manifests) => {
      for (const manifest of manifests)
        expect(check(manifest as never), JSON.stringify(manifest)).toEqual([]);
    });

    it('would be told of a field that there is not, and of a value that is none', () => {
      const [engine] = withoutChain();
      expect(check({ ...engine, spec: { ...engine.spec, ports: [] } } as never)).not.toEqual([]);
      const policy = withoutChain().find(({ kind }) => kind === 'EnvoyExtensionPolicy');
      policy.spec.extProc[0].processingMode.request.body = 'Whole';
      expect(check(policy as never)).not.toEqual([]);
    });
  },
);

describe('manifests for Envoy Gateway with the chain', () => {
  const manifests = read(renderForMesh('envoy-gateway', bootstrap, { name: 'edge', providers: PROVIDERS }));
  const ofKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind);

  it('hold filters that an Envoy Gateway older than they are does not read', () => {
    const { jsonPatches } = ofKind('EnvoyPatchPolicy').spec;
    const [{ value }] = jsonPatches.map(({ operation }: { operation: object }) => operation);
    const { typed_config } = value.filter_chains[0].filters[0];
    expect(typed_config['@type']).toBe('type.googleapis.com/xds.type.v3.TypedStruct');
    expect(typed_config.type_url).toMatch(/HttpConnectionManager$/);
    expect(typed_config.value.http_filters[0].name).toBe('gateway');
  });

  it.each([
    ['all addresses of its pods', undefined, '0.0.0.0'],
    ['the address that SLUICE_HOST says', '10.0.0.9', '10.0.0.9'],
  ])('listen on %s', async (_where, host, expected) => {
    const directory = await temporaryDirectory();
    const config = join(directory, 'sluice.yaml');
    await writeFile(config, 'projects: []');
    const env = { SLUICE_DATA_DIR: directory, ...(host && { SLUICE_HOST: host }) };
    const text = await renderEnvoyConfig({ config, for: 'envoy-gateway' }, env);
    const [policy] = read(text!);
    const [{ operation }] = policy.spec.jsonPatches;
    expect(operation.value.address.socket_address.address).toBe(expected);
  });

  it('add our port to the Service of the Gateway', () => {
    const { envoyService } = ofKind('EnvoyProxy').spec.provider.kubernetes;
    expect(envoyService.patch.value.spec.ports).toMatchObject([{ port: 8080, targetPort: 8080 }]);
  });
});

describe('manifests for Envoy Gateway without the chain', () => {
  const manifests = withoutChain();
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const rules = ofKind('HTTPRoute').flatMap(({ spec }) => spec.rules);

  it('have one name for each resource, such as Kubernetes takes', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata } of manifests)
      expect(metadata.name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
  });

  it('bring each provider by its cluster to its own backend, at most sixteen rules to a route', () => {
    for (const one of PROVIDERS) {
      const cluster = providerCluster(one);
      const found = rules.filter(({ matches }) => matches[0].headers?.[0].value === cluster);
      expect(found).toHaveLength(1);
      const { name } = found[0].backendRefs[0];
      const { endpoints } = ofKind('Backend').find(({ metadata }) => metadata.name === name).spec;
      expect(JSON.stringify(endpoints)).toContain(new URL(one.base_url).hostname.replace(/^\[|\]$/g, ''));
    }
    for (const { spec } of ofKind('HTTPRoute')) expect(spec.rules.length).toBeLessThanOrEqual(16);
  });

  it('ask the engine on each route that leads to a provider, and let nothing pass without it', () => {
    const [policy] = ofKind('EnvoyExtensionPolicy');
    const asked = policy.spec.targetRefs.map(({ name }: { name: string }) => name);
    const leading = ofKind('HTTPRoute').filter(({ metadata }) => metadata.name !== 'sluice-edge-admin');
    expect(asked).toEqual(leading.map(({ metadata }) => metadata.name));
    expect(policy.spec.extProc[0].failOpen).toBe(false);
  });

  it('bring a request whose provider they do not know nowhere', () => {
    const [first] = ofKind('HTTPRoute');
    const last = first.spec.rules.at(-1);
    expect(last.matches).toEqual([{ path: { type: 'PathPrefix', value: '/' } }]);
    expect(last.backendRefs).toBeUndefined();
    expect(last.filters[0].extensionRef.name).toBe('sluice-edge-nowhere');
  });

  it('set what the engine needs of the Envoy', () => {
    const [proxy] = ofKind('EnvoyProxy');
    expect(proxy.spec.bootstrap.value).toContain('ext_proc_graceful_grpc_close: true');
  });
});
