/** What stands below the head of a column of a table. */

import type { Gazetteer } from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { FIRST, type FieldName, type FieldType, inWords, kindOfField, LAST } from './field-names.js';
import { isSomebody } from './sections.js';
import {
  isLikelyPerson,
  isListedPlace,
  isOfMany,
  isPersonValue,
  isPlaceholder,
  isPlaceValue,
  isStreetValue,
} from './values.js';

/**
 * The score of a name in such a column: its head is better evidence than the model, which does not see it.
 */
const LISTED = 0.8;
/** `ROLE`: people or companies. `PERHAPS`: towns or other things, so the word lists must know the value. */
export type ColumnKind = FieldType | 'ROLE' | 'PERHAPS' | undefined;

const FULL_NAME = /^full_?name$/i;
const NAME = /^(?:customer_)?(?:name|nome|naam|nombre|nom|imi[ęe]_i_nazwisko)$/i;
const FIRST_KEY = lean(`^(?:${FIRST})$`, 'i');
const LAST_KEY = lean(`^(?:${LAST})$`, 'i');
/** Columns that describe a person: beside them, `name` is the name of a person. */
const OF_SOMEBODY =
  /^(?:e?-?mail|phone|tel|mobile|handy|city|town|address|street|zip|dob|birth|born|age$|surname|ssn|tfn|nino|nhs|suburb|pesel|cpf|bsn|dni|nif|nie$|codice_fiscale|steuer|passport|gender|nationality|ward|joined|hired|member|salary|department|role|ort$|wohnort|plz|geb|stadt|ville|date_de_naissance|naissance|ciudad|municipio|nacimiento|comune|citt[àa]|nascita|cidade|nascimento|woonplaats|plaats|miasto|miejscowo|data_ur)/i;
/** Columns that describe a thing: beside them, `name` is the name of a thing. */
const OF_THING =
  /^(?:version|licen[cs]e|sku|price|prix|preis|precio|prezzo|pre[çc]o|prijs|cena|stock|image|port|size|weight|stars|downloads|runtime|category|kategorie|brand|vendor)$/i;
const STREET =
  /(?:^|_)(?:address|street|stra(?:ß|ss)e|adresse|anschrift|rue|calle|direcci[óo]n|domicilio|indirizzo|via|endere[çc]o|rua|morada|adres|ulica|straat)$/i;
const PLACE = lean(
  /^(?:municipio|provincia|prov[ií]ncia|concelho|freguesia|gemeente|gmina|powiat|kreis|gemeinde|d[ée]partement|r[ée]gion|county|province|capital|ville_\p{L}+)$/iu,
);
const PERHAPS =
  /^(?:state|from|to|base|based|home|origin|destination|location|site|office|branch|standort|niederlassung|lieu|sede|lugar|local|locatie|vestiging|von|nach|de|vers|da|van|naar|z|do)$/i;
const THING =
  /^(?:club|company|firm|firma|empresa|entreprise|soci[ée]t[ée]|azienda|bedrijf|employer|organi[sz]ation|hotel|colou?r|farbe|theme|font|feature|status|priority|currency|type|size|category|kategorie|item|artikel|product|produkt|produit|producto|prodotto|produto|nom_(?:du_)?produit|nazwa_produktu|plan|species|breed|dish|level|lager|warehouse|room|zimmer|raum|salle|sala|halle|bay|seat)$/i;

/** What stands below each column of a table. `name` and `first` alone can be those of a thing, unless a column beside it is somebody's. */
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
    if (isSomebody(key)) return 'ROLE';
    if (PLACE.test(key) || STREET.test(key)) return 'LOCATION';
    return THING.test(key) ? 'THING' : PERHAPS.test(key) ? 'PERHAPS' : undefined;
  });
}

/** What a value is that stands below a head of this kind. */
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

/** Adds what a value is; `start` is where it begins in the text. */
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
