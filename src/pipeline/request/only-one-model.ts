import { SluiceError } from '../../core/errors.js';
import type { Exchange } from '../exchange/exchange.js';

/**
 * For an Envoy without a chain: the plan has one model, or throws `chain_unavailable`. An endpoint that never goes on to
 * its next model needs no chain.
 */
export function onlyOneModel(exchange: Exchange): void {
  const { endpoint } = exchange;
  const { models } = exchange.plan!;
  if (models.length > 1 && endpoint?.fallback_on.length === 0) {
    exchange.plan = { ...exchange.plan!, models: models.slice(0, 1) };
  }
  if (exchange.plan!.models.length === 1) return;
  throw new SluiceError(
    'chain_unavailable',
    `The endpoint "${endpoint?.name}" has ${models.length} models to try for this request, and the Envoy in front of it can try one.`,
    { param: 'model' },
  );
}
