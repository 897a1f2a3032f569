/**
 * Recognizes fields and columns whose values are people or places by their names, and finds values that the model
 * does not know although the field announces them.
 */
import type { Gazetteer } from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { type ByLanguage, readData } from '../../words/words.js';
import {
  isFullName,
  isInCapitals,
  isLikelyPerson,
  isOfMany,
  isPersonValue,
  isPlaceholder,
  isPlaceValue,
  isSmallFullName,
  isStreetValue,
} from './values.js';

const { somebody: SOMEBODY, patterns: PATTERNS } = readData<{ somebody: string; patterns: ByLanguage }>(
  'fields',
);

/** A pattern for the names of fields and columns of one kind. */
export function fieldPattern(kind: string): RegExp {
  return lean(PATTERNS[kind]!.replace('{somebody}', SOMEBODY), 'i');
}

/** The score of a name that its field announces. That is better evidence than only a word in another script. */
const TOLD = 0.7;
const PERSON_KEY = fieldPattern('person');
const PLACE_KEY = fieldPattern('place');
/** Fields for products and their makers. These often have names of people but are not people. */
const THING_KEY = fieldPattern('thing');
/** Fields for user accounts. A value of one word is the name of an account and not of a person. */
const ACCOUNT_KEY = /(?:git\w*|npm|login|account)[_-]?(?:user)?[_-]?name$/i;
/** Fields that hold a first name or a surname where the other one stands beside them. */
export const FIRST_KEY = fieldPattern('first');
export const LAST_KEY = fieldPattern('last');
/** Fields whose value is one part of a person's name, even where it is written in capitals. */
const PART_KEY = fieldPattern('part');
const STREET_KEY = /address|street|stra(?:ß|ss)e|adresse|calle|rue|indirizzo|via|rua|ulica/i;
const LONGEST_VALUE = 60;
export type FieldType = 'PERSON' | 'LOCATION' | 'THING';
type FieldKind = FieldType | undefined;

/** Turns `billingCity` into `billing_City`. */
export function inWords(key: string): string {
  return key.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_');
}

/** What the values of a field with this name are; undefined where the name does not show it. */
export function kindOfField(name: string): FieldKind {
  const key = inWords(name);
  if (THING_KEY.test(key)) return 'THING';
  return PERSON_KEY.test(key) ? 'PERSON' : PLACE_KEY.test(key) ? 'LOCATION' : undefined;
}

/** Whether a value is not a person: `LangChain`, `Google LLC`, or one word in a field for accounts. */
function isNobody(key: string, value: string): boolean {
  return isOfMany(value) || (ACCOUNT_KEY.test(key) && !value.includes(' '));
}

/** Whether the value of a field with this name is one word, which is part of a person's name. */
function isPartOfName(key: string): boolean {
  return /names?$/i.test(key) || FIRST_KEY.test(key) || LAST_KEY.test(key);
}

export interface FieldName {
  type: FieldType;
  start: number;
  end: number;
  score: number;
}

/** Tickets and cards print the holder's name in capitals, in at least two words. */
const PRINTED_KEY = fieldPattern('printed');

function mayBeInCapitals(key: string, value: string): boolean {
  return PART_KEY.test(key) || (PRINTED_KEY.test(key) && value.includes(' '));
}

/** The type of a value in a field of this kind. */
function typeOfValue(type: FieldKind, key: string, value: string, lists: Gazetteer): FieldKind {
  if (type === undefined || type === 'THING' || isPlaceholder(value)) return type && 'THING';
  const isCapital = isInCapitals(value);
  if (type === 'LOCATION') {
    const isPlace = isCapital ? !STREET_KEY.test(key) && isPlaceValue(value) : isPlaceValue(value);
    return isPlace && !isOfMany(value)
      ? type
      : STREET_KEY.test(key) && isStreetValue(value)
        ? type
        : undefined;
  }
  const mayBePerson = isCapital
    ? mayBeInCapitals(key, value) || isFullName(value, lists)
    : isPersonValue(value) || isSmallFullName(value, lists);
  if (isNobody(key, value) || !mayBePerson) return undefined;
  return isPartOfName(key) || isLikelyPerson(value, lists) ? type : undefined;
}

/** The name in the value of a field whose own name announces one: `last_name: "Oduya"`. */
export function fieldName(
  text: string,
  keyStart: number,
  from: number,
  to: number,
  lists: Gazetteer,
): FieldName | undefined {
  const key = /^[\w-]+/.exec(text.slice(keyStart, from))?.[0];
  if (key === undefined || to - from > LONGEST_VALUE) return undefined;
  const value = text.slice(from, to);
  const kind = typeOfValue(kindOfField(key), key, value, lists);
  return kind && { type: kind, start: from, end: to, score: TOLD };
}
