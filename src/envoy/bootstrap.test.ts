import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { HELP_HEADER } from '../core/errors.js';
import { GATEWAY_HEADER } from '../core/gateway/gateway-header.js';
import { type BootstrapOptions, renderBootstrap } from './bootstrap.js';
import {
  ATTEMPTS_CLUSTER,
  DIALECT_KEY,
  ENGINE_CLUSTER,
  EXCHANGE_NAMESPACE,
  FILTER_METADATA,
  LENGTH_HEADER,
  LOG_ID_KEY,
  PAGE_KEY,
  RETRY_HEADER,
  ROUTE_HEADER,
  ROUTE_NAMESPACE,
  SHORT_BODY_BYTES,
} from './names.js';
import { named } from './workers.js';

const OPTIONS: BootstrapOptions = {
  gatewayAddress: '127.0.0.1',
  gatewayPort: 8080,
  adminUrl: new URL('http://127.0.0.2:8081'),
  engineSocket: '/data/engine.sock',
  envoyAdminSocket: '/data/envoy-admin.sock',
  clustersFile: '/data/envoy/clusters.yaml',
};

interface Found {
  path: string;
  value: unknown;
}

/** Every value of the bootstrap with its path, such as `static_resources.listeners.0.name`. */
function valuesOf(value: unknown, path = ''): Found[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, member]) =>
    valuesOf(member, path === '' ? key : `${path}.${key}`),
  );
}

const text = renderBootstrap(OPTIONS);
const values = valuesOf(parse(text));
const at = (ending: string) => [
  ...new Set(values.filter(({ path }) => path.endsWith(ending)).map(({ value }) => value)),
];

describe("Envoy's bootstrap", () => {
  it('has all its placeholders filled in', () => {
    expect(text).not.toMatch(/\$\{[A-Z_]+\}/);
    expect(at('admin.address.pipe.path')).toEqual(['/data/envoy-admin.sock']);
    expect(at('endpoint.address.pipe.path')).toEqual(['/data/engine.sock']);
    expect(at('path_config_source.path')).toEqual(['/data/envoy/clusters.yaml']);
    expect(at('watched_directory.path')).toEqual(['/data/envoy']);
    expect(at('port_value')).toEqual([8080, 8081]);
    expect(at('socket_address.address')).toEqual(['127.0.0.1', '127.0.0.2']);
  });

  it('connects to a separate admin service by its name, with TLS where its URL says so', () => {
    const clusterFor = (url: string) =>
      parse(renderBootstrap({ ...OPTIONS, adminUrl: new URL(url) })).static_resources.clusters.find(
        ({ name }: { name: string }) => name === 'admin',
      );
    const plain = clusterFor('http://sluice-admin:8081');
    expect(plain.type).toBe('LOGICAL_DNS');
    expect(plain.transport_socket).toBeUndefined();
    expect(JSON.stringify(plain.load_assignment)).toContain('{"address":"sluice-admin","port_value":8081}');
    expect(clusterFor('https://admin.example').transport_socket.typed_config.sni).toBe('admin.example');
  });

  it('keeps paths unchanged, whatever characters they have', () => {
    const odd = '/da ta/"quoted"\\back: #$& größe/engine.sock';
    const found = valuesOf(parse(renderBootstrap({ ...OPTIONS, engineSocket: odd })));
    expect(found.filter(({ value }) => value === odd)).toHaveLength(2);
  });

  it('uses the same names as the engine, and no others of their kind', () => {
    const words = values.map(({ value }) => String(value));
    expect(at('override_metadata_namespace')).toEqual([ROUTE_NAMESPACE]);
    expect(values.filter(({ path }) => /receiving_namespaces/.test(path)).map(({ value }) => value)).toEqual([
      ROUTE_NAMESPACE,
      EXCHANGE_NAMESPACE,
    ]);
    expect(values.filter(({ path }) => /forwarding_namespaces/.test(path)).map(({ value }) => value)).toEqual(
      [EXCHANGE_NAMESPACE],
    );
    expect(at('retriable_headers.0.name')).toEqual([RETRY_HEADER]);
    expect(at('initial_metadata.0.key')).toEqual([FILTER_METADATA]);
    expect(words).toContain(ROUTE_HEADER);
    const named = new Set(words.join(' ').match(/(?<=DYNAMIC_METADATA\()[^)]+/g));
    const known = [LOG_ID_KEY, DIALECT_KEY, PAGE_KEY].map((key) => `${EXCHANGE_NAMESPACE}:${key}`);
    for (const name of named) expect(known).toContain(name);
    const internal = new Set(words.join(' ').match(/\bx-sluice-[a-z]+/g));
    expect(internal).toEqual(
      new Set([ROUTE_HEADER, LENGTH_HEADER, RETRY_HEADER, FILTER_METADATA, HELP_HEADER, GATEWAY_HEADER]),
    );
  });

  it('removes the header that chooses the route before a provider sees it', () => {
    const removed = values.filter(({ path }) => path.includes('request_headers_to_remove'));
    expect(removed.map(({ value }) => value)).toContain(ROUTE_HEADER);
  });

  it('sends a body together with its headers only where it is complete, and no longer than the engine expects', () => {
    const manager = parse(text).static_resources.listeners[0].filter_chains[0].filters[0].typed_config;
    const [{ routes }] = manager.route_config.virtual_hosts;
    const isTogether = (part: unknown) =>
      JSON.stringify(part).includes('"request_body_mode":"FULL_DUPLEX_STREAMED"');
    const [route, ...others] = routes.filter(isTogether);
    expect(others).toEqual([]);
    expect(route.match.headers).toEqual([
      { name: ROUTE_HEADER, present_match: false },
      { name: 'content-length', range_match: { start: 1, end: SHORT_BODY_BYTES + 1 } },
    ]);
    const [first, second] = manager.http_filters;
    expect([first.name, second.name]).toEqual(['short-bodies', 'gateway']);
    expect(isTogether(second)).toBe(false);
    for (const { buffer } of [
      { buffer: first.typed_config },
      route.typed_per_filter_config['short-bodies'],
    ]) {
      expect(buffer.max_request_bytes).toBe(SHORT_BODY_BYTES);
    }
  });

  it('keeps the client of the engine for longer than any stream to it lasts', () => {
    const [seconds] = at('max_cached_entry_idle_duration') as string[];
    expect(Number.parseInt(seconds!, 10)).toBeGreaterThan(86_400);
  });

  it.each([
    ['127.0.0.1', 65_536, 65_535],
    ['::1', 65_536, 65_535],
    ['0.0.0.0', 262_144, 262_144],
    ['10.1.2.3', 262_144, 262_144],
  ])(
    'allows distant clients more bytes of a body on the way than local ones (%s)',
    (gatewayAddress, kernelBytes, windowBytes) => {
      const [listener] = parse(renderBootstrap({ ...OPTIONS, gatewayAddress })).static_resources.listeners;
      const { http2_protocol_options } = listener.filter_chains[0].filters[0].typed_config;
      expect(listener.socket_options).toMatchObject([{ int_value: kernelBytes }]);
      expect(http2_protocol_options.initial_connection_window_size).toBe(windowBytes);
    },
  );

  it('accepts new connections one at a time, so that a flood of them does not delay other work', () => {
    expect(at('max_connections_to_accept_per_socket_event')).toEqual([1]);
  });

  it('keeps at most 4 MiB of bodies for a connection before the keys are known', () => {
    const [streams] = at('max_concurrent_streams');
    expect(Number(streams) * SHORT_BODY_BYTES).toBeLessThanOrEqual(4 << 20);
    expect(new Set(at('max_request_bytes'))).toEqual(new Set([SHORT_BODY_BYTES]));
    expect(text).toContain(`range_match: { start: 1, end: ${SHORT_BODY_BYTES + 1} }`);
  });

  const never = 2 ** 31 - 1;
  const windowOf = (cluster: string) => {
    const found = parse(text).static_resources.clusters.find(
      ({ name }: { name: string }) => name === cluster,
    );
    const [options]: ReturnType<typeof JSON.parse>[] = Object.values(found.typed_extension_protocol_options);
    return options.explicit_http_config.http2_protocol_options.initial_stream_window_size;
  };

  it('limits how much of an answer it buffers for the engine', () => {
    expect(windowOf(ENGINE_CLUSTER)).toBe(16 << 20);
  });

  it('sets buffers so large that no connection or attempt is ever held back, which would crash it', () => {
    expect(at('per_connection_buffer_limit_bytes')).toEqual([never]);
    expect(windowOf(ATTEMPTS_CLUSTER)).toBe(never);
    const filters =
      parse(text).static_resources.listeners[0].filter_chains[0].filters[0].typed_config.http_filters;
    expect(JSON.stringify(named(filters, 'gateway'))).toContain(`"cluster_name":"${ENGINE_CLUSTER}"`);
    const { upstream_http_filters } = named(filters, 'envoy.filters.http.router').typed_config;
    expect(JSON.stringify(upstream_http_filters)).toContain(`"cluster_name":"${ATTEMPTS_CLUSTER}"`);
  });

  it('ends the streams of the engine without a reset', () => {
    const flag = 'envoy.reloadable_features.ext_proc_graceful_grpc_close';
    expect(values.find(({ path }) => path.endsWith(flag))?.value).toBe(true);
  });
});
