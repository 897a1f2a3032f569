import type { JsonObject } from '../json.js';
import { keepMemberNames, MANY_MEMBERS, memberNames } from './member-names.js';
import type { Steps } from './steps.js';

const MEMBERS_AT_ONCE = 500;

/** A copy of a large object, in steps: its members but those named in `without`, then those of `added`. */
export function* copyMembers(
  from: JsonObject,
  without: readonly string[] = [],
  added: JsonObject = {},
): Steps<JsonObject> {
  const copy: JsonObject = {};
  const names: string[] = [];
  const put = (key: string, value: JsonObject[string]) => {
    names.push(key);
    // A plain assignment of this key would set the prototype and lose the member.
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
