import type { JsonObject } from '../core/json.js';

/**
 * The tags of a new log, from the top-level keys of its metadata, in their order: a string, number or boolean
 * gives `key:value`, null gives `key`, objects and arrays give none, nor do empty keys. Repeats collapse.
 */
export function tagsOf(metadata: JsonObject): string[] {
  const tags = new Set<string>();
  for (const [key, value] of Object.entries(metadata)) {
    if (key === '') continue;
    if (value === null) tags.add(key);
    else if (typeof value !== 'object') tags.add(`${key}:${value}`);
  }
  return [...tags];
}
