/** Names of fields and columns whose values are people or places, and values that the model does not know though the field tells. */
import type { Gazetteer } from '../../model/gazetteer.js';
import { SOMEBODY } from './sections.js';
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
function isNobody(key: string, value: string): boolean {
  return isOfMany(value) || (ACCOUNT_KEY.test(key) && !value.includes(' '));
}

/** Whether a field of this name has one word for its value, a part of a name. */
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
const PRINTED_KEY =
  /holder|passenger|guest|traveller|traveler|payee|payer|remitter|recipient|consignee|beneficiary|bearer|[_-]on[_-]?card|titular|inhaber|intestatari|titulaire|houder/i;

function mayBeInCapitals(key: string, value: string): boolean {
  return PART_KEY.test(key) || (PRINTED_KEY.test(key) && value.includes(' '));
}

/** What a value is that stands in a field of this type. */
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
  const kind = typeOfValue(kindOfField(key), key, value, lists);
  return kind && { type: kind, start: from, end: to, score: TOLD };
}
