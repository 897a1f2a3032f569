import type { JsonObject, JsonValue } from '../core/json.js';
import { dialects } from './index.js';

const KEYS = dialects.flatMap(({ conversation }) => conversation.kept ?? []);

/**
 * The members of a request that name a conversation which the provider keeps. They are equal in requests that
 * continue the same conversation.
 */
export function keptConversation(request: JsonObject): JsonValue | undefined {
  const key = KEYS.find((name) => (request[name] ?? null) !== null);
  return key === undefined ? undefined : request[key];
}
