import { SluiceError } from '../../core/errors.js';
import type { Endpoint, ModelChoice } from '../../core/settings.js';
import { planAttempts } from '../../routing/plan.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { capableModels } from './capable-models.js';

/** The models to try, in order. Throws where there is none: `model_not_found`, `upstream_unavailable`, `invalid_request`. */
export function makePlan(exchange: Exchange, endpoint: Endpoint, services: Services): ModelChoice[] {
  const isConfigured = ({ provider }: ModelChoice) => services.directory.provider(provider) !== undefined;
  const { tags, metadata } = exchange.received!;
  const models = planAttempts({
    models: capableModels(exchange, endpoint, services),
    tags,
    metadata,
    logId: exchange.id,
    isConfigured,
    isCooling: (choice) => services.cooling.isCooling(choice),
  });
  const [first] = models;
  if (first === undefined) {
    throw new SluiceError(
      'model_not_found',
      `No model of the endpoint "${endpoint.name}" fits this request: its tags and metadata meet no "when".`,
      { param: 'model' },
    );
  }
  if (!isConfigured(first)) {
    throw new SluiceError('upstream_unavailable', `The provider "${first.provider}" is not configured.`);
  }
  return exchange.admission?.decision.skipsFirst && models.length > 1 ? models.slice(1) : models;
}
