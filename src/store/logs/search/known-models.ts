import type { Collections } from '../../mongodb/collections.js';

/** Replaces the name of a provider by the names of all its models that logs have, which are read from an index. */
export async function knownModels(
  { logs }: Collections,
  project_uid: string,
  models: string[] | undefined,
): Promise<string[] | undefined> {
  const providers = models?.filter((model) => !model.includes('/')) ?? [];
  if (models === undefined || providers.length === 0) return models;
  const found = await Promise.all(
    providers.map((provider) =>
      // `0` is the character after `/`, so the range ends with the last model of the provider.
      logs.distinct('model', { project_uid, model: { $gte: `${provider}/`, $lt: `${provider}0` } }),
    ),
  );
  const named = models.filter((model) => model.includes('/'));
  const all = [...new Set([...named, ...found.flat().filter((model) => model !== null)])];
  // No model has this name, so no log matches.
  return all.length === 0 ? ['/'] : all;
}
