import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Child } from '../../dist/local/processes/child.js';
import { bootstrap, cluster, protocol, TYPE } from './bootstraps.mjs';

/*
 * Envoy AI Gateway: its external processor, and an Envoy that is set up as that gateway's own controller does it. A filter of
 * the listener sends headers and buffered bodies to the processor, and a filter of the cluster asks it once more when the
 * provider is known. The processor counts tokens, measures, and puts in the provider's key, as `aigw run` configures it. It
 * keeps no logs, and here Envoy writes no access log either.
 */

/** Names the program: `cmd/extproc` of the project envoyproxy/ai-gateway, version 1.1. */
const PROGRAM_VARIABLE = 'AI_GATEWAY_EXTPROC_BIN';

const NAMESPACE = 'io.envoy.ai_gateway';
const INTERNAL_NAMESPACE = 'aigateway.envoy.io';
const MODEL_HEADER = 'x-ai-eg-model';
const ROUTE_NAME = 'bench';
const BACKEND_NAME = 'bench';
const READY = 'AI Gateway External Processor is ready';
const READY_WITHIN_MS = 20_000;
/** The processor ends 15 seconds after SIGTERM, which a benchmark need not wait for. */
const PATIENCE_MS = 100;

/** The path of the processor; undefined, after a line that says so, where it is not installed. */
export function findAiGateway(report) {
  const program = process.env[PROGRAM_VARIABLE];
  if (program) return program;
  report(
    `SKIPPED: Envoy AI Gateway. Set ${PROGRAM_VARIABLE} to its external processor, which is built from cmd/extproc of ` +
      'its repository.',
  );
  return undefined;
}

/** Starts the processor. Resolves with its socket and process. */
export async function startProcessor(program, folder, stops) {
  const configPath = join(folder, 'ai-gateway-filter.yaml');
  const socket = join(folder, 'ai-gateway.sock');
  const environment = { ...process.env, DISABLE_PPROF: '1' };
  const common = ['-extProcAddr', `unix://${socket}`, '-adminPort', '0', '-configPath', configPath];
  const version = versionOf(program, common, environment);
  writeFileSync(configPath, stringify(filterConfig(version)));
  const child = await Child.start({
    name: 'ai-gateway',
    command: program,
    arguments: [...common, '-logLevel', 'warn'],
    environment,
    logPath: join(folder, 'ai-gateway.log'),
    ownGroup: false,
  });
  stops.push(() => child.stop(PATIENCE_MS));
  for (const start = performance.now(); !child.lastLines(20).includes(READY); ) {
    if (!child.running || performance.now() - start > READY_WITHIN_MS)
      throw new Error(`Envoy AI Gateway's processor did not start: ${child.lastLines(5)}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
  return { socket, pid: child.pid };
}

/**
 * The version that the program says it is. It takes only a configuration for exactly that. A program without a configuration
 * says its version and ends.
 */
function versionOf(program, common, environment) {
  const { stderr, error } = spawnSync(program, [...common, '-logFormat', 'json'], {
    env: environment,
    encoding: 'utf8',
    timeout: READY_WITHIN_MS,
  });
  if (error) throw error;
  const [, version] = /"version":"([^"]*)"/.exec(stderr) ?? [];
  if (version === undefined) throw new Error(`${program} does not say its version: ${stderr.slice(0, 500)}`);
  return version;
}

function filterConfig(version) {
  return {
    version,
    backends: [
      {
        name: BACKEND_NAME,
        schema: { name: 'OpenAI', prefix: 'v1' },
        auth: { apiKey: { key: 'sk-provider' } },
      },
    ],
    llmRequestCosts: [
      { metadataKey: 'llm_input_token', type: 'InputToken' },
      { metadataKey: 'llm_output_token', type: 'OutputToken' },
      { metadataKey: 'llm_reasoning_token', type: 'ReasoningToken' },
    ].map((cost) => ({ ...cost, routeName: ROUTE_NAME })),
  };
}

/** The Envoy in front of the processor that listens on `socket`. */
export function aiGatewayConfig({ port, providerPort, socket }) {
  const byFilter = { [INTERNAL_NAMESPACE]: { aigw_route_name: ROUTE_NAME } };
  const routes = [
    {
      match: {
        prefix: '/',
        headers: [{ name: MODEL_HEADER, string_match: { safe_regex: { regex: '.*' } } }],
      },
      route: { cluster: 'provider', timeout: '120s' },
      metadata: { filter_metadata: byFilter },
    },
    { match: { prefix: '/' }, direct_response: { status: 404 } },
  ];
  const processor = {
    ...cluster('processor', { pipe: { path: socket } }),
    per_connection_buffer_limit_bytes: 50 << 20,
    ...protocol({
      explicit_http_config: {
        http2_protocol_options: {
          initial_connection_window_size: 1 << 20,
          initial_stream_window_size: 1 << 16,
        },
      },
    }),
  };
  const atListener = askProcessor({
    request_header_mode: 'SEND',
    request_body_mode: 'BUFFERED',
    request_trailer_mode: 'SKIP',
    response_header_mode: 'SEND',
    response_body_mode: 'BUFFERED',
    response_trailer_mode: 'SKIP',
  });
  return bootstrap(port, [atListener], [providerCluster(providerPort), processor], routes);
}

function askProcessor(processing_mode, more = {}) {
  return {
    name: 'envoy.filters.http.ext_proc/aigateway',
    typed_config: {
      '@type': `${TYPE}.filters.http.ext_proc.v3.ExternalProcessor`,
      grpc_service: { envoy_grpc: { cluster_name: 'processor' }, timeout: '120s' },
      message_timeout: '10s',
      allow_mode_override: true,
      metadata_options: { receiving_namespaces: { untyped: [NAMESPACE] } },
      processing_mode,
      ...more,
    },
  };
}

function providerCluster(providerPort) {
  const provider = cluster('provider', {
    socket_address: { address: '127.0.0.1', port_value: providerPort },
  });
  const [locality] = provider.load_assignment.endpoints;
  const [endpoint] = locality.lb_endpoints;
  endpoint.metadata = {
    filter_metadata: { [INTERNAL_NAMESPACE]: { per_route_rule_backend_name: BACKEND_NAME } },
  };
  const internal = (of, name) => `xds.${of}.filter_metadata['${INTERNAL_NAMESPACE}']['${name}']`;
  const atCluster = askProcessor(
    {
      request_header_mode: 'SEND',
      request_body_mode: 'NONE',
      response_header_mode: 'SKIP',
      response_body_mode: 'NONE',
    },
    {
      request_attributes: [
        internal('upstream_host_metadata', 'per_route_rule_backend_name'),
        internal('cluster_metadata', 'per_route_rule_backend_name'),
        internal('upstream_host_metadata', 'upstream_host'),
        internal('route_metadata', 'aigw_route_name'),
      ],
    },
  );
  const length = {
    append_action: 'ADD_IF_ABSENT',
    header: { key: 'content-length', value: `%DYNAMIC_METADATA(${NAMESPACE}:content_length)%` },
  };
  const filter = (name, typed, config = {}) => ({
    name: `envoy.filters.http.${name}`,
    typed_config: { '@type': `${TYPE}.filters.http.${name}.v3.${typed}`, ...config },
  });
  return {
    ...provider,
    ...protocol({
      explicit_http_config: { http_protocol_options: {} },
      http_filters: [
        atCluster,
        filter('header_mutation', 'HeaderMutation', {
          mutations: { request_mutations: [{ append: length }] },
        }),
        filter('upstream_codec', 'UpstreamCodec'),
      ],
    }),
  };
}
