import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type BootstrapOptions, renderBootstrap } from './bootstrap.js';
import { chainRoute, ROUTE_HEADER, workerCluster } from './names.js';

const OPTIONS: BootstrapOptions = {
  gatewayAddress: '127.0.0.1',
  gatewayPort: 8080,
  adminUrl: new URL('http://127.0.0.1:8081'),
  engineSocket: '/data/engine.sock',
  workerSockets: ['/data/engine-1.sock', '/data/engine-2.sock', '/data/engine-3.sock'],
  envoyAdminSocket: '/data/envoy-admin.sock',
  clustersFile: '/data/envoy/clusters.yaml',
};

const bootstrap = parse(renderBootstrap(OPTIONS)).static_resources;
const manager = bootstrap.listeners[0].filter_chains[0].filters[0].typed_config;
const { routes } = manager.route_config.virtual_hosts[0];
const clusters = new Map<string, object>(
  bootstrap.clusters.map((cluster: { name: string }) => [cluster.name, cluster]),
);
const named = (list: { name: string }[], name: string) => list.find((part) => part.name === name) as never;

function socketsOf(cluster: string): string[] {
  return JSON.stringify(clusters.get(cluster)).match(/(?<="path":")[^"]+/g) ?? [];
}

function windowOf(cluster: string): number {
  const [, bytes] = /"initial_stream_window_size":(\d+)/.exec(JSON.stringify(clusters.get(cluster))) ?? [];
  return Number(bytes);
}

describe("Envoy's bootstrap for three workers", () => {
  it('sends a request to any of them, the one with the fewest requests first', () => {
    expect(clusters.get('engine')).toMatchObject({ lb_policy: 'LEAST_REQUEST' });
    expect(socketsOf('engine')).toEqual(OPTIONS.workerSockets);
    expect(windowOf('engine')).toBe(16 << 20);
  });

  it.each([1, 2, 3])('sends the tries of worker %d to its own socket', (worker) => {
    const route = routes.find(
      ({ match }: { match: { headers?: { name: string; string_match?: { exact: string } }[] } }) =>
        match.headers?.some(
          ({ name, string_match }) => name === ROUTE_HEADER && string_match?.exact === chainRoute(worker),
        ),
    );
    const { grpc_service } = route.typed_per_filter_config.attempt.overrides;
    expect(grpc_service.envoy_grpc.cluster_name).toBe(workerCluster(worker));
    expect(grpc_service.initial_metadata).toEqual([{ key: 'x-sluice-filter', value: 'attempt' }]);
    expect(route.route.retry_policy).toEqual(routes.at(-1).route.retry_policy);
    expect(socketsOf(workerCluster(worker))).toEqual([OPTIONS.workerSockets?.[worker - 1]]);
    // What Envoy keeps for an attempt is never held back.
    expect(windowOf(workerCluster(worker))).toBe(2 ** 31 - 1);
  });

  it('keeps the general route, with which every request begins, last', () => {
    expect(routes.at(-1).match).toEqual({ prefix: '/' });
  });

  it('reports broken tries to all of them', () => {
    const { typed_config: router } = named(manager.http_filters, 'envoy.filters.http.router') as {
      typed_config: { upstream_log: object[] };
    };
    for (const logs of [manager.access_log, router.upstream_log]) {
      const told = logs.map((log: object) => /"cluster_name":"([^"]+)"/.exec(JSON.stringify(log))?.[1]);
      expect(told).toEqual([1, 2, 3].map(workerCluster));
    }
  });

  it('is the ordinary bootstrap where there is one worker', () => {
    const one = renderBootstrap({ ...OPTIONS, workerSockets: ['/data/engine.sock'] });
    expect(one).toBe(renderBootstrap({ ...OPTIONS, workerSockets: undefined }));
  });
});
