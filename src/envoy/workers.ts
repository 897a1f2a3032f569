import { ATTEMPTS_CLUSTER, chainRoute, ENGINE_CLUSTER, ROUTE_HEADER, workerCluster } from './names.js';

const TYPE = 'type.googleapis.com/envoy.extensions';

/** A part of Envoy's configuration, as far as this file uses it. */
type Part = Record<string, ReturnType<typeof JSON.parse>>;

/**
 * The bootstrap for an engine with several workers. A request goes to the worker with the fewest requests. That
 * worker names itself in the route that it chooses, so that the attempts of the request go to it too.
 */
export function withWorkers(bootstrap: Part, sockets: readonly string[]): Part {
  const changed = structuredClone(bootstrap);
  const workers = sockets.map((_socket, index) => index + 1);
  const { listeners, clusters } = changed.static_resources;
  const manager: Part = listeners[0].filter_chains[0].filters[0].typed_config;
  const router = named(manager.http_filters, 'envoy.filters.http.router').typed_config;
  const attempt = named(router.upstream_http_filters, 'attempt').typed_config;
  const { routes } = manager.route_config.virtual_hosts[0];
  const forAttempts = named(clusters, ATTEMPTS_CLUSTER);
  clusters.push(...workerClusters(forAttempts, sockets));
  for (const cluster of [named(clusters, ENGINE_CLUSTER), forAttempts]) toAll(cluster, sockets);
  routes.splice(-1, 0, ...workers.map((worker) => chainTo(worker, routes.at(-1), attempt.grpc_service)));
  named(manager.http_filters, 'gateway').typed_config.grpc_service.retry_policy = retryElsewhere();
  // Each worker gets the access log of all attempts that failed and ignores those of other workers.
  manager.access_log = workers.map((worker) => logTo(worker, manager.access_log[0]));
  router.upstream_log = workers.map((worker) => logTo(worker, router.upstream_log[0]));
  return changed;
}

/** A cluster for each worker, used by its attempts and its access log. */
function workerClusters(forAttempts: Part, sockets: readonly string[]): Part[] {
  return sockets.map((path, index) => {
    const name = workerCluster(index + 1);
    return { ...forAttempts, name, load_assignment: assignment(name, [path]) };
  });
}

function toAll(cluster: Part, sockets: readonly string[]): void {
  cluster.lb_policy = 'LEAST_REQUEST';
  cluster.load_assignment = assignment(cluster.name, sockets);
}

function assignment(name: string, paths: readonly string[]) {
  return {
    cluster_name: name,
    endpoints: [{ lb_endpoints: paths.map((path) => ({ endpoint: { address: { pipe: { path } } } })) }],
  };
}

/** The route for a chain of models, with the attempt filter's streams going to one worker. */
function chainTo(worker: number, { route }: Part, service: Part): Part {
  const grpc_service = { ...service, envoy_grpc: { cluster_name: workerCluster(worker) } };
  return {
    match: { prefix: '/', headers: [{ name: ROUTE_HEADER, string_match: { exact: chainRoute(worker) } }] },
    route,
    typed_per_filter_config: {
      attempt: {
        '@type': `${TYPE}.filters.http.ext_proc.v3.ExtProcPerRoute`,
        overrides: { grpc_service },
      },
    },
  };
}

/** Where a worker, or its engine, does not answer, the request goes to another one: nothing of it was read yet. */
export function retryElsewhere(): Part {
  return {
    retry_on: 'connect-failure,refused-stream',
    num_retries: 2,
    retry_back_off: { base_interval: '0.005s', max_interval: '0.05s' },
    retry_host_predicate: [
      {
        name: 'envoy.retry_host_predicates.previous_hosts',
        typed_config: { '@type': `${TYPE}.retry.host.previous_hosts.v3.PreviousHostsPredicate` },
      },
    ],
    host_selection_retry_max_attempts: 10,
  };
}

function logTo(worker: number, log: Part): Part {
  const changed = structuredClone(log);
  changed.typed_config.common_config.grpc_service.envoy_grpc.cluster_name = workerCluster(worker);
  return changed;
}

export function named(parts: Part[], name: string): Part {
  const found = parts.find((part) => part.name === name);
  if (found === undefined) throw new Error(`envoy/bootstrap.yaml has no ${name}`);
  return found;
}
