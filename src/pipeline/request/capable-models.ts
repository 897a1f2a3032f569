import { SluiceError } from '../../core/errors.js';
import type { Endpoint, ModelChoice } from '../../core/settings.js';
import { speaks } from '../../dialects/providers.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';

/**
 * The models of an endpoint that can answer this call: all of them, unless the API cannot be translated. Throws
 * `invalid_request` where there is none, or where their answers could not be compared.
 */
export function capableModels(
  { dialect }: Exchange,
  endpoint: Endpoint,
  services: Pick<Services, 'directory'>,
): readonly ModelChoice[] {
  if (dialect.untranslated === undefined) return endpoint.models;
  const capable = endpoint.models.filter((choice) => {
    const provider = services.directory.provider(choice.provider);
    return provider === undefined || speaks(provider, dialect.id);
  });
  if (capable.length === 0) {
    const names = [...new Set(endpoint.models.map(({ provider }) => `"${provider}"`))].join(', ');
    throw refusal(
      `No provider of the endpoint "${endpoint.name}" has the API ${dialect.id}, which cannot be translated: ${names}.`,
    );
  }
  const models = [...new Set(capable.map(({ model }) => `"${model}"`))];
  if (dialect.answers === 'vectors' && models.length > 1 && !endpoint.same_vectors) {
    throw refusal(
      `The endpoint "${endpoint.name}" has more than one model, ${models.join(', ')}, and vectors of two models do not mix. Use an endpoint with one, or say "same_vectors: true" there.`,
    );
  }
  return capable;
}

function refusal(message: string): SluiceError {
  return new SluiceError('invalid_request', message, { param: 'model' });
}
