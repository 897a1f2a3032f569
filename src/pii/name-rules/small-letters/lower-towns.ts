/** Towns in small letters that are no large cities: in the cases of Polish, behind what is somewhere, and between travels. */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_NRP,
  LIST_PRODUCT,
  LIST_SMALL_TOWN,
  wordKey,
} from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { lowerSigns, type ToldWord } from './lower-contexts.js';

/** Longer texts are no messages. */
const LONGEST_MESSAGE = 600;
const STEMS =
  'warszaw|krak[oó]w|łodzi|wrocław|pozna[nń]|gdańsk|szczecin|bydgoszcz|lublin|białymstoku|białegostoku|białystok|katowic|gdyni|częstochow|radomi|toruni|sosnow|kielc|rzesz[oó]w|gliwic|zabrz|olsztyn|opola|opolu|zakopane|sopo[ct]|tarnow|płock|elbląg|koszalin|kalisz|przemyśl|zielonej górze|jeleniej górze|nowym sączu|nowego sącza|legnic|siedlc|zamości|leszn|konin';
const POLISH = lean(
  `(?<=(?<!\\p{L})(?:w|we|do|z|ze|pod|koło|przez|na) )(?<town>(?:${STEMS})(?!\\p{Ll}{0,2}sk)\\p{Ll}{0,4})(?![\\p{L}\\p{M}\\p{N}_@/-])`,
  'duy',
);
const HOUSES =
  'flat|house|office|hotel|room|shop|store|branch|clinic|airbnb|wg|wohnung|haus|büro|praxis|klinik|filiale|laden|zimmer|uni|appart|appartement|maison|hôtel|bureau|piso|casa|hotel|oficina|tienda|appartamento|albergo|ufficio|negozio|apartamento|loja|escritório|huis|kamer|kantoor|winkel|mieszkanie|biuro|sklep|vivir|mudarse|mudar|morar|vivere|habiter|vivre|wohnen|leben|wonen|trasferirsi|moving|based|born|im|hes|shes|theyre|stuck|staying|stay|currently|umgezogen|umziehen|verhuisd|grew up|raised';
const IN = 'in|a|à|en|em|w|we|to|near|nach|naar|outside';
const HOUSE = lean(
  `(?:${HOUSES}) (?:${IN}) (?<town>\\p{Ll}[\\p{Ll}\\p{M}]{3,})(?![\\p{L}\\p{M}\\p{N}_@/'’-])`,
  'duy',
);
const TRAVELS =
  'flights?|fly|flying|ferry|train|trains|airbnb|ryanair|easyjet|wizzair|holiday|weekend|trip|flug|flüge|fliegen|urlaub|vols?|avion|vacances|vuelos?|vacaciones|volo|voli|vacanza|voos?|férias|vlucht|vluchten|vakantie|lot|loty|wakacje';
const EITHER = lean(
  /(?<![\p{L}\p{M}'’-])(?<one>\p{Ll}[\p{Ll}\p{M}]{2,}) (?:or|vs|oder|ou|o|of|albo|lub) (?<two>\p{Ll}[\p{Ll}\p{M}]{2,})(?![\p{L}\p{M}\p{N}_@/'’-])/dgu,
);
const HAS_STEM = lowerSigns.add(STEMS);
const HAS_HOUSE = lowerSigns.add(HOUSES);
const HAS_TRAVEL = lowerSigns.add(TRAVELS);
const TOWN = LIST_CITY | LIST_LARGE_CITY | LIST_SMALL_TOWN;
const OTHERS = LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_PRODUCT;

type Range = readonly [start: number, end: number];

/** The towns of [from, to) that such words tell. `signs`: what `lowerSigns` has there, which it was asked for last. */
export function townsInSmall(
  text: string,
  from: number,
  to: number,
  lists: Gazetteer,
  signs: number,
): ToldWord[] {
  const piece = text.slice(from, to);
  const found: ToldWord[] = [];
  const add = ([start, end]: Range) => void found.push({ start: from + start, end: from + end });
  if ((signs & HAS_STEM) !== 0) {
    for (const town of namesAt(POLISH, HAS_STEM, piece, from)) add(town);
  }
  if ((signs & HAS_HOUSE) !== 0) {
    for (const town of namesAt(HOUSE, HAS_HOUSE, piece, from)) if (isTown(piece, town, lists)) add(town);
  }
  if ((signs & HAS_TRAVEL) !== 0 && piece.length <= LONGEST_MESSAGE) {
    for (const { indices } of matchesOf(piece, EITHER)) {
      const towns = [indices!.groups!.one!, indices!.groups!.two!];
      if (
        towns.every((town) => isCity(piece, town, lists)) &&
        towns.some((town) => isTown(piece, town, lists))
      )
        for (const town of towns) add(town);
    }
  }
  return found;
}

function namesAt(pattern: RegExp, bit: number, piece: string, from: number): Range[] {
  return lowerSigns.placesOf(bit).flatMap((place) => {
    pattern.lastIndex = place - from;
    const town = pattern.exec(piece)?.indices?.groups?.town;
    return town === undefined ? [] : [town];
  });
}

function isCity(piece: string, [start, end]: Range, lists: Gazetteer): boolean {
  return (lists.find(wordKey(piece, start, end)) & TOWN) !== 0;
}

/** A town, and neither an ordinary word nor a first name. */
function isTown(piece: string, [start, end]: Range, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(piece, start, end));
  return (flags & TOWN) !== 0 && (flags & (OTHERS | LIST_FIRST_NAME)) === 0;
}
