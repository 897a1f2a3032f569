import { SluiceError } from '../../core/errors.js';
import type { Endpoint, ModelChoice } from '../../core/settings.js';
import { conversationStart } from '../../dialects/conversation-start.js';
import { type StickyValue, stickyValue } from '../../policy/sticky/sticky-value.js';
import { type Plan, planAttempts } from '../../routing/plan.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { capableModels } from './capable-models.js';

/** The models to try, in order. Throws where there is none: `model_not_found`, `upstream_unavailable`, `invalid_request`. */
export function makePlan(exchange: Exchange, endpoint: Endpoint, services: Services): Plan {
  const sticky = stickyOf(exchange, endpoint);
  const isConfigured = ({ provider }: ModelChoice) => services.directory.provider(provider) !== undefined;
  const { tags, metadata } = exchange.received!;
  const plan = planAttempts({
    models: capableModels(exchange, endpoint, services),
    tags,
    metadata,
    logId: exchange.id,
    ...(sticky === undefined ? {} : { stickyValue: `${exchange.project.uid}/${sticky.value}` }),
    isConfigured,
    isCooling: (choice) => services.cooling.isCooling(choice),
  });
  const [first, ...rest] = plan.models;
  if (first === undefined) {
    throw new SluiceError(
      'model_not_found',
      `No model of the endpoint "${endpoint.name}" fits this request: its tags and metadata match no "when".`,
      { param: 'model' },
    );
  }
  if (!isConfigured(first)) {
    throw new SluiceError('upstream_unavailable', `The provider "${first.provider}" is not configured.`);
  }
  return exchange.admission?.decision.skipsFirst && rest.length > 0 ? { ...plan, models: rest } : plan;
}

/**
 * The value by which a sticky endpoint draws models. Undefined where the endpoint is not sticky or the request has no
 * such value.
 */
function stickyOf(exchange: Exchange, { sticky }: Endpoint): StickyValue | undefined {
  if (sticky === undefined) return undefined;
  exchange.sticky ??= stickyValue(sticky, {
    metadata: exchange.received!.metadata,
    headers: exchange.headers,
    conversationStart: () => conversationStart(exchange.received!.document.value),
  });
  return exchange.sticky;
}
