import type { JsonObject, JsonValue } from '../../core/json.js';
import { isKnownToBeLarge } from '../../core/pacing/member-names.js';

/**
 * Whether two values are the same JSON, whatever the order of members. It makes no objects, and takes a fraction of the
 * time of `isDeepStrictEqual`. It takes no steps, so `one` must be of bounded size, on which the time depends.
 */
export function isSameJson(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isList(one)) return isList(other) && areSameItems(one, other);
  return !isList(other) && areSameMembers(one, other);
}

function isList(value: object): value is JsonValue[] {
  return Array.isArray(value);
}

function areSameItems(one: JsonValue[], other: JsonValue[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    if (!isSameJson(one[index]!, other[index]!)) return false;
  }
  return true;
}

function areSameMembers(one: JsonObject, other: JsonObject): boolean {
  let more = 0;
  for (const name in one) {
    if (!Object.hasOwn(other, name) || !isSameJson(one[name]!, other[name]!)) return false;
    more++;
  }
  // A look at the members of a large object takes 10 ms.
  if (isKnownToBeLarge(other)) return false;
  for (const _name in other) more--;
  return more === 0;
}
