import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Provider } from '../../../src/core/settings.js';
import { renderBootstrap } from '../../../src/envoy/bootstrap.js';
import { renderForMesh } from '../../../src/envoy/meshes.js';
import { crdsOf, ISTIO_DEFINITIONS } from '../../support/crds.js';

const crds = await crdsOf(ISTIO_DEFINITIONS);
const missing = 'missing' in crds ? crds.missing : null;

const PROVIDERS: Provider[] = ['http://models.internal:9101/v1', 'https://api.openai.com/v1'].map(
  (base_url, index) => ({
    name: `model-${index}`,
    api: 'openai',
    base_url,
    headers: {},
    responses: false,
    prices: {},
    forward_headers: [],
  }),
);
const adminUrl = new URL('http://sluice-admin:8081');
const bootstrap = renderBootstrap({
  gatewayAddress: '127.0.0.1',
  gatewayPort: 8080,
  adminUrl,
  engineSocket: '/var/lib/sluice/engine.sock',
  envoyAdminSocket: '/var/lib/sluice/envoy-admin.sock',
  clustersFile: '/var/lib/sluice/envoy/clusters.yaml',
});
const options = {
  name: 'app',
  providers: PROVIDERS,
  adminUrl,
  engineSockets: ['/var/lib/sluice/engine.sock'],
  requestBodyBytes: 33_554_432,
};

describe.skipIf(missing !== null)(`manifests for Istio${missing === null ? '' : ` (${missing})`}`, () => {
  const check = (manifest: never) => (crds as Exclude<typeof crds, { missing: string }>).check(manifest);

  it('fit the definition of an EnvoyFilter', () => {
    const [filter] = parseAllDocuments(renderForMesh('istio', bootstrap, options)).map((document) =>
      document.toJS(),
    );
    expect(check(filter as never)).toEqual([]);
    const { configPatches } = filter.spec;
    const other = { ...configPatches[0], patch: { ...configPatches[0].patch, operation: 'APPEND' } };
    expect(check({ ...filter, spec: { ...filter.spec, configPatches: [other] } } as never)).not.toEqual([]);
  });

  it('put the settings of Envoy itself where a sidecar reads them, since Istio does not patch the bootstrap', () => {
    const [filter, settings] = parseAllDocuments(renderForMesh('istio', bootstrap, options)).map((document) =>
      document.toJS(),
    );
    const kinds = filter.spec.configPatches.map(({ applyTo }: { applyTo: string }) => applyTo);
    expect(new Set(kinds)).toEqual(new Set(['LISTENER', 'CLUSTER']));
    expect(settings).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'sluice-app-bootstrap' } });
    const { layered_runtime } = JSON.parse(settings.data['custom_bootstrap.json']);
    const { static_layer } = layered_runtime.layers[0];
    expect(static_layer['envoy.reloadable_features.skip_ext_proc_on_local_reply']).toBe(false);
  });
});
