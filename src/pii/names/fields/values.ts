/**
 * Says what the values of fields and columns are, by their form and the word lists: names of people, names of places,
 * or neither.
 */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PLACE,
  LIST_PRODUCT,
  LIST_REGION,
  LIST_SMALL_TOWN,
  LIST_STREET,
  wordKey,
} from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';

const LONGEST_VALUE = 60;
const PARTICLES =
  "(?:de|del|de la|de las|de los|da|das|do|dos|di|du|des|van|van de[nr]?|von|von de[nr]|vom|zu|zum|zur|den|der|ten|ter|la|le|el|al|bin|ibn|af|av|dell['’]|d['’]) ?";
const WORD = "\\p{Lu}[\\p{L}\\p{M}'’ʻ.-]+";
const VALUE = lean(
  /^\p{Lu}[\p{L}\p{M}'’ʻ.-]*\p{Ll}[\p{L}\p{M}'’ʻ.-]*(?: (?:(?:de|da|di|van|von|der|den|la|el|al|bin) )?\p{Lu}[\p{L}\p{M}'’.-]+){0,3}$/u,
);
/** A surname with a particle before it: `van der Meulen`. */
const WITH_PARTICLE = lean(`^(?:${PARTICLES})+${WORD}(?:[ -]${WORD})?$`, 'u');
/** A surname before the first name: `O'Brien, Connor`. */
const PAIR = `(?:${PARTICLES})*(?:[ÓO] )?${WORD}(?: (?:${PARTICLES})?${WORD}){0,2}, ${WORD}(?: (?:${WORD}|\\p{Lu}\\.?)){0,2}`;
const IS_PAIR = lean(`^${PAIR}$`, 'u');
const CAPITALS =
  /^(?:\p{Lu}\.? ){0,2}(?:\p{Lu}['’])?\p{Lu}{2,}(?: \p{Lu}\.?){0,2}(?:[ '’-](?:\p{Lu}['’])?\p{Lu}{2,}){0,5}$/u;
const TOWN_IN_CAPITALS = /^\p{Lu}{3,}(?:[ '’-]\p{Lu}{2,}){0,3}$/u;
/** A name in a script without capitals. */
const OTHER_SCRIPT = lean(/^[\p{Lo}\p{M}]{2,12}(?:[ ·・‌-][\p{Lo}\p{M}]{1,12}){0,3}$/u);
const PLACE = `(?:['’][st]-)?\\p{Lu}[\\p{L}\\p{M}'’ʻ.-]+(?: (?:(?:am|an der|ob der|im|in|bei|auf|upon|on|under|le|the|de|de la|del|di|do|da|du|d['’]|sur|sous|nad|pod|aan de|aan den|op|of|and|i|y|e) ?)?\\p{Lu}[\\p{L}\\p{M}'’ʻ.-]+){0,3}`;
/** A town, also with its region: `Newcastle upon Tyne`, `Tulsa, OK`. */
const PLACE_VALUE = lean(`^${PLACE}(?:, (?:\\p{Lu}{2}|${PLACE}))?$`, 'u');
/** A street with a house number: `Am Wall 3`, `12 Peace Avenue`. */
const STREET_VALUE = lean(
  `^(?:\\d{1,5}\\p{L}?,? )?(?:\\p{Ll}{2,6}\\.? )?${PLACE}(?:,? \\d{1,4}(?: ?\\p{L}|[/-]\\d{1,4})?)?$`,
  'u',
);
/** An address that is written in another way: `302 S 700 E`, `Qe 7 Bloco G`. It has a digit, a letter and a blank. */
const NUMBERED = lean(/^[\p{L}\p{M}\d.,'’/#º°-]+(?: [\p{L}\p{M}\d.,'’/#º°-]+){1,8}$/u);
const LETTER = lean(/\p{L}/u);
/** Numbers with a point inside, as in `10.0.0.1 port 22`. */
const DECIMAL = /\d\.\d/;
/** The name of a group or company: `OpenTelemetry Authors`, `Google LLC`. */
const OF_MANY =
  /(?:^|[ ,])(?:Inc|LLC|LLP|Ltd|Limited|Corp|Corporation|Company|Co|GmbH|AG|KG|SARL|S\.?A|S\.?r\.?l|S\.?p\.?A|BV|B\.V|Authors|Contributors|Maintainers|Developers|Team|Foundation|Project|Group|Labs|Software|Technologies|Systems|Community|Holdings?|Partners|Associates|Brothers|Bros|Sons|Industries|Logistics|Solutions|Services|Consulting|Trading|Enterprises|Ventures|Capital|Bank|Agency|Studios?|Shop|Store|Hotel|Café|Restaurant|Farms?|School|Clinic|Council|Hospital|Pharmacy|Garage|Motors|Insurance|Airlines|University|College)\.?$/u;
/** One word with a capital inside, as companies and accounts have it: `LangChain`. `McCarthy` is a person's name. */
const CAMEL_CASE =
  /^(?!(?:Mac|Mc|De|Di|Le|La|Van|Fitz|O['’])\p{Lu})[^ ]*\p{Ll}\p{Lu}[^ ]*$|^\p{Lu}{2,}[^ ]*\p{Ll}/u;
/** Placeholders for empty fields, and values with a meaning for programs or tables. */
const PLACEHOLDER =
  /^(?:n\/?a|none|null|nil|undefined|unknown|unbekannt|inconnue?|desconocid[oa]|sconosciut[oa]|desconhecid[oa]|onbekend|nieznan[yae]|tb[dac]|todo|pending|offen|default|any|all|others?|various|remote|online|everywhere|anywhere|nowhere|localhost|test|example|sample|placeholder|city|town|country|village|address|name|(?:first|last|full|user)[ _-]?name|surname|value|string|text|required|optional|hidden|empty|missing|fehlt|manquant|falta|em falta|manca|brak|yes|no|true|false|open|closed|active|inactive|enabled|disabled|root|admin|system|guest|user|anonymous|nobody|global|worldwide|international|emea|apac|latam|amer|dach|nordics|benelux|local|primary|secondary|main|billing|shipping|headquarters|hq)$/i;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

export function isInCapitals(value: string): boolean {
  return CAPITALS.test(value);
}

/** Turns `GREEN VALLEY FARM` into `Green Valley Farm`. */
function capitalised(value: string): string {
  return value.replace(/(?<=\p{Lu})\p{Lu}+/gu, (rest) => rest.toLowerCase());
}

/** Whether the value is not a single person but a group, a company, or one word of the kind that accounts have. */
export function isOfMany(value: string): boolean {
  return OF_MANY.test(isInCapitals(value) ? capitalised(value) : value) || CAMEL_CASE.test(value);
}

/** Whether the value is written like the name of a person. Use it for fields and columns that hold people. */
export function isPersonValue(value: string): boolean {
  if (value.length > LONGEST_VALUE || isOfMany(value)) return false;
  return [VALUE, WITH_PARTICLE, IS_PAIR, CAPITALS, OTHER_SCRIPT].some((form) => form.test(value));
}

/**
 * Whether the value is written like a place: also in capitals, with its state, and in any script. Use it for fields
 * and columns that hold places.
 */
export function isPlaceValue(value: string): boolean {
  if (value.length > LONGEST_VALUE) return false;
  return [PLACE_VALUE, TOWN_IN_CAPITALS, OTHER_SCRIPT].some((form) => form.test(value));
}

export function isStreetValue(value: string): boolean {
  if (value.length > LONGEST_VALUE) return false;
  if (/\p{Ll}{2}/u.test(value) && STREET_VALUE.test(value)) return true;
  return NUMBERED.test(value) && /\d/.test(value) && LETTER.test(value) && !DECIMAL.test(value);
}

const flagsOf = (word: string, lists: Gazetteer) => lists.find(wordKey(word, 0, word.length));
/** Word lists whose words do not name a person. */
const NOBODY =
  LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_ORGANIZATION | LIST_LARGE_CITY | LIST_PRODUCT | LIST_REGION;

/** Whether no word of `name` is in one of these lists. Frequent first names may be. */
export function isNoThing(name: string, lists: Gazetteer): boolean {
  // Two first names with a hyphen count as one.
  const isDouble = /^[^ -]+-[^ -]+$/.test(name);
  if (isDouble && name.split('-').every((word) => (flagsOf(word, lists) & LIST_FIRST_NAME) !== 0))
    return true;
  return name.split(/[ -]/).every((word) => {
    const flags = flagsOf(word, lists);
    return (flags & NOBODY) === 0 || (flags & LIST_FREQUENT_FIRST_NAME) !== 0;
  });
}

const BODY = LIST_ORGANIZATION | LIST_PRODUCT | LIST_NRP | LIST_REGION;

const ALL_PARTICLES = lean(`(?<!\\p{L})${PARTICLES}(?=\\p{Lu})`, 'gu');

/** A surname without its particles, such as `van der`. */
function withoutParticles(name: string): string {
  return name.replace(ALL_PARTICLES, '');
}

/**
 * Whether the word lists say that the value is a person. Use it for fields that may also hold companies or accounts.
 */
export function isLikelyPerson(value: string, lists: Gazetteer): boolean {
  if (isOfMany(value)) return false;
  const comma = value.indexOf(', ');
  const first = (comma < 0 ? value : value.slice(comma + 2)).split(/[ -]/)[0]!;
  const flags = flagsOf(first, lists);
  if ((flags & LIST_FREQUENT_FIRST_NAME) !== 0 && (flags & BODY) === 0) return true;
  const isFirst = (flags & LIST_FIRST_NAME) !== 0 && (flags & NOBODY) === 0;
  if (!value.includes(' ')) return isFirst || ((flags & LIST_LAST_NAME) !== 0 && (flags & NOBODY) === 0);
  return isFirst || isNoThing(withoutParticles(value.replace(',', '')), lists);
}

/**
 * A word in one of these lists does not count as a first name. Places, such as `GREEN VALLEY`, can look like the name
 * of a person.
 */
const NO_GIVEN_NAME = (NOBODY & ~LIST_LARGE_CITY) | LIST_STREET;

/**
 * Whether the value is a listed first name with a surname that is listed or in no list. Then it is a person even
 * where both are in capitals.
 */
export function isFullName(value: string, lists: Gazetteer): boolean {
  const [first = '', ...others] = value.split(' ');
  const last = others.at(-1);
  if (last === undefined || others.length > 3) return false;
  const flags = flagsOf(first, lists);
  if ((flags & LIST_FIRST_NAME) === 0 || (flags & NO_GIVEN_NAME) !== 0) return false;
  const rest = flagsOf(last, lists);
  return (rest & (LIST_LAST_NAME | LIST_FIRST_NAME)) !== 0 || rest === 0;
}

const SMALL_FULL_NAME = lean(/^(?<first>\p{Ll}{3,}) \p{Ll}{2,}$/u);

/**
 * Whether the value is a full name in lower case, as people type it into forms (`tomasz wilk`): a first name and a
 * word that is not an ordinary one.
 */
export function isSmallFullName(value: string, lists: Gazetteer): boolean {
  const first = SMALL_FULL_NAME.exec(value)?.groups?.first;
  if (first === undefined || isPlaceholder(value)) return false;
  const flags = flagsOf(first, lists);
  const isGiven = (flags & LIST_FIRST_NAME) !== 0 && (flags & NO_GIVEN_NAME) === 0;
  return isGiven && (flagsOf(value.slice(first.length + 1), lists) & (LIST_COMMON | LIST_PRODUCT)) === 0;
}

/** Whether the value is a listed town, region or country. */
export function isListedPlace(value: string, lists: Gazetteer): boolean {
  const places = LIST_CITY | LIST_LARGE_CITY | LIST_REGION | LIST_PLACE | LIST_SMALL_TOWN;
  return (flagsOf(value, lists) & places) !== 0;
}
