import type { ModelChoice } from '../core/settings.js';
import {
  DIALECT_KEY,
  EXCHANGE_NAMESPACE,
  JOIN_KEY,
  LOG_ID_KEY,
  PAGE_KEY,
  providerCluster,
  ROUTE_NAMESPACE,
} from '../envoy/names.js';
import { providerOf } from '../pipeline/attempt/prepare-attempt.js';
import type { Exchange } from '../pipeline/exchange/exchange.js';
import type { Services } from '../pipeline/exchange/ports.js';
import { list, number, struct, text } from './messages.js';
import type { Struct } from './protocol.js';

/**
 * The dynamic metadata of a request that is sent on, which no client can access: the clusters of its chain, and the key for
 * Envoy's later messages and its own answers. `page` is the origin of the web page that makes the call, if one does.
 */
export function routeMetadata(exchange: Exchange, services: Services, key: string, page?: string): Struct {
  const groups = exchange.plan!.models.map((choice, index) =>
    struct({
      name: text(`try-${index + 1}`),
      clusters: list([
        struct({ cluster_name: text(clusterOf(exchange, choice, services)), weight: number(1) }),
      ]),
    }),
  );
  return {
    fields: {
      [ROUTE_NAMESPACE]: struct({ priority_groups: list(groups) }),
      [EXCHANGE_NAMESPACE]: struct({
        [JOIN_KEY]: text(key),
        [LOG_ID_KEY]: text(exchange.id),
        [DIALECT_KEY]: text(exchange.dialect.id),
        ...(page === undefined ? {} : { [PAGE_KEY]: text(page) }),
      }),
    },
  };
}

export function clusterOf(exchange: Exchange, choice: ModelChoice, services: Services): string {
  const provider = providerOf(exchange, choice, services);
  // Without a name Envoy finds no cluster, and the attempt gets no connection.
  return provider === undefined ? choice.provider : providerCluster(provider);
}
