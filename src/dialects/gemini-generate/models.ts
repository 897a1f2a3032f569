import type { ListedModel, ModelsWriter } from '../dialect.js';

/** Google's models. */
export const writeGeminiModels: ModelsWriter = {
  list: (endpoints) => JSON.stringify({ models: endpoints.map(toModel) }),
  one: (endpoint) => JSON.stringify(toModel(endpoint)),
};

function toModel({ name }: ListedModel) {
  return { name: `models/${name}`, displayName: name, supportedGenerationMethods: ['generateContent'] };
}
