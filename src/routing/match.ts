import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../core/json.js';
import type { When } from '../core/settings.js';

/** Whether every condition of `when` holds. Metadata values are equal only with the same type: `1` is not `"1"`. */
export function matches(when: When | undefined, tags: readonly string[], metadata: JsonObject): boolean {
  if (when === undefined) return true;
  const has = (tag: string) => tags.includes(tag);
  if (when.tags_any !== undefined && !when.tags_any.some(has)) return false;
  if (when.tags_all !== undefined && !when.tags_all.every(has)) return false;
  if (when.tags_none?.some(has)) return false;
  return Object.entries(when.metadata ?? {}).every(
    ([key, value]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value),
  );
}
