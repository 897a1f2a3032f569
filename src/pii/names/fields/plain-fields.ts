/** Fields that are a line each: `town = Dakar`, `based_in: Aarhus`, as in INI files, properties, YAML and forms. */

import type { Gazetteer } from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { allOfLines } from '../../patterns/stretches.js';
import { type FieldName, isPartOfName, kindOfValue, typeOfValue } from './field-names.js';
import { isField } from './line-signs.js';

const TOLD = 0.8;
const VALUE = "[\\p{Lu}\\p{Lo}](?:[^\"'`;:(){}<>=[\\]\\n\\r]|(?<=\\p{L})['’](?=\\p{L})){1,60}";
const FIELD = lean(
  `[ \\t]{0,16}(?:- |export )?(?<key>[A-Za-zÀ-ž][\\wÀ-ž-]{1,40}) {0,4}[=:] {0,4}(?<quote>["']?)(?<value>${VALUE})\\k<quote>[ \\t]{0,4}(?=\\r?\\n|$)`,
  'uy',
);
const FIELDS_AT_ONCE = 64;

/** Returns the names in order of their position. */
export function* plainFields(text: string, lists: Gazetteer): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  for (const [index, { end, start, groups }] of (yield* allOfLines(FIELD, text, isField)).entries()) {
    if (index % FIELDS_AT_ONCE === FIELDS_AT_ONCE - 1) yield;
    const key = groups.key!;
    const value = groups.value!.trimEnd();
    const field = text.slice(start, end);
    const from = start + field.lastIndexOf(groups.value!);
    const kind = kindOfValue(text, key, start + field.indexOf(key), end);
    const type = typeOfValue(kind, key, value, lists);
    // In fields for other things, a single word may as well be a program or a team.
    const isWhole = type !== 'PERSON' || value.includes(' ') || isPartOfName(key);
    if (type !== undefined && isWhole)
      found.push({ type, start: from, end: from + value.length, score: TOLD });
  }
  return found;
}
