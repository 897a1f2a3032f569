import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Provider } from '../../../src/core/settings.js';
import { renderBootstrap } from '../../../src/envoy/bootstrap.js';
import { renderClusters } from '../../../src/envoy/clusters.js';
import { renderForMesh } from '../../../src/envoy/meshes.js';
import { readTraceCollector, type TraceCollector } from '../../../src/envoy/tracing.js';
import { writeClusters } from '../../../src/envoy/write-clusters.js';
import { runProgram } from '../../../src/local/processes/run-program.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { translateIstio } from '../../support/translated-gateway.js';

function provider(name: string, base_url: string): Provider {
  return { name, api: 'openai', base_url, headers: {}, responses: false, prices: {}, forward_headers: [] };
}

const PROVIDERS = [
  provider('plain', 'http://127.0.0.1:9101/v1'),
  provider('public', 'https://api.openai.com/v1'),
  provider('six', 'http://[::1]:9101/v1'),
  provider('address', 'https://127.0.0.1:8443/v1'),
];

describe.skipIf(missingPrograms !== null)('a real Envoy', () => {
  /** What `envoy --mode validate` says of a bootstrap in this directory. */
  async function validate(
    folder: string,
    text?: (bootstrap: string) => string,
    collector?: TraceCollector,
    workers = 1,
  ) {
    await mkdir(folder, { recursive: true });
    const clustersFile = join(folder, 'envoy', 'clusters.yaml');
    writeClusters(clustersFile, PROVIDERS);
    const bootstrap = renderBootstrap({
      gatewayAddress: '127.0.0.1',
      gatewayPort: 18_080,
      adminUrl: new URL('http://127.0.0.1:18081'),
      engineSocket: join(folder, 'engine.sock'),
      workerSockets: Array.from({ length: workers }, (_none, index) =>
        join(folder, `engine-${index + 1}.sock`),
      ),
      envoyAdminSocket: join(folder, 'envoy-admin.sock'),
      clustersFile,
      collector,
    });
    const path = join(folder, 'envoy.yaml');
    await writeFile(path, text?.(bootstrap) ?? bootstrap);
    const options = ['--mode', 'validate', '-c', path, '--log-level', 'warning'];
    return runProgram(inject('envoyBinary') as string, options, { environment: process.env });
  }

  it('accepts the bootstrap', async () => {
    expect(await validate(await temporaryFolder())).toMatchObject({ code: 0 });
  });

  it('accepts it in a folder with unusual characters in its name', async () => {
    expect(await validate(join(await temporaryFolder(), 'a "b" c: #$&'))).toMatchObject({ code: 0 });
  });

  it.each(['grpc', 'http/protobuf'])('accepts it with tracing over %s', async (protocol) => {
    const collector = readTraceCollector({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=100%25',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    });
    expect(await validate(await temporaryFolder(), undefined, collector)).toMatchObject({ code: 0 });
  });

  it.each(['always_on', 'always_off', 'traceidratio', 'parentbased_traceidratio'])(
    'accepts it with the sampler %s',
    async (sampler) => {
      const collector = readTraceCollector({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
        OTEL_TRACES_SAMPLER: sampler,
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      });
      expect(await validate(await temporaryFolder(), undefined, collector)).toMatchObject({ code: 0 });
    },
  );

  it.each([2, 16])('accepts it with %d workers, and with tracing', async (workers) => {
    const collector = readTraceCollector({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
    const folder = await temporaryFolder();
    expect(await validate(folder, undefined, collector, workers)).toMatchObject({ code: 0 });
  });

  it('would reject a mistake in it', async () => {
    const broken = (bootstrap: string) => bootstrap.replace('stat_prefix: gateway', 'stat_prefixx: gateway');
    expect((await validate(await temporaryFolder(), broken)).code).not.toBe(0);
  });

  it('accepts the clusters too', async () => {
    // `--mode validate` does not read the file of clusters, so they are put where it looks.
    const inline = (bootstrap: string) => {
      const { dynamic_resources: _watched, ...rest } = parse(bootstrap);
      for (const { '@type': _type, ...cluster } of parse(renderClusters(PROVIDERS)).resources) {
        rest.static_resources.clusters.push(cluster);
      }
      return stringify(rest);
    };
    expect(await validate(await temporaryFolder(), inline)).toMatchObject({ code: 0 });
  });

  /** What Istio makes of the manifests, in the bootstrap of a sidecar that has things of its own. */
  function merged(bootstrap: string): string {
    const beside = {
      adminUrl: new URL('http://127.0.0.1:18081'),
      engineSockets: [],
      requestBodyBytes: 1 << 20,
    };
    const manifests = renderForMesh('istio', bootstrap, { name: 'app', providers: PROVIDERS, ...beside });
    const own = { name: 'own', connect_timeout: '1s', load_assignment: { cluster_name: 'own' } };
    const sidecar = parse(translateIstio(manifests, { adminSocket: '/tmp/envoy-admin.sock' }));
    delete sidecar.admin;
    sidecar.static_resources.clusters.unshift(own);
    return stringify(sidecar);
  }

  it('accepts the bootstrap of a sidecar with the manifests for Istio in it', async () => {
    let text = '';
    const result = await validate(await temporaryFolder(), (bootstrap) => {
      text = merged(bootstrap);
      return text;
    });
    expect(result).toMatchObject({ code: 0 });
    const { static_resources, layered_runtime, grpc_async_client_manager_config } = parse(text);
    expect(grpc_async_client_manager_config).toHaveProperty('max_cached_entry_idle_duration');
    expect(static_resources.listeners.map(({ name }: { name: string }) => name)).toEqual(['sluice-gateway']);
    expect(static_resources.clusters).toHaveLength(1 + 2 + PROVIDERS.length);
    // What an Envoy before 1.40 does not know.
    expect(text).not.toMatch(/PriorityGroup|refresh_cluster_on_retry/);
    expect(JSON.stringify(layered_runtime)).toContain('ext_proc_graceful_grpc_close":true');
  });
});
