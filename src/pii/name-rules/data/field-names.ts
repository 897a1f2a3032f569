/** Names of fields and columns whose values are people or places, and values that the model does not know though the field tells. */
import { SOMEBODY, sectionOf } from './sections.js';

/** What the place of a name tells of it. */
const TOLD = 0.6;
const PERSON_KEY = new RegExp(
  `(?:first|last|full|given|family|sur|middle|maiden|display|legal|preferred|account|holder|${SOMEBODY})[_-]?names?$|` +
    '^(?:vorname|nachname|pr[ée]nom|apellidos?|cognome|sobrenome|imi[ęe]|nazwisko|voornaam|achternaam)$|' +
    '^(?:split|parse|format|normali[sz]e|greet|get|make)[_-]?(?:first|last|full|display|given|user|person)?[_-]?names?$|' +
    '^(?:greet|say[_-]?hello|initials(?:[_-]?of)?)$|^(?:sur|fore)name$|^(?:author|customer|patient|owner|assignee|employee|manager|recipient|contact|reviewer|maintainer|reporter|guest|tenant|passenger|attendee|beneficiary|cardholder|adjuster|therapist|lawyer|attorney|physician|surgeon|dentist|coach|trustee|executor|plaintiff|defendant|supervisor|mentor|technician|landlord|(?:signed|created|approved|reported|requested|submitted|reviewed)_by|assigned_to)$',
  'i',
);
const PLACE_KEY =
  /^(?:\w*[_-])?(?:city|town|village|birth[_-]?place|place[_-]of[_-]birth|hometown|country|suburb|street|address|based[_-]in|located[_-]in|lives[_-]in|ciudad|ville|stadt|wohnort|comune|citt[àa]|cidade|miasto|woonplaats|localidad|localit[ée]|luogo(?:_di_\w+)?|lugar(?:_de_\w+)?|local_de_\w+|lieu(?:_de_\w+)?|(?:geburts|wohn|liefer)?ort|(?:geboorte|woon)?plaats|miejsce(?:_\w+)?|miejscowo[śs][ćc]|commune)$/i;
/** What is made and sold, and who makes it: called like people, and nobody. */
const THING_KEY =
  /^(?:\w*[_-])?(?:brands?|vendors?|manufacturers?|makers?|makes?|products?(?:[_-]?names?)?|models?|collections?|labels?|marques?|marken?|hersteller|fabricants?|marcas?|fabricantes?|marc(?:a|he)|produttor[ei]|merk(?:en)?|fabrikant|mark[ai]|producent)$/i;
/** Names of accounts are no names where they are one word. */
const ACCOUNT_KEY = /(?:git\w*|npm|login|account)[_-]?(?:user)?[_-]?name$/i;
/** What is called like a part of a name, and is one where the other part stands beside it. */
export const FIRST = 'first|given|forename|vorname|pr[ée]nom|nombre|nome|imi[ęe]|voornaam';
export const LAST = 'last|family|surname|nachname|nom|apellidos?|cognome|sobrenome|nazwisko|achternaam';
const FIRST_KEY = new RegExp(`^(?:${FIRST})$`, 'i');
const LAST_KEY = new RegExp(`^(?:${LAST})$`, 'i');
/** Columns of somebody's, beside which `name` is a person's. */
const OF_SOMEBODY =
  /^(?:e?-?mail|phone|tel|mobile|city|town|address|street|zip|dob|birth\w*|age|surname|ssn|tfn|nino|nhs|suburb|pesel|cpf|bsn|passport|gender|nationality|ward|joined|hired|salary|department|role)/i;
const LONGEST_VALUE = 60;
const VALUE =
  /^\p{Lu}[\p{L}'’.-]*\p{Ll}[\p{L}'’.-]*(?: (?:(?:de|da|di|van|von|der|den|la|el|al|bin) )?\p{Lu}[\p{L}'’.-]+){0,3}$/u;

/** `OpenTelemetry Authors`, `Google LLC`. */
const OF_MANY =
  /(?:^| )(?:Inc|LLC|LLP|Ltd|Limited|Corp|Corporation|Company|GmbH|AG|Authors|Contributors|Maintainers|Developers|Team|Foundation|Project|Group|Labs|Software|Technologies|Systems|Community)\.?$/u;
/** One word with a capital inside, as accounts and companies have it: `LangChain`. `McCarthy` is a name. */
const CAMEL_CASE =
  /^(?!(?:Mac|Mc|De|Di|Le|La|Van|Fitz|O['’])\p{Lu})[^ ]*\p{Ll}\p{Lu}[^ ]*$|^\p{Lu}{2,}[^ ]*\p{Ll}/u;

export type FieldType = 'PERSON' | 'LOCATION' | 'THING';
export type FieldKind = FieldType | undefined;

/** What a field of this name has for its value. */
export function kindOfField(key: string): FieldKind {
  if (THING_KEY.test(key)) return 'THING';
  return PERSON_KEY.test(key) ? 'PERSON' : PLACE_KEY.test(key) ? 'LOCATION' : undefined;
}

/** What stands below each column of a table. `name` and `first` alone can be those of a thing, unless a column beside it is somebody's. */
export function kindsOfColumns(names: readonly string[]): FieldKind[] {
  const keys = names.map((name) => name.trim().replace(/ /g, '_'));
  const isOfSomebody = keys.some((key) => OF_SOMEBODY.test(key));
  const hasBothNames = keys.some((key) => FIRST_KEY.test(key)) && keys.some((key) => LAST_KEY.test(key));
  return keys.map((key) => {
    const isName = /^name$/i.test(key)
      ? isOfSomebody
      : hasBothNames && (FIRST_KEY.test(key) || LAST_KEY.test(key));
    return isName ? 'PERSON' : kindOfField(key);
  });
}

/** Whether a value is written as names are. */
export function isNameValue(value: string): boolean {
  return value.length <= LONGEST_VALUE && VALUE.test(value);
}

export function isNobody(key: string, value: string): boolean {
  return OF_MANY.test(value) || CAMEL_CASE.test(value) || (ACCOUNT_KEY.test(key) && !value.includes(' '));
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

/** `first: "Calliope", last: "Stathopoulou"`: each of the two names the other. */
function isHalf(text: string, key: string, keyStart: number, end: number): boolean {
  if (FIRST_KEY.test(key)) return LAST_BEHIND.test(text.slice(end, end + BESIDE_UNITS));
  return LAST_KEY.test(key) && FIRST_BEFORE.test(text.slice(Math.max(0, keyStart - BESIDE_UNITS), keyStart));
}

/** What the value of the field `key` is that stands at `keyStart`; the value ends at `end`. */
export function kindOfValue(text: string, key: string, keyStart: number, end: number): FieldKind {
  if (key.toLowerCase() !== 'name') return kindOfField(key);
  return sectionOf(text, keyStart) ?? (isOfSomebody(text, keyStart, end) ? 'PERSON' : undefined);
}

export interface FieldName {
  type: FieldType;
  start: number;
  end: number;
  score: number;
}

/** The name that the value of a field is, where the field says so: `last_name: "Oduya"`. */
export function fieldName(text: string, keyStart: number, from: number, to: number): FieldName | undefined {
  const key = /^[\w-]+/.exec(text.slice(keyStart, from))?.[0];
  const value = text.slice(from, Math.min(to, from + LONGEST_VALUE + 1));
  if (key === undefined || !isNameValue(value) || isNobody(key, value)) return undefined;
  const type = isHalf(text, key, keyStart, to) ? 'PERSON' : kindOfValue(text, key, keyStart, to);
  return type && { type, start: from, end: to, score: TOLD };
}
