import { type ListedModel, MODEL_CREATED, type ModelsWriter } from '../dialect.js';

/** Lists endpoints in the form of OpenAI's models. */
export const writeOpenaiModels: ModelsWriter = {
  list: (endpoints) => JSON.stringify({ object: 'list', data: endpoints.map(toModel) }),
  one: (endpoint) => JSON.stringify(toModel(endpoint)),
};

function toModel({ name }: ListedModel) {
  return { id: name, object: 'model', created: MODEL_CREATED, owned_by: 'sluice' };
}
