/** Names of fields and columns whose values are people or places, and values that the model does not know though the field tells. */
import type { Gazetteer } from '../../model/gazetteer.js';
import { SOMEBODY, sectionOf } from './sections.js';
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

/** The score of a name that its field tells, which is better evidence than a word in another script alone. */
const TOLD = 0.7;
const PERSON_KEY = new RegExp(
  `(?:first|last|full|given|family|sur|middle|maiden|display|legal|preferred|account|holder|${SOMEBODY})[_-]?names?$|` +
    '^(?:vorname|nachname|pr[ée]nom|apellidos?|cognome|sobrenome|imi[ęe]|nazwisko|voornaam|achternaam)$|' +
    '^(?:split|parse|format|normali[sz]e|greet|get|make)[_-]?(?:first|last|full|display|given|user|person)?[_-]?names?$|' +
    '^(?:greet|say[_-]?hello|initials(?:[_-]?of)?)$|^(?:sur|fore)name$|^(?:author|customer|patient|owner|assignee|employee|manager|recipient|contact|reviewer|maintainer|reporter|guest|tenant|passenger|attendee|beneficiary|(?:card|account)?[_-]?holder|bearer|payer|payee|consignee|shipper|signatory|witness|next[_-]of[_-]kin|emergency[_-]contact|titular(?:_\\w+)?|(?:konto)?inhaber(?:in)?|intestatari[oa]|titulaire|rekeninghouder|adjuster|therapist|lawyer|attorney|physician|surgeon|dentist|coach|trustee|executor|plaintiff|defendant|supervisor|mentor|technician|landlord|contact|kontakt|contatto|contacto|contato|referente|responsable|responsabile|respons[áa]vel|ansprechpartner(?:in)?|kontaktperson|betreuer(?:in)?|contactpersoon|beheerder|opiekun(?:ka)?|interlocuteur|interlocutrice|(?:signed|created|approved|reported|requested|submitted|reviewed)_by|assigned_to)$',
  'i',
);
const PLACE_KEY =
  /^(?:\w*[_-])?(?:capital|city|town|village|birth[_-]?place|place[_-]of[_-]birth|hometown|country|suburb|street|address|based[_-]in|located[_-]in|lives[_-]in|ciudad|ville|stadt|wohnort|comune|citt[àa]|cidade|miasto|woonplaats|localidad|localit[ée]|luogo(?:_di_\w+)?|lugar(?:_de_\w+)?|local_de_\w+|lieu(?:_de_\w+)?|(?:geburts|wohn|liefer)?ort|(?:geboorte|woon)?plaats|miejsce(?:_\w+)?|miejscowo[śs][ćc]|commune)$/i;
/** Fields for products and their makers, which often have the names of people but are not people. */
const THING_KEY =
  /^(?:\w*[_-])?(?:brands?|vendors?|manufacturers?|makers?|makes?|products?(?:[_-]?names?)?|models?|collections?|labels?|marques?|marken?|hersteller|fabricants?|marcas?|fabricantes?|marc(?:a|he)|produttor[ei]|merk(?:en)?|fabrikant|mark[ai]|producent|palettes?|colou?rs?|themes?|fonts?|icons?|site[_-]?names?|(?:site|page|app|book|song|album)?[_-]?titles?)$/i;
/** Fields for accounts. A value of one word is the name of an account and not of a person. */
const ACCOUNT_KEY = /(?:git\w*|npm|login|account)[_-]?(?:user)?[_-]?name$/i;
/** Fields that hold a first name or a surname where the other one stands beside them. */
export const FIRST = 'first|given|forename|vorname|pr[ée]nom|nombre|nome|imi[ęe]|voornaam';
export const LAST = 'last|family|surname|nachname|nom|apellidos?|cognome|sobrenome|nazwisko|achternaam';
const FIRST_KEY = new RegExp(`^(?:${FIRST})$`, 'i');
const LAST_KEY = new RegExp(`^(?:${LAST})$`, 'i');
/** Fields whose value is one part of a name, even where it is written in capitals. */
const PART_KEY = new RegExp(`^(?:(?:sur|last|first|given|family|fore)[_-]?name|${FIRST}|${LAST})$`, 'i');
const STREET_KEY = /address|street|stra(?:ß|ss)e|adresse|calle|rue|indirizzo|via|rua|ulica/i;
const LONGEST_VALUE = 60;
export type FieldType = 'PERSON' | 'LOCATION' | 'THING';
type FieldKind = FieldType | undefined;

/** `billingCity` as `billing_City`. */
export function inWords(key: string): string {
  return key.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_');
}

/** What a field of this name has for its value. */
export function kindOfField(name: string): FieldKind {
  const key = inWords(name);
  if (THING_KEY.test(key)) return 'THING';
  return PERSON_KEY.test(key) ? 'PERSON' : PLACE_KEY.test(key) ? 'LOCATION' : undefined;
}

/** `LangChain`, `Google LLC`, and accounts of one word. */
export function isNobody(key: string, value: string): boolean {
  return isOfMany(value) || (ACCOUNT_KEY.test(key) && !value.includes(' '));
}

/** Fields of somebody, beside which `name` is a person's. */
const FIELD_OF_SOMEBODY =
  /["']?(?<![\w-])(?:e?-?mail|phone|mobile|dob|born|birth\w*|date_of_birth|age|ssn|gender|sex|nationality|doctor|patient|customer|passenger|guest|salary)["']?\s{0,2}[:=]/i;
const BESIDE_UNITS = 80;

function isOfSomebody(text: string, keyStart: number, end: number): boolean {
  const before = text.slice(Math.max(0, keyStart - BESIDE_UNITS), keyStart);
  return FIELD_OF_SOMEBODY.test(before) || FIELD_OF_SOMEBODY.test(text.slice(end, end + BESIDE_UNITS));
}

const FIRST_BEFORE = new RegExp(`(?<![\\w-])(?:${FIRST})["']?\\s?[:=]`, 'i');
const LAST_BEHIND = new RegExp(`(?<![\\w-])(?:${LAST})["']?\\s?[:=]`, 'i');

/** Whether a field of this name has one word for its value, a part of a name. */
export function isPartOfName(key: string): boolean {
  return /names?$/i.test(key) || FIRST_KEY.test(key) || LAST_KEY.test(key);
}

/** In fields for the role or work of somebody, a value of two words is a person. */
const TWO_WORDS = /\p{Ll} \p{Lu}\p{Ll}/u;
const FIELD_OF_WORK =
  /["']?(?<![\w-])(?:role|rank|ext|extension|job|job_?title|position|department|dept|shift|badge|desk|allergies|diet|seat|birthday|mobile)["']?\s{0,2}[:=]/i;

function isBesideWork(value: string, text: string, end: number): boolean {
  return TWO_WORDS.test(value) && FIELD_OF_WORK.test(text.slice(end, end + BESIDE_UNITS));
}

/** `first: "Calliope", last: "Stathopoulou"`: each of the two names the other. */
function isHalf(text: string, key: string, keyStart: number, end: number): boolean {
  if (FIRST_KEY.test(key)) return LAST_BEHIND.test(text.slice(end, end + BESIDE_UNITS));
  return LAST_KEY.test(key) && FIRST_BEFORE.test(text.slice(Math.max(0, keyStart - BESIDE_UNITS), keyStart));
}

const NAME_KEY = /^(?:name|nome|naam|nombre|nom|nazwa)$/i;
/** Fields that belong to whatever their section is about: in `fonts:`, `primary: Georgia` is a font. */
const OF_SECTION = /^(?:primary|secondary|fallback|default|backup|main|label|title|base)$/i;

/** What the value of the field `key` is that stands at `keyStart`; the value ends at `end`. */
export function kindOfValue(text: string, key: string, keyStart: number, end: number): FieldKind {
  if (OF_SECTION.test(key) && key.toLowerCase() !== 'name')
    return sectionOf(text, keyStart) === 'THING' ? 'THING' : kindOfField(key);
  if (!NAME_KEY.test(key)) return kindOfField(key);
  return sectionOf(text, keyStart) ?? (isOfSomebody(text, keyStart, end) ? 'PERSON' : undefined);
}

export interface FieldName {
  type: FieldType;
  start: number;
  end: number;
  score: number;
}

/** Tickets and cards print the holder's name in capitals, in at least two words. */
const PRINTED_KEY =
  /holder|passenger|guest|traveller|traveler|payee|payer|remitter|recipient|consignee|beneficiary|bearer|[_-]on[_-]?card|titular|inhaber|intestatari|titulaire|houder/i;

function mayBeInCapitals(key: string, value: string): boolean {
  return PART_KEY.test(key) || (PRINTED_KEY.test(key) && value.includes(' '));
}

/** What a value is that stands in a field of this type. */
export function typeOfValue(type: FieldKind, key: string, value: string, lists: Gazetteer): FieldKind {
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

/** The name that the value of a field is, where the field says so: `last_name: "Oduya"`. */
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
  const told = isHalf(text, key, keyStart, to) ? 'PERSON' : kindOfValue(text, key, keyStart, to);
  const isAtWork = NAME_KEY.test(key) && isBesideWork(value, text, to) && isLikelyPerson(value, lists);
  const kind = typeOfValue(told ?? (isAtWork ? 'PERSON' : undefined), key, value, lists);
  return kind && { type: kind, start: from, end: to, score: TOLD };
}
