import type { JsonObject, JsonValue } from '../core/json.js';
import { dialects } from './index.js';

const KEYS = dialects.flatMap(({ conversation }) => conversation.kept ?? []);

/** What a request says of a conversation that the provider keeps: equal where it goes on with the same one. */
export function keptConversation(request: JsonObject): JsonValue | undefined {
  const key = KEYS.find((name) => (request[name] ?? null) !== null);
  return key === undefined ? undefined : request[key];
}
