import type { ListedModel, ModelsWriter } from '../dialect.js';

/** OpenAI's models. */
export const writeOpenaiModels: ModelsWriter = {
  list: (endpoints) => JSON.stringify({ object: 'list', data: endpoints.map(toModel) }),
  one: (endpoint) => JSON.stringify(toModel(endpoint)),
};

function toModel({ name, created }: ListedModel) {
  return { id: name, object: 'model', created, owned_by: 'sluice' };
}
