import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Provider } from '../../../src/core/settings.js';
import { renderBootstrap } from '../../../src/envoy/bootstrap.js';
import { renderForMesh } from '../../../src/envoy/meshes.js';
import { providerCluster } from '../../../src/envoy/names.js';
import { crdsOf, GATEWAY_DEFINITIONS } from '../../support/crds.js';

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
type Part = Record<string, ReturnType<typeof JSON.parse>>;
const read = (text: string) => parseAllDocuments(text).map((document) => document.toJS());
const options = { name: 'edge', adminUrl, engineSockets, requestBodyBytes: 1 << 20 };
const manifestsOf = (providers = PROVIDERS) =>
  read(renderForMesh('envoy-gateway', bootstrap, { ...options, providers }));

describe.skipIf(missing !== null)(
  `manifests for Envoy Gateway${missing === null ? '' : ` (${missing})`}`,
  () => {
    const check = (manifest: never) => (crds as Exclude<typeof crds, { missing: string }>).check(manifest);

    it.each([
      ['with providers', manifestsOf()],
      ['without a provider', manifestsOf([])],
    ])('fit the definitions of their kinds: %s', (_name, manifests) => {
      for (const manifest of manifests)
        expect(check(manifest as never), JSON.stringify(manifest)).toEqual([]);
    });

    it('would be reported with an unknown field, or an invalid value', () => {
      const [engine] = manifestsOf();
      expect(check({ ...engine, spec: { ...engine.spec, ports: [] } } as never)).not.toEqual([]);
      const policy = manifestsOf().find(({ kind }) => kind === 'EnvoyExtensionPolicy');
      policy.spec.extProc[0].processingMode.request.body = 'Whole';
      expect(check(policy as never)).not.toEqual([]);
    });
  },
);

describe('the routes for Envoy Gateway', () => {
  const manifests = manifestsOf();
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const rules = ofKind('HTTPRoute').flatMap(({ spec }) => spec.rules);

  it('have one name for each resource, in a form that Kubernetes accepts', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata } of manifests)
      expect(metadata.name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
  });

  it('lead from each cluster to the backend of its provider, with at most sixteen rules in a route', () => {
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

  it('ask the engine on each route to a provider, and let nothing pass without it', () => {
    const [policy] = ofKind('EnvoyExtensionPolicy');
    const asked = policy.spec.targetRefs.map(({ name }: { name: string }) => name);
    const leading = ofKind('HTTPRoute').filter(({ metadata }) => metadata.name !== 'sluice-edge-admin');
    expect(asked).toEqual(leading.map(({ metadata }) => metadata.name));
    expect(policy.spec.extProc[0].failOpen).toBe(false);
  });

  it('answer by themselves where the engine makes the tries', () => {
    const [first] = ofKind('HTTPRoute');
    const route = first.spec.rules.find(
      ({ matches }: Part) => matches[0].headers?.[0].name === 'x-sluice-route',
    );
    expect(route.matches[0].headers).toEqual([{ name: 'x-sluice-route', value: 'engine' }]);
    const name = route.filters[0].extensionRef.name;
    const filter = ofKind('HTTPRouteFilter').find(({ metadata }) => metadata.name === name);
    expect(filter.spec.directResponse).toMatchObject({ statusCode: 503, body: { type: 'Inline' } });
  });

  it('do not forward a request whose provider they do not know', () => {
    const [first] = ofKind('HTTPRoute');
    const last = first.spec.rules.at(-1);
    expect(last.matches).toEqual([{ path: { type: 'PathPrefix', value: '/' } }]);
    expect(last.backendRefs).toBeUndefined();
    expect(last.filters[0].extensionRef.name).toBe('sluice-edge-nowhere');
  });

  it('set what the engine needs of Envoy', () => {
    const [proxy] = ofKind('EnvoyProxy');
    expect(proxy.spec.bootstrap.value).toContain('ext_proc_graceful_grpc_close: true');
  });
});
