/** Where a place begins and ends: several that the model reads as one, the state behind a town, and what is no part of it. */

import { type Gazetteer, LIST_FIRST_NAME, LIST_FREQUENT_FIRST_NAME, wordKey } from '../../model/gazetteer.js';
import { endingAt, type NameSpan, partOf, startingAt } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { isDigitUnit } from '../../patterns/units.js';
import { firstWords, listsBehind, wordsBehind, wordsOf } from '../words-beside.js';
import { STREET, untilTown } from './addresses.js';

/** Between two places. */
const BETWEEN = /,? (?:and|via|und|et|y|e|AND|VIA|TO|UND) |, | [-–/&] (?:\d{1,4} )?| (?:or|to) (?=\p{Lu})/gu;
/** Places with such a word or sign in their names. */
const ONE_PLACE = lean(
  /^(?:Bosnia|Trinidad|Antigua|Saint|St\.?|Turks|São|Newfoundland|Tyne|Wallis|Jammu|Castile|Andaman|Svalbard|Brighton|Washington, D\.? ?C|Bosnie|Bosnien)(?!\p{L})/u,
);
const PART = lean(/^\p{Lu}[\p{L}\p{M}.'’ -]*$/u);
const CROSSING = lean(
  /(?<!\p{L})(?:corner|St|Street|Ave|Avenue|Rd|Road|Blvd|Drive|Lane|Way|Apt|Suite|Unit|Box)(?!\p{L})/u,
);
const STATE = lean(
  /^, (?:AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|ON|BC|QC|AB|NSW|QLD)(?![\p{L}\d]|,? \d)/u,
);
/** What a person is, behind the place that the person is of. */
const OFFICE =
  /,? (?:Senator|Governor|Gov\.|Sen\.|Congressman|Congresswoman|Representative|President|Mayor|Premier|Prime Minister|Chancellor|Constitution)(?: .*)?$/u;

/** The places of a span that the model reads as one place. */
export function placesOf(text: string, given: NameSpan): NameSpan[] {
  const span = untilTown(text, given);
  const found = text.slice(span.start, span.end);
  if (!found.includes(' ')) return [span];
  const office = OFFICE.exec(found);
  if (office !== null && office.index > 0 && !STREET.test(found))
    return placesOf(text, endingAt(span, span.start + office.index));
  const listed = inCapitals(span, found);
  if (listed !== undefined) return listed;
  const isAddress =
    /[\d\n]/.test(found) || /^ \d/.test(text.slice(span.end, span.end + 2)) || CROSSING.test(found);
  if (isAddress || ONE_PLACE.test(found)) return [span];
  const parts: NameSpan[] = [];
  let from = 0;
  for (const { index, 0: sign } of matchesOf(found, BETWEEN)) {
    parts.push(partOf(span, span.start + from, span.start + index));
    from = index + sign.length;
  }
  if (from === 0) return [span];
  parts.push(startingAt(span, span.start + from));
  return parts.every(({ start, end }) => PART.test(text.slice(start, end))) ? parts : [span];
}

/** `ROTTERDAM, 1500 TO PORTO`, `PORTO, 2 PAX`: each town of a list in capitals with numbers between. */
const IN_CAPITALS = /^\p{Lu}{4,}(?:, | \/ )\d{1,5} (?:TO )?\p{Lu}{3,}$/u;
const NUMBER_BETWEEN = /(?:, | \/ )\d{1,5} (?:TO )?/;
const NO_TOWN = /^(?:PAX|MEN|SEATS?|BEDS?|ROOMS?|TONS?|PCS|BOXES|CREW|ITEMS)$/;

function inCapitals(span: NameSpan, found: string): NameSpan[] | undefined {
  if (!IN_CAPITALS.test(found)) return undefined;
  const { index, 0: sign } = NUMBER_BETWEEN.exec(found)!;
  const first = endingAt(span, span.start + index);
  const second = found.slice(index + sign.length);
  return NO_TOWN.test(second) ? [first] : [first, startingAt(span, span.start + index + sign.length)];
}

/** The state behind a town, where it is no part of an address: `Mesa, AZ`. */
export function stateBehind(text: string, { type, start, end, score }: NameSpan): NameSpan[] {
  const state =
    type === 'LOCATION' && text[end] === ',' ? STATE.exec(text.slice(end, end + 8))?.[0] : undefined;
  if (state === undefined || /\d/.test(text.slice(start, end))) return [];
  return [{ type, start: end + 2, end: end + state.length, score }];
}

const GROUNDS =
  'Park|Bridge|Hall|Stadium|Arena|Airport|Station|Square|Beach|Island|Islands|Lake|Creek|River|Valley|Reservoir|Mountain|Mountains|Museum|Theatre|Theater|Plaza|Hotel|Mall|Castle|Abbey|Cathedral|Tower|Gardens|Pier|Canyon|Falls|Zoo|Playfield|Mansion|Harbour|Harbor|Bay|Peninsula|Street|Avenue|Boulevard|County|Forest|Lighthouse|Ballroom|Auditorium|Campus|Cemetery';
const GROUND = lean(`^(?:\\p{Lu}[\\p{L}\\p{M}'’.-]+ ){1,3}(?:${GROUNDS})$`, 'u');
const ENDS_OF_GROUNDS = new Set(GROUNDS.split('|'));
/** `Hyun-woo Park` is somebody. */
const KOREAN = /^\p{Lu}\p{Ll}{1,5}-\p{Ll}{2,6} /u;
const WATER = /^(?:Lake|Mount|Mt\.?|Fort|Ft\.?|Loch|Cape|Port|River) \p{Lu}/u;
const HAS_WATER = firstWords.add(wordsOf(WATER));

/** Whether what the model takes for somebody is a ground, water or building that is called so: `Elvedon Hall`. */
export function isGround(text: string, { type, start, end }: NameSpan, lists: Gazetteer): boolean {
  if (type !== 'PERSON') return false;
  const found = text.slice(start, end);
  const blank = found.lastIndexOf(' ');
  if (blank < 0) return false;
  if ((firstWords.at(text, start) & HAS_WATER) !== 0 && WATER.test(found)) return true;
  if (!ENDS_OF_GROUNDS.has(found.slice(blank + 1)) || !GROUND.test(found) || KOREAN.test(found)) return false;
  const first = found.slice(0, found.search(/ /));
  const flags = lists.find(wordKey(first, 0, first.length));
  return (flags & (LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME)) === 0;
}

const BODY =
  'Party|University|Academy|Journal|Institute|Institution|Society|Union|Department|Ministry|Board|Association|Bank|League|Council|College|Faculty|Federation|Commons|Lords|Court|Assembly|Committee|Church|Parliament|Senate|Army|Navy|Diocese|Archdiocese|Orchestra|Library|Alliance|Order|Medal|Battle|Siege|Treaty|Campaign|Bureau|Foundation|Hospital';
/** A body, or an event, that is called by a place: `Bank of England`, `Battle of Hastings`. */
const OF_BODY = lean(`(?<!\\p{L})(?:${BODY}) of (?:the )?$`, 'u');
/** What makes a body or an event of a place before it: `Alberta Health Board`. */
const BODY_BEHIND = lean(
  /^ (?:(?:General|State|National|Central|City|Memorial|Regional|Children['’]s|Communist|Labour|Liberal|Conservative|Socialist|Democratic|Green|Film|Jazz|Music|Fashion|Book) )?(?:Hospital|Council|Bank|Party|Bureau|Academy|Society|Laborator(?:y|ies)|Institute|Festival|Week|Marathon|Grand Prix|Biennale|Open|Braves|Sox|Bulls|Lakers|Rovers|Wanderers|Suns|Bisons|Championships?|Conference|Review|Records)(?!\p{L})/u,
);
const HAS_BODY = wordsBehind.add(wordsOf(BODY_BEHIND));
const ELECTION_BEHIND = lean(
  /^ (?:(?:general|presidential|federal|mayoral|gubernatorial|provincial|parliamentary|legislative|Senate|special|municipal|local) ){1,2}elections?(?!\p{L})/u,
);
const YEAR_BEFORE = /(?:19|20)\d{2} $/;

const PLANET = /^(?:Mercury|Venus|Mars|Jupiter|Saturn|Uranus|Neptune|Pluto|Ceres|Titan|Ganymede|Europa)$/;
const HAS_PLANET = firstWords.add(wordsOf(PLANET));
const SKY = lean(
  /(?<!\p{L})(?:Mercury|Venus|Mars|Jupiter|Saturn|Uranus|Neptune|Pluto|Sun|[Mm]oons?|[Pp]lanets?|[Oo]rbit\p{L}*|astronom\p{L}+|spacecraft|telescopes?|asteroids?|atmospheres?)(?!\p{L})/u,
);
const SKY_UNITS = 60;

/** Whether it is a planet beside others, or beside what astronomers speak of. Towns are called like them. */
export function isPlanet(text: string, { start, end }: NameSpan): boolean {
  if ((firstWords.at(text, start) & HAS_PLANET) === 0 || !PLANET.test(text.slice(start, end))) return false;
  return (
    SKY.test(text.slice(Math.max(0, start - SKY_UNITS), start)) || SKY.test(text.slice(end, end + SKY_UNITS))
  );
}

/** Whether `of` stands before `start`. */
function isOf(text: string, start: number): boolean {
  return text.startsWith('of ', start - 3) || text.startsWith('of the ', start - 7);
}

/** Whether a place is only a part of what a body, an event or an election is called. */
export function isOfBody(text: string, { start, end }: NameSpan): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  if (isOf(text, start) && OF_BODY.test(before)) return true;
  const after = text.slice(end, end + 40);
  if ((listsBehind(text, end) & HAS_BODY) !== 0 && BODY_BEHIND.test(after)) return true;
  return isDigitUnit(text.charCodeAt(start - 2)) && YEAR_BEFORE.test(before) && ELECTION_BEHIND.test(after);
}

const BEFORE_PLACE = lean(
  /(?<!\p{L})(?:Gulf|Bay|Straits?|Isles?|Sea|Horn|Cape|(?:(?:People['’]s|Democratic|Federal|Islamic|Crown|Grand) ){0,2}(?:Kingdom|Republic|Principality|Colony|Duchy|Empire|Emirate|Sultanate)) of (?:the )?$/u,
);

/** `MD 21202 Phone 410`: what the next thing is called is no part of an address. */
const NEXT_THING = /,?\s+(?:Phone|Fax|Tel|Telephone|Mobile|Cell|E-?mail|Web)\.?:?(?:\s[\d ().+/-]*)?$/;

/** `Gulf of Mexico`, or `Kingdom of Judah`, is one place, and an address ends before `Phone`. */
export function asOnePlace(text: string, given: NameSpan): NameSpan {
  if (given.type !== 'LOCATION') return given;
  const found = text.slice(given.start, given.end);
  const rest = /\s/.test(found) ? NEXT_THING.exec(found)?.index : undefined;
  const span = rest === undefined ? given : { ...given, end: given.start + rest };
  if (!isOf(text, span.start)) return span;
  const before = BEFORE_PLACE.exec(text.slice(Math.max(0, span.start - 48), span.start))?.[0];
  return before === undefined ? span : startingAt(span, span.start - before.length);
}
