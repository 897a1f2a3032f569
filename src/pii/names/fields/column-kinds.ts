/** Says what the values in a column of a table are, by the head of the column. */

import type { Gazetteer } from '../../model/gazetteer.js';
import {
  FIRST_KEY,
  type FieldName,
  type FieldType,
  fieldPattern,
  inWords,
  kindOfField,
  LAST_KEY,
} from './field-names.js';
import {
  isLikelyPerson,
  isListedPlace,
  isOfMany,
  isPersonValue,
  isPlaceholder,
  isPlaceValue,
  isStreetValue,
} from './values.js';

/** The score of a name in such a column. The head is better evidence than the model, which does not see it. */
const LISTED = 0.8;
/** `ROLE`: people or companies. `PERHAPS`: towns or other things, so the word lists must know the value. */
export type ColumnKind = FieldType | 'ROLE' | 'PERHAPS' | undefined;

const FULL_NAME = /^full_?name$/i;
const NAME = /^(?:customer_)?(?:name|nome|naam|nombre|nom|imi[ęe]_i_nazwisko)$/i;
/** Columns whose values are people or companies: `tenant`, `Kundin`. */
const SOMEBODY = fieldPattern('somebody');
/** Columns that describe a person: beside them, `name` is the name of a person. */
const OF_SOMEBODY = fieldPattern('besideSomebody');
/** Columns that describe a thing: beside them, `name` is the name of a thing. */
const OF_THING = fieldPattern('besideThing');
const STREET = fieldPattern('street');
const PLACE = fieldPattern('placeColumn');
const PERHAPS = fieldPattern('perhapsPlace');
const THING = fieldPattern('thingColumn');

/**
 * The kind of each column of a table. In a column named `name`, the values can be names of things, unless another
 * column belongs to a person.
 */
export function kindsOfColumns(names: readonly string[]): ColumnKind[] {
  const keys = names.map((name) => inWords(name.trim().replace(/ /g, '_')));
  const isOfSomebody = keys.some((key) => OF_SOMEBODY.test(key));
  const isOfThing = !isOfSomebody && keys.some((key) => OF_THING.test(key));
  const hasBothNames = keys.some((key) => FIRST_KEY.test(key)) && keys.some((key) => LAST_KEY.test(key));
  return keys.map((key) => {
    if (hasBothNames && (FIRST_KEY.test(key) || LAST_KEY.test(key))) return 'PERSON';
    if (FULL_NAME.test(key)) return isOfThing ? 'THING' : 'PERSON';
    if (NAME.test(key)) return isOfSomebody ? 'PERSON' : isOfThing ? 'THING' : undefined;
    const kind = kindOfField(key);
    if (kind !== undefined) return kind;
    if (SOMEBODY.test(key)) return 'ROLE';
    if (PLACE.test(key) || STREET.test(key)) return 'LOCATION';
    return THING.test(key) ? 'THING' : PERHAPS.test(key) ? 'PERHAPS' : undefined;
  });
}

/** The type of a value in a column of this kind; undefined where it is neither a name nor known to be a thing. */
export function typeOfCell(
  kind: ColumnKind,
  head: string,
  value: string,
  lists: Gazetteer,
): FieldType | undefined {
  if (value === '') return undefined;
  if (kind === 'THING' || isPlaceholder(value)) return 'THING';
  if (kind === undefined) return undefined;
  if (kind === 'LOCATION') return isPlace(head, value) ? 'LOCATION' : undefined;
  if (kind === 'PERHAPS') return isPlaceValue(value) && isListedPlace(value, lists) ? 'LOCATION' : undefined;
  if (isOfMany(value)) return 'THING';
  if (!isPersonValue(value)) return undefined;
  return kind === 'PERSON' || isLikelyPerson(value, lists) ? 'PERSON' : undefined;
}

function isPlace(head: string, value: string): boolean {
  return isPlaceValue(value) || (STREET.test(inWords(head.trim())) && isStreetValue(value));
}

/** Adds the value to `found` where it has a type. `start` is its offset in the text. */
export function addCell(
  kind: ColumnKind,
  head: string,
  start: number,
  value: string,
  lists: Gazetteer,
  found: FieldName[],
): void {
  const type = typeOfCell(kind, head, value, lists);
  if (type !== undefined) found.push({ type, start, end: start + value.length, score: LISTED });
}
