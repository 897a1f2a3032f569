/**
 * What the values of fields and columns look like: names of people, names of places, and values that are neither.
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
/** A surname with a small word before it: `van der Meulen`. */
const WITH_PARTICLE = lean(`^(?:${PARTICLES})+${WORD}(?:[ -]${WORD})?$`, 'u');
/** `O'Brien, Connor`. */
const PAIR = `(?:${PARTICLES})*(?:[ÓO] )?${WORD}(?: (?:${PARTICLES})?${WORD}){0,2}, ${WORD}(?: (?:${WORD}|\\p{Lu}\\.?)){0,2}`;
const IS_PAIR = lean(`^${PAIR}$`, 'u');
const CAPITALS =
  /^(?:\p{Lu}\.? ){0,2}(?:\p{Lu}['’])?\p{Lu}{2,}(?: \p{Lu}\.?){0,2}(?:[ '’-](?:\p{Lu}['’])?\p{Lu}{2,}){0,5}$/u;
const TOWN_IN_CAPITALS = /^\p{Lu}{3,}(?:[ '’-]\p{Lu}{2,}){0,3}$/u;
/** Of a script without capitals. */
const OTHER_SCRIPT = lean(/^[\p{Lo}\p{M}]{2,12}(?:[ ·・‌-][\p{Lo}\p{M}]{1,12}){0,3}$/u);
const PLACE = `(?:['’][st]-)?\\p{Lu}[\\p{L}\\p{M}'’ʻ.-]+(?: (?:(?:am|an der|ob der|im|in|bei|auf|upon|on|under|le|the|de|de la|del|di|do|da|du|d['’]|sur|sous|nad|pod|aan de|aan den|op|of|and|i|y|e) ?)?\\p{Lu}[\\p{L}\\p{M}'’ʻ.-]+){0,3}`;
/** `Newcastle upon Tyne`, `Tulsa, OK`. */
const PLACE_VALUE = lean(`^${PLACE}(?:, (?:\\p{Lu}{2}|${PLACE}))?$`, 'u');
/** `Am Wall 3`, `12 Peace Avenue`. */
const STREET_VALUE = lean(
  `^(?:\\d{1,5}\\p{L}?,? )?(?:\\p{Ll}{2,6}\\.? )?${PLACE}(?:,? \\d{1,4}(?: ?\\p{L}|[/-]\\d{1,4})?)?$`,
  'u',
);
/** `OpenTelemetry Authors`, `Google LLC`. */
const OF_MANY =
  /(?:^|[ ,])(?:Inc|LLC|LLP|Ltd|Limited|Corp|Corporation|Company|Co|GmbH|AG|KG|SARL|S\.?A|S\.?r\.?l|S\.?p\.?A|BV|B\.V|Authors|Contributors|Maintainers|Developers|Team|Foundation|Project|Group|Labs|Software|Technologies|Systems|Community|Holdings?|Partners|Associates|Brothers|Bros|Sons|Industries|Logistics|Solutions|Services|Consulting|Trading|Enterprises|Ventures|Capital|Bank|Agency|Studios?|Shop|Store|Hotel|Café|Restaurant|Farms?|School|Clinic|Council|Hospital|Pharmacy|Garage|Motors|Insurance|Airlines|University|College)\.?$/u;
/** One word with a capital inside, as accounts and companies have it: `LangChain`. `McCarthy` is a name. */
const CAMEL_CASE =
  /^(?!(?:Mac|Mc|De|Di|Le|La|Van|Fitz|O['’])\p{Lu})[^ ]*\p{Ll}\p{Lu}[^ ]*$|^\p{Lu}{2,}[^ ]*\p{Ll}/u;
/** Values of empty fields, and values that programs and tables use for themselves. */
const PLACEHOLDER =
  /^(?:n\/?a|none|null|nil|undefined|unknown|unbekannt|inconnue?|desconocid[oa]|sconosciut[oa]|desconhecid[oa]|onbekend|nieznan[yae]|tb[dac]|todo|pending|offen|default|any|all|others?|various|remote|online|everywhere|anywhere|nowhere|localhost|test|example|sample|placeholder|city|town|country|village|address|name|(?:first|last|full|user)[ _-]?name|surname|value|string|text|required|optional|hidden|empty|missing|fehlt|manquant|falta|em falta|manca|brak|yes|no|true|false|open|closed|active|inactive|enabled|disabled|root|admin|system|guest|user|anonymous|nobody|global|worldwide|international|emea|apac|latam|amer|dach|nordics|benelux|local|primary|secondary|main|billing|shipping|headquarters|hq)$/i;

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

export function isInCapitals(value: string): boolean {
  return CAPITALS.test(value);
}

/** `GREEN VALLEY FARM` as `Green Valley Farm`. */
function capitalised(value: string): string {
  return value.replace(/(?<=\p{Lu})\p{Lu}+/gu, (rest) => rest.toLowerCase());
}

/** Whether it is no single person: a company, or one word as accounts have it. */
export function isOfMany(value: string): boolean {
  return OF_MANY.test(isInCapitals(value) ? capitalised(value) : value) || CAMEL_CASE.test(value);
}

/** Written as the name of a person in a field or column for one. */
export function isPersonValue(value: string): boolean {
  if (value.length > LONGEST_VALUE || isOfMany(value)) return false;
  return [VALUE, WITH_PARTICLE, IS_PAIR, CAPITALS, OTHER_SCRIPT].some((form) => form.test(value));
}

/** Written as a place in a field or column for one: also in capitals, with its state, in any script. */
export function isPlaceValue(value: string): boolean {
  if (value.length > LONGEST_VALUE) return false;
  return [PLACE_VALUE, TOWN_IN_CAPITALS, OTHER_SCRIPT].some((form) => form.test(value));
}

export function isStreetValue(value: string): boolean {
  return value.length <= LONGEST_VALUE && /\p{Ll}{2}/u.test(value) && STREET_VALUE.test(value);
}

const flagsOf = (word: string, lists: Gazetteer) => lists.find(wordKey(word, 0, word.length));
/** Word lists whose words do not name a person. */
const NOBODY =
  LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_ORGANIZATION | LIST_LARGE_CITY | LIST_PRODUCT | LIST_REGION;

/** Whether no word of `name` is in one of these lists. */
export function isNoThing(name: string, lists: Gazetteer): boolean {
  // Two first names with a hyphen are one.
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

/** A surname without the small words in it. */
function withoutParticles(name: string): string {
  return name.replace(ALL_PARTICLES, '');
}

/** Somebody, by what the lists know of the words: where a field may as well have a firm, or an account. */
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

/** `GREEN VALLEY`: called like somebody, and like a part of a place. */
const NO_GIVEN_NAME = (NOBODY & ~LIST_LARGE_CITY) | LIST_STREET;

/** A first name of a list and a surname of one or of none: a person also where both are in capitals. */
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

/** `tomasz wilk`, as people fill in forms: a first name, and a word that is no ordinary one. */
export function isSmallFullName(value: string, lists: Gazetteer): boolean {
  const first = SMALL_FULL_NAME.exec(value)?.groups?.first;
  if (first === undefined || isPlaceholder(value)) return false;
  const flags = flagsOf(first, lists);
  const isGiven = (flags & LIST_FIRST_NAME) !== 0 && (flags & NO_GIVEN_NAME) === 0;
  return isGiven && (flagsOf(value.slice(first.length + 1), lists) & (LIST_COMMON | LIST_PRODUCT)) === 0;
}

/** A town, region or country of the lists. */
export function isListedPlace(value: string, lists: Gazetteer): boolean {
  const places = LIST_CITY | LIST_LARGE_CITY | LIST_REGION | LIST_PLACE | LIST_SMALL_TOWN;
  return (flagsOf(value, lists) & places) !== 0;
}
