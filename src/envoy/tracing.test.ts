import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type BootstrapOptions, renderBootstrap } from './bootstrap.js';
import { readTraceCollector } from './tracing.js';

const OPTIONS: BootstrapOptions = {
  gatewayAddress: '127.0.0.1',
  gatewayPort: 8080,
  adminUrl: new URL('http://127.0.0.1:8081'),
  engineSocket: '/data/engine.sock',
  envoyAdminSocket: '/data/envoy-admin.sock',
  clustersFile: '/data/envoy/clusters.yaml',
};

function tracingFor(env: NodeJS.ProcessEnv) {
  const bootstrap = parse(renderBootstrap({ ...OPTIONS, collector: readTraceCollector(env) }));
  const { tracing } = bootstrap.static_resources.listeners[0].filter_chains[0].filters[0].typed_config;
  const cluster = bootstrap.static_resources.clusters.find(
    ({ name }: { name: string }) => name === 'trace-collector',
  );
  return { tracing, tracer: tracing.provider.typed_config, cluster };
}

interface Sampler {
  name: string;
  typed_config: {
    wrapped_sampler?: Sampler;
    sampling_percentage?: { numerator: number; denominator: string };
  };
}

function summaryOf(sampler: Sampler | undefined): unknown {
  if (sampler === undefined) return undefined;
  const { wrapped_sampler: wrapped, sampling_percentage: share } = sampler.typed_config;
  if (sampler.name.endsWith('.parent_based')) return { afterParent: summaryOf(wrapped) };
  expect([sampler.name, share?.denominator]).toEqual([
    'envoy.tracers.opentelemetry.samplers.trace_id_ratio_based',
    'MILLION',
  ]);
  return { percent: share!.numerator / 10_000 };
}

describe("Envoy's tracing", () => {
  it('is absent without a collector', () => {
    expect(renderBootstrap(OPTIONS)).not.toMatch(/tracing:|trace-collector/);
  });

  it('is sent in batches, at least every second', () => {
    const collector = readTraceCollector({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' });
    const { layered_runtime } = parse(renderBootstrap({ ...OPTIONS, collector }));
    expect(layered_runtime.layers[0].static_layer).toMatchObject({
      'envoy.reloadable_features.ext_proc_graceful_grpc_close': true,
      'tracing.opentelemetry.min_flush_spans': 256,
      'tracing.opentelemetry.flush_interval_ms': 1_000,
    });
  });

  it('goes to the traces path of a general collector URL, over HTTP by default', () => {
    const { tracer, cluster } = tracingFor({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.0.0.7:4318/otlp/' });
    expect(tracer.http_service.http_uri).toEqual({
      uri: 'http://10.0.0.7:4318/otlp/v1/traces',
      cluster: 'trace-collector',
      timeout: '10s',
    });
    expect(cluster.type).toBe('STATIC');
    expect(cluster.transport_socket).toBeUndefined();
    expect(JSON.stringify(cluster.load_assignment)).toContain('{"address":"10.0.0.7","port_value":4318}');
  });

  it('is sent to a URL for traces alone as it is written', () => {
    const { tracer } = tracingFor({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:9999/here',
    });
    expect(tracer.http_service.http_uri.uri).toBe('http://traces:9999/here');
  });

  it('is sent over gRPC where the variable says so, with TLS for https', () => {
    const { tracer, cluster } = tracingFor({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key=a%20b,x=1',
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/etc/ca.pem',
    });
    expect(tracer.grpc_service).toEqual({
      envoy_grpc: { cluster_name: 'trace-collector', authority: 'collector.example:4317' },
      timeout: '10s',
      initial_metadata: [
        { key: 'api-key', value: 'a b' },
        { key: 'x', value: '1' },
      ],
    });
    expect(cluster.type).toBe('LOGICAL_DNS');
    const { sni, common_tls_context } = cluster.transport_socket.typed_config;
    expect(sni).toBe('collector.example');
    expect(common_tls_context.validation_context.trusted_ca.filename).toBe('/etc/ca.pem');
  });

  it('has the names and attributes of the service', () => {
    const { tracer } = tracingFor({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
      OTEL_SERVICE_NAME: 'chat',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=prod,service.name=other',
    });
    expect(tracer.service_name).toBe('chat-envoy');
    expect(tracer.resource_detectors[0].typed_config.attributes).toEqual({
      'deployment.environment': 'prod',
    });
  });

  it.each([
    [undefined, undefined, 100, undefined],
    ['always_on', undefined, 100, { percent: 100 }],
    ['always_off', undefined, 0, { percent: 0 }],
    ['parentbased_always_off', undefined, 100, { afterParent: { percent: 0 } }],
    ['traceidratio', '0.1', 100, { percent: 10 }],
    ['parentbased_traceidratio', '0.1', 100, { afterParent: { percent: 10 } }],
    ['parentbased_traceidratio', 'nonsense', 100, undefined],
  ])('samples as the sampler %s of %s does', (sampler, argument, asked, expected) => {
    const { tracing, tracer } = tracingFor({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: argument,
    });
    expect([tracing.random_sampling.value, tracing.overall_sampling.value]).toEqual([asked, asked]);
    expect(summaryOf(tracer.sampler)).toEqual(expected);
  });

  it('leaves the comments of the bootstrap where they are', () => {
    const comments = (text: string) => text.split('\n').filter((line) => line.trim().startsWith('# ')).length;
    const collector = readTraceCollector({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' });
    expect(comments(renderBootstrap({ ...OPTIONS, collector }))).toBe(comments(renderBootstrap(OPTIONS)));
  });
});
