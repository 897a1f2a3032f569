import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Part } from '../../core/message.js';

/** The mark on a part that lets the provider cache everything up to it, in the form of Anthropic's API. */
export function cacheControlOf(part: Part): JsonValue | undefined {
  return 'cacheControl' in part ? part.cacheControl : undefined;
}

/** The mark as a member, to be spread into the object that is read or written. */
export function readCacheControl(value: JsonObject): { cacheControl?: JsonValue } {
  const mark = value.cache_control;
  return mark === undefined || mark === null ? {} : { cacheControl: mark };
}

export function writeCacheControl(holder: { cacheControl?: JsonValue }): JsonObject {
  return holder.cacheControl === undefined ? {} : { cache_control: holder.cacheControl };
}
