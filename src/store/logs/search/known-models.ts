import type { Collections } from '../../mongodb/collections.js';
import { isModelName, type LogFilter } from './log-filter.js';

/** The filter with the models of the providers that it names. */
export async function withKnownModels(
  collections: Collections,
  projectUid: string,
  filter: LogFilter,
): Promise<LogFilter> {
  const { model, failed_model: failed } = filter;
  const models = await knownModels(collections, projectUid, model);
  const failedModels = await knownModels(collections, projectUid, failed);
  if (models === model && failedModels === failed) return filter;
  return {
    ...filter,
    ...(models && { model: models }),
    // A model that never answered and was never tried last is not known, so the provider's own name stays.
    ...(failed && failedModels && { failed_model: [...new Set([...failed, ...failedModels])] }),
  };
}

/** Replaces the name of a provider by the names of all its models that logs have, which are read from the indexes. */
async function knownModels(
  { logs }: Collections,
  project_uid: string,
  models: string[] | undefined,
): Promise<string[] | undefined> {
  const providers = models?.filter((model) => !isModelName(model)) ?? [];
  if (models === undefined || providers.length === 0) return models;
  const found = await Promise.all(
    providers.flatMap((provider) => {
      // `0` is the character after `/`, so the range ends with the last model of the provider.
      const range = { $gte: `${provider}/`, $lt: `${provider}0` };
      return [
        logs.distinct('model', { project_uid, model: range }),
        logs.distinct('_last_model', { project_uid, _last_model: range }),
      ];
    }),
  );
  const named = models.filter(isModelName);
  const isName = (model: string | null | undefined): model is string => typeof model === 'string';
  const all = [...new Set([...named, ...found.flat().filter(isName)])];
  // No model has this name, so no log matches.
  return all.length === 0 ? ['/'] : all;
}
