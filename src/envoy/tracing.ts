import { isIP } from 'node:net';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { addressOf, HTTP_OPTIONS, loadAssignment, transportSocket } from './clusters.js';
import { EXCHANGE_NAMESPACE, LOG_ID_KEY } from './names.js';

/** Where Envoy sends its spans and which share of traces it records, from the standard OTEL_* variables. */
export interface TraceCollector {
  protocol: 'grpc' | 'http';
  /** The address of the collector; for HTTP with the path. */
  url: URL;
  /** Headers for the collector. They may contain credentials. */
  headers: [name: string, value: string][];
  timeoutMs: number;
  /** A file of certificates that are trusted in place of the machine's. */
  certificate?: string;
  serviceName: string;
  resource: Record<string, string>;
  sampling: Sampling;
}

interface Sampling {
  percent: number;
  /** A trace that the client started is sampled where the client sampled it; the percentage is for all others. */
  followsParent: boolean;
}

const COLLECTOR_CLUSTER = 'trace-collector';

/**
 * How Envoy batches its spans. By default it sends one request per five spans, which costs as much as everything else
 * about a span.
 */
const BATCHES = {
  'tracing.opentelemetry.min_flush_spans': 256,
  'tracing.opentelemetry.flush_interval_ms': 1_000,
};

const DEFAULT_URLS = { grpc: 'http://localhost:4317', http: 'http://localhost:4318' };
const DEFAULT_TIMEOUT_MS = 10_000;

/** The collector that the environment names. Call it only where traces are exported. */
export function readTraceCollector(env: NodeJS.ProcessEnv): TraceCollector {
  const of = (name: string) =>
    env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`] || undefined;
  const protocol = of('PROTOCOL') === 'grpc' ? 'grpc' : 'http';
  const resource = Object.fromEntries(readPairs(env.OTEL_RESOURCE_ATTRIBUTES));
  const { 'service.name': named = 'sluice', ...attributes } = resource;
  return {
    protocol,
    url: readUrl(env, protocol),
    headers: readPairs(of('HEADERS')),
    timeoutMs: Number(of('TIMEOUT')) || DEFAULT_TIMEOUT_MS,
    certificate: of('CERTIFICATE'),
    // Envoy gets a service name of its own, so that a service map shows Envoy and the engine.
    serviceName: `${env.OTEL_SERVICE_NAME || named}-envoy`,
    resource: attributes,
    sampling: readSampling(env.OTEL_TRACES_SAMPLER, env.OTEL_TRACES_SAMPLER_ARG),
  };
}

/**
 * The address of the collector. OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is the whole address; to
 * OTEL_EXPORTER_OTLP_ENDPOINT the path is added.
 */
function readUrl(env: NodeJS.ProcessEnv, protocol: 'grpc' | 'http'): URL {
  const whole = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const url = new URL(whole || env.OTEL_EXPORTER_OTLP_ENDPOINT || DEFAULT_URLS[protocol]);
  if (!whole && protocol === 'http') url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url;
}

/** Pairs in the form `name=value,name=value`, percent-encoded. */
function readPairs(text: string | undefined): [string, string][] {
  return (text ?? '').split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    return at === -1 || name === '' ? [] : [[decode(name), decode(pair.slice(at + 1).trim())]];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The sampling settings. The engine decides after Envoy and follows its decision, so both read the same settings. */
function readSampling(sampler: string | undefined, argument: string | undefined): Sampling {
  const share = Number(argument || 1);
  const percent = share >= 0 && share <= 1 ? share * 100 : 100;
  switch (sampler) {
    case 'always_on':
      return { percent: 100, followsParent: false };
    case 'always_off':
      return { percent: 0, followsParent: false };
    case 'parentbased_always_off':
      return { percent: 0, followsParent: true };
    case 'traceidratio':
      return { percent, followsParent: false };
    case 'parentbased_traceidratio':
      return { percent, followsParent: true };
    default:
      return { percent: 100, followsParent: true };
  }
}

/** Adds Envoy's tracer and its collector to the bootstrap. */
export function addTracing(document: Document, collector: TraceCollector): void {
  const manager = ['static_resources', 'listeners', 0, 'filter_chains', 0, 'filters', 0, 'typed_config'];
  (document.getIn(manager) as YAMLMap).set('tracing', document.createNode(renderTracing(collector)));
  for (const [name, value] of Object.entries(BATCHES)) {
    document.setIn(['layered_runtime', 'layers', 0, 'static_layer', name], value);
  }
  const clusters = document.getIn(['static_resources', 'clusters']) as YAMLSeq;
  clusters.add(document.createNode(renderCollectorCluster(collector)));
}

function renderTracing(collector: TraceCollector) {
  const { sampling, serviceName, resource } = collector;
  // The sampler decides. These two shares apply before it and must not drop anything.
  const asked = { value: sampling.percent === 0 && !sampling.followsParent ? 0 : 100 };
  return {
    provider: {
      name: 'envoy.tracers.opentelemetry',
      typed_config: {
        '@type': 'type.googleapis.com/envoy.config.trace.v3.OpenTelemetryConfig',
        service_name: serviceName,
        ...(Object.keys(resource).length === 0
          ? {}
          : {
              resource_detectors: [
                {
                  name: 'envoy.tracers.opentelemetry.resource_detectors.static_config',
                  typed_config: {
                    '@type':
                      'type.googleapis.com/envoy.extensions.tracers.opentelemetry.resource_detectors.v3.StaticConfigResourceDetectorConfig',
                    attributes: resource,
                  },
                },
              ],
            }),
        ...renderSampler(sampling),
        ...renderExporter(collector),
      },
    },
    random_sampling: asked,
    overall_sampling: asked,
    // The provider gets the engine's span of its attempt as the parent, and not Envoy's span.
    no_context_propagation: true,
    // The query of a URL may contain a client's key. So Envoy's own URL tag is empty, and another tag has the path
    // without the query.
    max_path_tag_length: 0,
    custom_tags: [
      { tag: 'url.path', value: '%PATH(NQ:PATH)%' },
      {
        tag: 'sluice.log.id',
        metadata: {
          kind: { request: {} },
          metadata_key: { key: EXCHANGE_NAMESPACE, path: [{ key: LOG_ID_KEY }] },
        },
      },
    ],
  };
}

/** Envoy's own `random_sampling` cannot be used, because it also drops traces that a client has sampled. */
function renderSampler({ percent, followsParent }: Sampling) {
  // This is what Envoy does by default.
  if (percent === 100 && followsParent) return {};
  const share = samplerOf('trace_id_ratio_based', 'TraceIdRatioBased', {
    sampling_percentage: { numerator: Math.round(percent * 10_000), denominator: 'MILLION' },
  });
  return {
    sampler: followsParent ? samplerOf('parent_based', 'ParentBased', { wrapped_sampler: share }) : share,
  };
}

function samplerOf(name: string, type: string, config: object) {
  const types = 'type.googleapis.com/envoy.extensions.tracers.opentelemetry.samplers.v3';
  return {
    name: `envoy.tracers.opentelemetry.samplers.${name}`,
    typed_config: { '@type': `${types}.${type}SamplerConfig`, ...config },
  };
}

function renderExporter({ protocol, url, headers, timeoutMs }: TraceCollector) {
  const timeout = `${timeoutMs / 1000}s`;
  if (protocol === 'grpc') {
    return {
      grpc_service: {
        envoy_grpc: { cluster_name: COLLECTOR_CLUSTER, authority: url.host },
        timeout,
        ...(headers.length === 0
          ? {}
          : { initial_metadata: headers.map(([name, value]) => ({ key: name.toLowerCase(), value })) }),
      },
    };
  }
  return {
    http_service: {
      http_uri: { uri: url.href, cluster: COLLECTOR_CLUSTER, timeout },
      ...(headers.length === 0
        ? {}
        : {
            request_headers_to_add: headers.map(([key, value]) => ({
              // A single percent sign would begin a placeholder.
              header: { key, value: value.replaceAll('%', '%%') },
              append_action: 'OVERWRITE_IF_EXISTS_OR_ADD',
            })),
          }),
    },
  };
}

function renderCollectorCluster({ protocol, url, certificate }: TraceCollector) {
  const { host, port, tls } = addressOf(url);
  const options = protocol === 'grpc' ? { http2_protocol_options: {} } : { http_protocol_options: {} };
  return {
    name: COLLECTOR_CLUSTER,
    type: isIP(host) === 0 ? 'LOGICAL_DNS' : 'STATIC',
    ...(isIP(host) === 0 ? { dns_lookup_family: 'V4_PREFERRED' } : {}),
    connect_timeout: '1s',
    typed_extension_protocol_options: {
      [HTTP_OPTIONS]: {
        '@type': `type.googleapis.com/${HTTP_OPTIONS}`,
        explicit_http_config: options,
      },
    },
    load_assignment: loadAssignment(COLLECTOR_CLUSTER, { hostname: url.host, host, port }),
    ...(tls ? { transport_socket: transportSocket(host, certificate) } : {}),
  };
}
