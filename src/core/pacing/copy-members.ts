import type { JsonObject } from '../json.js';
import { keepMemberNames, MANY_MEMBERS, memberNames } from './member-names.js';
import type { Steps } from './steps.js';

const MEMBERS_AT_ONCE = 500;

/** A plain assignment of this key would set the prototype and lose the member. */
export function* copyMembers(
  from: JsonObject,
  without: readonly string[] = [],
  added: JsonObject = {},
): Steps<JsonObject> {
  const copy: JsonObject = {};
  const names: string[] = [];
  const put = (key: string, value: JsonObject[string]) => {
    names.push(key);
    // Written plainly, this one key would set the prototype and be gone.
    if (key === '__proto__') {
      Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
    } else {
      copy[key] = value;
    }
  };
  const keys = memberNames(from);
  if (keys.length > MEMBERS_AT_ONCE) yield;
  for (const [index, key] of keys.entries()) {
    if (index % MEMBERS_AT_ONCE === MEMBERS_AT_ONCE - 1) yield;
    if (!without.includes(key) && !Object.hasOwn(added, key)) put(key, from[key]!);
  }
  for (const key of Object.keys(added)) put(key, added[key]!);
  if (names.length >= MANY_MEMBERS) keepMemberNames(copy, names);
  return copy;
}
