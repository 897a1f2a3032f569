import type { ModelsWriter } from '../dialect.js';

/** OpenAI's list of models. */
export const writeOpenaiModels: ModelsWriter = (endpoints) =>
  JSON.stringify({
    object: 'list',
    data: endpoints.map(({ name, created }) => ({ id: name, object: 'model', created, owned_by: 'sluice' })),
  });
