import type { ModelsWriter } from '../dialect.js';

/** Google's list of models. */
export const writeGeminiModels: ModelsWriter = (endpoints) =>
  JSON.stringify({
    models: endpoints.map(({ name }) => ({
      name: `models/${name}`,
      displayName: name,
      supportedGenerationMethods: ['generateContent'],
    })),
  });
