/** Names in forms of one line: what `git blame` says of who wrote it, and the fields of an address or a posted form. */

import type { Gazetteer } from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { isNoThing } from '../listed-names.js';
import { FIRST, type FieldName, LAST } from './field-names.js';
import { allOf } from './stretches.js';
import { isNameValue } from './values.js';

const TOLD = 0.8;
/** `(Ada Lind  2023-11-09 14:03:55 +0545 118)`. */
const BLAMED = lean(
  /\((?<name>\p{Lu}[\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){1,3}) {1,40}\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} [+-]\d{4} {1,8}\d{1,7}\)/gu,
);
const BLAMED_SIGN = / \d{2}:\d{2}:\d{2} [+-]\d{4} {1,8}\d{1,7}\)/;
/** `first=Ada&last=Lind`, with another field beside it. */
const KEY = `(?:${FIRST}|${LAST}|(?:first|last|full|given|family|sur)[_-]?name)`;
const QUERY = lean(
  `(?:(?<=[?&])${KEY}=(?<one>\\p{Lu}[\\p{L}\\p{M}'’+-]{0,40}\\p{L})(?=[&"'\\s#]|$)|(?<=["'])${KEY}=(?<two>\\p{Lu}[\\p{L}\\p{M}'’+-]{0,40}\\p{L})(?=&)|(?<=\\s|^)${KEY}=(?<three>\\p{Lu}[\\p{L}\\p{M}'’+-]{0,40}\\p{L})(?=&\\w{1,20}=))`,
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
    if (isNameValue(value) && isNoThing(value.replaceAll('+', ' '), lists))
      found.push({ type: 'PERSON', start: end - value.length, end, score: TOLD });
  }
  return found;
}
