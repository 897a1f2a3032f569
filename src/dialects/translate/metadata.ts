import type { DialectId } from '../../core/dialect-ids.js';
import type { JsonObject } from '../../core/json.js';
import type { RequestView } from '../dialect.js';

const MAX_PAIRS = 16;
const MAX_KEY_LENGTH = 64;
const MAX_VALUE_LENGTH = 512;

/**
 * The part of a client's metadata that a provider of `dialect` may see: OpenAI gets all of it where the client set
 * `store` and it fits OpenAI's limits, Anthropic gets the `user_id`, others get nothing.
 */
export function metadataForProvider(view: RequestView, dialect: DialectId): JsonObject | undefined {
  if (view.metadata === null) return undefined;
  if (dialect === 'anthropic.messages') {
    const user = view.metadata.user_id;
    return typeof user === 'string' ? { user_id: user } : undefined;
  }
  return view.store && fitsOpenai(view.metadata) ? view.metadata : undefined;
}

function fitsOpenai(metadata: JsonObject): boolean {
  const pairs = Object.entries(metadata);
  return (
    pairs.length <= MAX_PAIRS &&
    pairs.every(
      ([key, value]) =>
        key.length <= MAX_KEY_LENGTH && typeof value === 'string' && value.length <= MAX_VALUE_LENGTH,
    )
  );
}
