import type { ListedModel, ModelsWriter } from '../dialect.js';

/** Lists endpoints in the form of Google's models. */
export const writeGeminiModels: ModelsWriter = {
  list: (endpoints) => JSON.stringify({ models: endpoints.map(toModel) }),
  one: (endpoint) => JSON.stringify(toModel(endpoint)),
};

function toModel({ name }: ListedModel) {
  return { name: `models/${name}`, displayName: name, supportedGenerationMethods: ['generateContent'] };
}
