/** Addresses that the model reads in pieces: the number, the floor and the postal code stand between street and town, or in a line of their own. */

import { endingAt, type NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';

/** Units between two parts of an address. */
const BETWEEN_UNITS = 32;
const POSTAL_CODE_BETWEEN = /^,?\s{0,4}(?:(?:[A-Z]{1,2}-)?\d{4,6}|\d{4} ?[A-Z]{2})\s$/;
/** A street with a number, and what stands behind it with its code. */
const STREET_WITH_NUMBER = lean(/\d.*\p{L}|\p{L}.*\d/u);
const CODE_AND_TOWN = /^\d{4,5} \p{Lu}[^\d]*$/u;
const BRITISH_CODE = /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\w)/;
const ENDS_WITH_BRITISH_CODE = /[ \n][A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/;
const CODE_BEHIND = /^,?[ \n]{1,2}[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\w)/;
const HOUSE_AND_STREET = lean(
  /^(?:\p{Lu}[\p{L}'’ ]{1,24} (?:Cottage|House|Farm|Lodge|Hall|Court|Barn|Villa), )?(?:(?:Flat|Apt\.?|Apartment|Unit|Suite|Room) ?\w{1,4},? )?\d{1,5}[a-z]? \p{Lu}[^\n]+$|^(?:Flat|Apt\.?|Apartment|Unit|Suite|Room) ?\w{1,4}, \p{Lu}[^\n]+$/u,
);
/** `25 Phố Huế`, and a town behind it. */
const NUMBER_FIRST = /^\d{1,5}[a-z]?(?:\/\d{1,4})? \p{Lu}[^\n,]+$/u;
const ENDS_WITH_CODE = /[\n,] ?\d{5}$/u;
const NUMBER_LAST = / \d{1,4}[a-z]?$/u;
const TOWN = lean(/^\p{Lu}[\p{L}\p{M}'’ -]+(?: \d{4,6}|, [A-Z]{2} \d{5})?(?:, \p{Lu}[\p{L}\p{M} ]+)?$/u);
/** The line of a town with its code, and the country below. */
const CODE_IN_LINE = /\n(?:[A-Z]{1,2}-)?\d{4,6} \p{Lu}[^\n\d]*$/u;
/** `Puistokatu 9 B 12, 40100 Jyväskylä`, before the country. */
const CODE_AND_TOWN_LAST = lean(/\d.*, (?:[A-Z]{1,2}-)?\d{3,6}(?: \d{2}| [A-Z]{2})? \p{Lu}[^\d,]*$/u);
const COUNTRY =
  /^(?:Austria|Österreich|Germany|Deutschland|Switzerland|Schweiz|Suisse|Svizzera|Liechtenstein|France|Francia|Frankreich|Italy|Italia|Italien|Spain|España|Spanien|Portugal|Belgium|Belgique|België|Belgien|Netherlands|The Netherlands|Nederland|Niederlande|Luxembourg|Luxemburg|Denmark|Danmark|Sweden|Sverige|Norway|Norge|Finland|Suomi|Poland|Polska|Polen|Czechia|Czech Republic|Slovakia|Slovenia|Hungary|Croatia|Serbia|Greece|Turkey|Türkiye|Estonia|Latvia|Lithuania|Ireland|United Kingdom|UK|USA|United States|Canada|México|Mexico|Brasil|Brazil|Argentina|Chile|Australia|New Zealand|India|Japan|South Africa|Romania|România|Bulgaria|Ukraine|Israel|Egypt|Morocco|Maroc|Kenya|Nigeria|Ghana|Senegal|Sénégal|China|Korea|South Korea|Taiwan|Singapore|Malaysia|Thailand|Vietnam|Philippines|Indonesia|Pakistan|Bangladesh|Colombia|Perú|Peru|Uruguay|Ecuador|Bolivia|Venezuela|Iceland|Cyprus|Malta|Bosnia and Herzegovina|North Macedonia|Albania|Georgia|Armenia)$/u;
/** A street with its number, the line of the code and the town, and a further line. */
const BEHIND_TOWN = lean(
  /^(?!(?:Flat|Apt|Apartment|Unit|Suite|Room|Floor|Building|Bldg|House|Block|Level)(?!\p{L}))[^\n]*\d[^\n]*\n[ \t]{0,4}(?:[A-Z]{1,2}-)?(?:\d{4,6}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4} ?[A-Z]{2}) \p{L}[^\d\n]{1,40}(?=\n\s*(?<rest>\S[^\n]*))/u,
);
/** Two lines and more are an address by themselves. */
const LINES = lean(/\p{L}\n\p{Lu}/u);
const NEXT_LINE = /^,? ?\n ?$/;
const BEFORE_CODE = /^,?[ \n]$/;
/** A house number, floor, door and code, in any order that people write them: ` 8, 2º izq., 41004 `. */
const HOUSE_BETWEEN = lean(
  /^(?=\D*\d)(?:(?:n[º°o]\.? ?)?\d{1,5}(?!\d)(?:[.]?[ºª°]|[a-zA-Z](?!\p{L}))?|(?:piso|puerta|esc|bajo|int|scala|interno|app|apto?|bât|étage|izq|izda|dcha|dto|esq|bis|ter|m|lok|hs|bus|[A-Z])(?!\p{L})\.?|[,/\- \n]){1,16}\.?$/iu,
);
/** The names of streets that stand before the number. */
export const STREET = lean(
  /^(?:C\/|C\.|Calle|Avda?\.?|Avenida|Plaza|Pza\.?|Plz\.?|Paseo|Pº|Ronda|Rda\.?|Camino|Carretera|Ctra\.?|Travesía|Vía|Rua|R\.|Travessa|Largo|Praça|Via|V\.|Viale|V\.le|Piazza|P\.zza|Corso|C\.so|Vicolo|Strada|Rue|Avenue|Av\.|Boulevard|Bd|Place|Chemin|Quai|Impasse|Allée|ul\.|ulica|al\.|pl\.|os\.)(?![\p{L}])|(?:straße|strasse|str\.|weg|gasse|platz|allee|ufer|damm|ring|straat|laan|gracht|kade|plein|singel|dijk|wal|steeg|dreef|plantsoen|hof|boulevard|markt|vest|pad)$/iu,
);
/** A floor and a door behind a comma: `, 3B`, `, 5 D`. */
const DOOR = /^\d{1,2} ?[ºª°]? ?[A-Z]$/u;
const COMMA = /^,? ?$/;
/** A flat in a line of its own, above the number and the street. */
const PART_OF_HOUSE =
  /^(?:(?:Flat|Apt\.?|Apartment|Unit|Suite|Room|Floor|Building|Bldg\.?|House|Block|Level) ?#?[\w-]{1,6})$/u;
/** Codes of letters and digits that nothing else looks like: Irish, Canadian, Dutch with its town. */
const CODE = /^(?:[AC-FHKNPRTV-Y]\d[\dW] [\dA-Z]{4}|[A-Z]\d[A-Z] \d[A-Z]\d|\d{4} [A-Z]{2} \p{Lu}\p{Ll}+.*)$/u;

/** `6 bis, impasse des Glycines`. */
const FRENCH_HOUSE = /^\d{1,4}(?: bis| ter)$/;
const FRENCH_STREET =
  /^(?:rue|avenue|place|boulevard|chemin|allée|quai|impasse|cours|route|passage|square|sente|ruelle) /iu;

/** `Apt 6C`, in the line below the street, above the town. */
const FLAT_ABOVE_TOWN = /^(?:Flat|Apt\.?|Apartment|Unit|Suite|Ste\.?|Room|Floor) ?#?[\w-]{1,6}[,\n]/;
/** `12 rue du Moulin à Lille`. */
const STREET_OF_TOWN = lean(
  /^\d{1,4}(?: bis| ter)?,? (?:rue|avenue|place|boulevard|chemin|allée|quai|impasse|cours) .*$/iu,
);

/** An address without what the line below its town says, unless that is a country. */
export function untilTown(text: string, span: NameSpan): NameSpan {
  const found = text.slice(span.start, span.end);
  const match = found.includes('\n') ? BEHIND_TOWN.exec(found) : null;
  if (match === null || COUNTRY.test(match.groups!.rest!.trim())) return span;
  return endingAt(span, span.start + match[0].trimEnd().length);
}

/** Whether two places are one: a code stands between them, begins the second, or ends the line below the street. */
function isOneAddress(text: string, first: NameSpan, second: NameSpan): boolean {
  if (second.start - first.end > BETWEEN_UNITS) return false;
  const between = text.slice(first.end, second.start);
  if (POSTAL_CODE_BETWEEN.test(between)) return true;
  if (HOUSE_BETWEEN.test(between) && STREET.test(text.slice(first.start, first.end))) return true;
  if (COMMA.test(between) && FRENCH_HOUSE.test(text.slice(first.start, first.end)))
    return FRENCH_STREET.test(text.slice(second.start, second.end));
  if (COMMA.test(between) && DOOR.test(text.slice(second.start, second.end))) return true;
  if (NEXT_LINE.test(between) && PART_OF_HOUSE.test(text.slice(first.start, first.end)))
    return /^\d/.test(text.slice(second.start, second.start + 1));
  if (BEFORE_CODE.test(between) && CODE.test(text.slice(second.start, second.end))) return true;
  if (between === ' ' && ENDS_WITH_CODE.test(text.slice(first.start, first.end)))
    return TOWN.test(text.slice(second.start, second.end));
  const street = text.slice(first.start, first.end);
  if (between === ' à ' && STREET_OF_TOWN.test(street)) return true;
  if (NEXT_LINE.test(between) && FLAT_ABOVE_TOWN.test(text.slice(second.start, second.end)))
    return STREET_WITH_NUMBER.test(street);
  const hasNumber = NUMBER_FIRST.test(street) || (STREET.test(street) && NUMBER_LAST.test(street));
  if (between === ', ' && hasNumber && TOWN.test(text.slice(second.start, second.end))) return true;
  if (NEXT_LINE.test(between) && CODE_IN_LINE.test(text.slice(first.start, first.end)))
    return COUNTRY.test(text.slice(second.start, second.end));
  if (between === ', ' && CODE_AND_TOWN_LAST.test(street))
    return COUNTRY.test(text.slice(second.start, second.end));
  const isStreet = between === ', ' && STREET_WITH_NUMBER.test(text.slice(first.start, first.end));
  if (isStreet && CODE_AND_TOWN.test(text.slice(second.start, second.end))) return true;
  if (BEFORE_CODE.test(between) && BRITISH_CODE.test(text.slice(second.start, second.start + 9))) return true;
  const isCodeBehind = CODE_BEHIND.test(text.slice(second.end, second.end + BETWEEN_UNITS));
  const isLast = isCodeBehind || ENDS_WITH_BRITISH_CODE.test(text.slice(second.start, second.end));
  if (!isLast || (between !== ', ' && !NEXT_LINE.test(between))) return false;
  return (
    HOUSE_AND_STREET.test(text.slice(first.start, first.end)) ||
    LINES.test(text.slice(first.start, first.end))
  );
}

/** `Calle Mayor 3` and `Madrid` are one place where only a comma and a postal code stand between them. */
export function joinAddresses(text: string, spans: readonly NameSpan[]): NameSpan[] {
  const joined: NameSpan[] = [];
  for (const given of spans) {
    let span = given;
    for (let last = joined.at(-1); last !== undefined && arePlaces(last, span); last = joined.at(-1)) {
      if (!isOneAddress(text, last, span)) break;
      joined.pop();
      span = { ...last, end: span.end, score: Math.min(last.score, span.score) };
    }
    joined.push(span);
  }
  return joined;
}

function arePlaces(one: NameSpan, other: NameSpan): boolean {
  return one.type === 'LOCATION' && other.type === 'LOCATION';
}
