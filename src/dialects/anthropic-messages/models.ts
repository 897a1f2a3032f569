import { SluiceError } from '../../core/errors.js';
import { type ListedModel, MODEL_CREATED, type ModelsWriter } from '../dialect.js';

/** The longest page of the API. Where a request has no limit, this gateway puts all models on one page. */
const MOST_LISTED = 1_000;
const CREATED_AT = new Date(MODEL_CREATED * 1000).toISOString();

/** Lists endpoints in the form of Anthropic's models, with pages. */
export const writeAnthropicModels: ModelsWriter = {
  list: (endpoints, query) => {
    const { listed, hasMore } = pageOf(endpoints, query);
    return JSON.stringify({
      data: listed.map(toModel),
      has_more: hasMore,
      first_id: listed[0]?.name ?? null,
      last_id: listed.at(-1)?.name ?? null,
    });
  },
  one: (endpoint) => JSON.stringify(toModel(endpoint)),
};

/** One page. `has_more` refers to the direction in which the client reads: after `after_id`, or before `before_id`. */
function pageOf(
  endpoints: readonly ListedModel[],
  query: URLSearchParams,
): { listed: ListedModel[]; hasMore: boolean } {
  const limit = limitOf(query) ?? endpoints.length;
  const [after, before] = [query.get('after_id'), query.get('before_id')];
  if (before !== null) {
    if (after !== null) throw wrong('before_id', "'before_id' and 'after_id' exclude each other.");
    const end = placeOf(endpoints, before, 'before_id');
    const start = Math.max(0, end - limit);
    return { listed: endpoints.slice(start, end), hasMore: start > 0 };
  }
  const start = after === null ? 0 : placeOf(endpoints, after, 'after_id') + 1;
  return { listed: endpoints.slice(start, start + limit), hasMore: start + limit < endpoints.length };
}

function limitOf(query: URLSearchParams): number | undefined {
  const given = query.get('limit');
  if (given === null) return undefined;
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > MOST_LISTED) {
    throw wrong('limit', `'limit' must be a whole number from 1 to ${MOST_LISTED}.`);
  }
  return limit;
}

function placeOf(endpoints: readonly ListedModel[], id: string, param: string): number {
  const place = endpoints.findIndex(({ name }) => name === id);
  if (place === -1) throw wrong(param, `'${param}' is no model of this project.`);
  return place;
}

function wrong(param: string, message: string): SluiceError {
  return new SluiceError('invalid_request', message, { param });
}

function toModel({ name }: ListedModel) {
  return { type: 'model', id: name, display_name: name, created_at: CREATED_AT };
}
