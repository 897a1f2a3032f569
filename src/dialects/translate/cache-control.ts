import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Part } from '../../core/message.js';

/** The mark of a part that what stands before it may be kept in a cache, as its API has it. */
export function cacheControlOf(part: Part): JsonValue | undefined {
  return 'cacheControl' in part ? part.cacheControl : undefined;
}

/** The same as a member of what is read or written. */
export function readCacheControl(value: JsonObject): { cacheControl?: JsonValue } {
  const mark = value.cache_control;
  return mark === undefined || mark === null ? {} : { cacheControl: mark };
}

export function writeCacheControl(holder: { cacheControl?: JsonValue }): JsonObject {
  return holder.cacheControl === undefined ? {} : { cache_control: holder.cacheControl };
}
