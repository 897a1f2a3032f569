/** Names in forms of one line: what `git blame` says of who wrote it, and the fields of an address or a posted form. */

import type { Gazetteer } from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { isNoThing } from '../listed-names.js';
import { FIRST, type FieldName, LAST } from './field-names.js';
import { allOf } from './stretches.js';
import { isLikelyPerson, isNameValue } from './values.js';

const TOLD = 0.8;
/** `(Ada Lind  2023-11-09 14:03:55 +0545 118)`. */
const BLAMED = lean(
  /\((?<name>\p{Lu}[\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){1,3}) {1,40}\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} [+-]\d{4} {1,8}\d{1,7}\)/gu,
);
const BLAMED_SIGN = / \d{2}:\d{2}:\d{2} [+-]\d{4} {1,8}\d{1,7}\)/;
/** `first=Ada&last=Lind`, with another field beside it. */
const PART = `(?:${FIRST}|${LAST}|(?:first|last|full|given|family|sur)[_-]?name)`;
/** Their values are firms and things as well: the lists must know the name. */
const PERHAPS =
  '(?:name|payee|payer|customer|client|contact|guest|recipient|owner|holder|attendee|passenger|sender|signer)';
const IS_PERHAPS = new RegExp(`^${PERHAPS}$`, 'i');
const KEY = `(?:${PART}|${PERHAPS})`;
/** A blank is written as either of these. */
const BLANK = /\+|%20/g;
const VALUE = "\\p{Lu}(?:[\\p{L}\\p{M}'’+-]|%20){0,40}\\p{L}";
const QUERY = lean(
  `(?:(?<=[?&])(?<key1>${KEY})=(?<one>${VALUE})(?=[&"'\\s#]|$)|(?<=["'])(?<key2>${KEY})=(?<two>${VALUE})(?=&)|(?<=\\s|^)(?<key3>${KEY})=(?<three>${VALUE})(?=&\\w{1,20}=))`,
  'gimu',
);
const QUERY_SIGN = lean(`(?:[?&"'\\s]|^)${KEY}=`, 'i');

/** In order. */
export function* blamedAuthors(text: string): Generator<void, FieldName[]> {
  const found = yield* allOf(BLAMED, text, BLAMED_SIGN);
  return found.map(({ start, groups }) => {
    const name = groups.name!;
    return { type: 'PERSON', start: start + 1, end: start + 1 + name.length, score: TOLD };
  });
}

/** In order. */
export function* queryNames(text: string, lists: Gazetteer): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  for (const { end, groups } of yield* allOf(QUERY, text, QUERY_SIGN)) {
    const value = groups.one ?? groups.two ?? groups.three!;
    const key = groups.key1 ?? groups.key2 ?? groups.key3!;
    const name = value.replace(BLANK, ' ');
    const isPerson = IS_PERHAPS.test(key) ? isLikelyPerson(name, lists) : isNoThing(name, lists);
    if (isNameValue(name) && isPerson)
      found.push({ type: 'PERSON', start: end - value.length, end, score: TOLD });
  }
  return found;
}
