import type { JsonObject } from '../json.js';

const MEMBERS_AT_ONCE = 500;

/** A copy of an object without some members, in steps: V8 takes 40 ms to spread one of 75,000. */
export function* copyMembers(from: JsonObject, without: readonly string[] = []): Generator<void, JsonObject> {
  const copy: JsonObject = {};
  const keys = Object.keys(from);
  if (keys.length > MEMBERS_AT_ONCE) yield;
  for (const [index, key] of keys.entries()) {
    if (index % MEMBERS_AT_ONCE === MEMBERS_AT_ONCE - 1) yield;
    if (without.includes(key)) continue;
    const value = from[key]!;
    // Written plainly, this one key would set the prototype and be gone.
    if (key === '__proto__') {
      Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
    } else {
      copy[key] = value;
    }
  }
  return copy;
}
