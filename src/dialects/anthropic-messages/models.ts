import type { ListedModel, ModelsWriter } from '../dialect.js';

/** Anthropic's models; the list is one page. */
export const writeAnthropicModels: ModelsWriter = {
  list: (endpoints) =>
    JSON.stringify({
      data: endpoints.map(toModel),
      has_more: false,
      first_id: endpoints[0]?.name ?? null,
      last_id: endpoints.at(-1)?.name ?? null,
    }),
  one: (endpoint) => JSON.stringify(toModel(endpoint)),
};

function toModel({ name, created }: ListedModel) {
  return { type: 'model', id: name, display_name: name, created_at: new Date(created * 1000).toISOString() };
}
