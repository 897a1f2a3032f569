import type { ModelsWriter } from '../dialect.js';

/** Anthropic's list of models, in one page. */
export const writeAnthropicModels: ModelsWriter = (endpoints) =>
  JSON.stringify({
    data: endpoints.map(({ name, created }) => ({
      type: 'model',
      id: name,
      display_name: name,
      created_at: new Date(created * 1000).toISOString(),
    })),
    has_more: false,
    first_id: endpoints[0]?.name ?? null,
    last_id: endpoints.at(-1)?.name ?? null,
  });
