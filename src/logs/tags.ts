import type { JsonObject } from '../core/json.js';
import { memberSpans } from '../core/json-scan.js';

/**
 * The most tags of one log, both at its creation and after later changes. Each tag is an entry in an index of MongoDB
 * and a count, so without a limit a few requests with thousands of keys would keep it busy for seconds.
 */
export const MOST_TAGS = 256;

/**
 * The tags of a new log, from the top-level keys of its metadata, in order. A string, number or boolean gives
 * `key:value`, null gives `key`; objects, arrays and empty keys give no tag. Duplicates, and everything after
 * `MOST_TAGS`, are left out. `written` returns the JSON text of the metadata.
 */
export function tagsOf(metadata: JsonObject, written = () => JSON.stringify(metadata)): string[] {
  return allTags(metadata, written).slice(0, MOST_TAGS);
}

/** How many tags of the metadata a new log does not get. */
export function tagsLeftOut(metadata: JsonObject): number {
  return Math.max(0, allTags(metadata, () => JSON.stringify(metadata)).length - MOST_TAGS);
}

function allTags(metadata: JsonObject, written: () => string): string[] {
  const tags = new Set<string>();
  for (const key of keysAsWritten(metadata, written)) {
    const value = metadata[key]!;
    if (key === '') continue;
    if (value === null) tags.add(key);
    else if (typeof value !== 'object') tags.add(`${key}:${value}`);
  }
  return [...tags];
}

/** JavaScript objects list keys that are whole numbers first, whatever their order in the text. */
function keysAsWritten(metadata: JsonObject, written: () => string): Iterable<string> {
  const keys = Object.keys(metadata);
  if (!keys.some((key) => /^\d+$/.test(key))) return keys;
  const text = written();
  return new Set(Array.from(memberSpans(text, text.indexOf('{')), ({ key }) => key));
}
