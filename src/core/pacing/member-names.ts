import type { JsonObject } from '../json.js';

/*
 * V8 takes 10 ms to list the names of an object with 75,000 members, every time, and as long to get the first one. So
 * the names of large objects are remembered when they are parsed. Such an object must not be changed.
 */

/** Listing the names of smaller objects takes a tenth of a millisecond. */
export const MANY_MEMBERS = 1_000;

const kept = new WeakMap<JsonObject, readonly string[]>();

/**
 * Does the same as Object.keys, except that in a large object, names that are whole numbers may stand in another position.
 */
export function memberNames(object: JsonObject): readonly string[] {
  const known = kept.get(object);
  if (known !== undefined) return known;
  const names = Object.keys(object);
  if (names.length >= MANY_MEMBERS) kept.set(object, names);
  return names;
}

/** Remembers the names of a large object. Call it where you create such an object and know its names. */
export function keepMemberNames(object: JsonObject, names: readonly string[]): void {
  kept.set(object, names);
}

/** Whether the object is known to be a large one. */
export function isKnownToBeLarge(object: JsonObject): boolean {
  return kept.has(object);
}

export function isEmptyObject(object: JsonObject): boolean {
  if (kept.has(object)) return false;
  for (const _name in object) return false;
  return true;
}
