import type { Collections } from '../../mongodb/collections.js';

/** Replaces the name of a provider by the names of all its models that logs have, which are read from the indexes. */
export async function knownModels(
  { logs }: Collections,
  project_uid: string,
  models: string[] | undefined,
): Promise<string[] | undefined> {
  const providers = models?.filter((model) => !model.includes('/')) ?? [];
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
  const named = models.filter((model) => model.includes('/'));
  const isName = (model: string | null | undefined): model is string => typeof model === 'string';
  const all = [...new Set([...named, ...found.flat().filter(isName)])];
  // No model has this name, so no log matches.
  return all.length === 0 ? ['/'] : all;
}
