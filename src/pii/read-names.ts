/** The names of a text: what the model reads in each passage, what lists and other scripts add, what is plausible. */

import { expand } from './expand.js';
import type { Layout, Passage } from './layout/layout.js';
import type { Gazetteer } from './model/gazetteer.js';
import { modelLanguage } from './model/language.js';
import { NAME_LANGUAGES, nameModel } from './model/names.js';
import { addCreeds } from './name-rules/creeds.js';
import { type FieldName, fieldName } from './name-rules/data/field-names.js';
import { withSiblings } from './name-rules/data/sibling-strings.js';
import { withData } from './name-rules/data/with-data.js';
import { joinNames, splitAddresses } from './name-rules/joined-names.js';
import { MARK_COMMA, MARK_LINE, marksIn } from './name-rules/marks.js';
import { nameSigns } from './name-rules/name-signs.js';
import { isCalledLike, isCompany } from './name-rules/no-names/called-like-people.js';
import { isFirstWord } from './name-rules/no-names/first-words.js';
import { isNoName } from './name-rules/no-names/not-names.js';
import { isNoPlace, peopleOfYears, withoutNextItem } from './name-rules/no-names/not-places.js';
import { plausibleNames } from './name-rules/no-names/plausible.js';
import { isTechnical } from './name-rules/no-names/technical-prose.js';
import { inLanguage } from './name-rules/other-languages.js';
import { addPairedNames } from './name-rules/paired-names.js';
import { addPeopleLists } from './name-rules/people-lists.js';
import { addBesidePlaces } from './name-rules/places/beside-places.js';
import { addCodedAddresses } from './name-rules/places/coded-addresses.js';
import { addKnownPlaces, trimPlace } from './name-rules/places/known-places.js';
import { addListedPlaces } from './name-rules/places/listed-places.js';
import {
  asOnePlace,
  isGround,
  isOfBody,
  isPlanet,
  placesOf,
  stateBehind,
} from './name-rules/places/place-borders.js';
import { addAddressees } from './name-rules/places/postal-blocks.js';
import { recordedNames } from './name-rules/recorded-names.js';
import { addRepeatedNames } from './name-rules/repeated-names.js';
import { addLowerNames } from './name-rules/small-letters/lower-names.js';
import { addOfficeHolders } from './name-rules/small-letters/office-holders.js';
import { addSpeakers } from './name-rules/speakers.js';
import { addDoers } from './name-rules/told/told-doers.js';
import { addToldNames } from './name-rules/told/told-names.js';
import { isDemonym } from './name-rules/told/told-peoples.js';
import { trimPerson } from './name-rules/trimmed-names.js';
import { raisedByLists } from './name-rules/weak-names.js';
import { wholeNames } from './name-rules/whole-names.js';
import { asType, type NameSpan } from './name-span.js';
import { otherScripts } from './recognizers/other-scripts.js';

/** Names that are handled in one step. */
const GROUP = 256;
/** What is between two names in these scripts, and in none: `Тодорова от Пловдив`, `» указано «`. */
const CROSSES = /[\u0386-\u04ff] [ά-ώа-ѿ]+ (?=[Α-ΫЀ-Я])|» /u;
const WITH = /(?<![\p{L}\p{M}])(?:with|w\/|mit|avec|con|com|met) $/u;
/** So sure, the model is believed and not what the field is called. */
const SURE = 0.9;
/** Units between two names that cannot be parts of one address. */
const APART = 64;

/** No name is longer, and no address. */
const LONGEST = 400;

/** All names of `text`, in order; each step is a bounded piece of work. */
export function* readNames(
  text: string,
  layout: Layout,
  language: string,
): Generator<void, readonly NameSpan[]> {
  const model = modelLanguage(language, NAME_LANGUAGES);
  const found: NameSpan[] = [];
  const reading = { language, model, units: 0 };
  for (const passage of layout.passages) yield* readPassage(text, passage, layout.code, reading, found);
  const kept: NameSpan[] = [];
  for (let from = 0; from < found.length; ) {
    const to = endOfGroup(found, from);
    for (const span of plausibleNames(text, found.slice(from, to))) kept.push(span);
    from = to;
    if (found.length > GROUP) yield;
  }
  const siblings = yield* withSiblings(text, layout.passages, kept, nameModel().lists);
  return yield* withData(text, siblings, nameModel().lists);
}

/** Where a group of about GROUP names ends: where the next one is too far away to be part of the same address. */
function endOfGroup(found: readonly NameSpan[], from: number): number {
  let to = Math.min(found.length, from + GROUP);
  while (to < found.length && to < from + 2 * GROUP && found[to]!.start - found[to - 1]!.end <= APART) to++;
  return to;
}

/** The language of the text, that whose model reads its names, and the units that were read in this step. */
interface Reading {
  language: string;
  model: string;
  units: number;
}

/** Short passages are read several in one step. */
const UNITS_OF_STEP = 512;

function isStepDone(reading: Reading, units: number): boolean {
  reading.units += units;
  if (reading.units < UNITS_OF_STEP) return false;
  reading.units = 0;
  return true;
}

/** Adds the names of one passage to `found`; `code` has the start and end of each stretch of code. */
function* readPassage(
  text: string,
  { ranges, from, isCode }: Passage,
  code: readonly number[],
  reading: Reading,
  found: NameSpan[],
): Generator<void> {
  const model = nameModel();
  const { language, model: nearest } = reading;
  const to = ranges.at(-1)!;
  const codeFrom = isCode ? from : undefined;
  if (ranges.length > 2) {
    const read: NameSpan[] = [];
    model.readRanges(text, ranges, nearest, read);
    const names = expand(model.realNames(text, read, codeFrom), (span) => asName(text, span, model.lists));
    addNames(text, from, to, withDoers(text, from, to, names, model.lists), found);
    if (isStepDone(reading, to - ranges[0]!)) yield;
    return;
  }
  for (let at = ranges[0]!; at < to; ) {
    const start = at;
    const read: NameSpan[] = [];
    at = model.readSegment(text, at, to, nearest, read);
    const names = isCode
      ? withDoers(
          text,
          Math.max(start, from),
          at,
          model.realNames(text, inCode(text, start, at, read, model.lists), codeFrom),
          model.lists,
        )
      : model
          .realNames(
            text,
            inProse(text, start, at, inLanguage(text, start, at, language, read), model.lists),
            codeFrom,
          )
          .filter((span) => !isTechnical(text, span, code, model.lists));
    const field = isCode ? fieldName(text, ranges[0]!, from, to, model.lists) : undefined;
    addNames(text, start, at, field === undefined ? names : withField(text, names, field), found);
    if (isStepDone(reading, at - start)) yield;
  }
}

/** With those of a string or comment that the words beside them tell: nothing else need be known of them. */
function withDoers(
  text: string,
  from: number,
  to: number,
  names: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const all = addDoers(text, from, to, names, lists);
  return all === names ? names : expand(all, (span) => asName(text, span, lists));
}

/** What a field is for, where the model is not sure of another thing; what is sold is no name at all. */
function withField(
  text: string,
  names: readonly NameSpan[],
  { type, ...rest }: FieldName,
): readonly NameSpan[] {
  // `lunch with Ayelet`, as the title of a meeting.
  if (type === 'THING')
    return names.filter(
      (one) => one.type === 'PERSON' && WITH.test(text.slice(Math.max(0, one.start - 8), one.start)),
    );
  const isSurer = (one: NameSpan) => one.score >= SURE && (one.type !== 'LOCATION' || type === 'LOCATION');
  return names.some(isSurer) ? names : [{ type, ...rest }];
}

/** What the words around make of the names that the model read. */
function inProse(
  text: string,
  from: number,
  to: number,
  read: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const signs = nameSigns.in(text, from, to);
  const marks = marksIn(text, from, to);
  const split = expand(splitAddresses(text, raisedByLists(text, read, lists)), (span) =>
    span.type === 'LOCATION' ? placesOf(text, span) : [span],
  );
  const recorded = (marks & MARK_COMMA) === 0 ? split : recordedNames(text, split, lists);
  const joined = joinNames(text, recorded, lists);
  const listed = addPeopleLists(text, from, to, joined, lists, signs);
  const told = addToldNames(text, from, to, listed, lists, signs, marks);
  const whole = wholeNames(text, from, told, lists);
  const known = addKnownPlaces(text, from, to, whole, lists, signs, marks);
  const beside = addBesidePlaces(text, from, to, known, lists, signs);
  const placed = addListedPlaces(text, from, to, beside, lists, signs);
  const creeds = addCreeds(text, from, to, placed, signs);
  const all = addLowerNames(text, from, to, creeds, lists, marks);
  const held = addOfficeHolders(text, from, to, all, lists);
  const paired = addPairedNames(text, from, held, lists);
  const repeated = addRepeatedNames(text, from, to, paired, lists);
  const coded = addCodedAddresses(text, from, to, repeated, lists, marks);
  const blocks =
    (marks & MARK_LINE) === 0
      ? coded
      : addAddressees(text, from, to, addSpeakers(text, from, to, coded, lists));
  return expand(blocks, (span) => {
    if (span.type === 'PERSON' && isCompany(text, span)) return [];
    if (isDemonym(text, span, lists)) return asName(text, asType(span, 'NRP'), lists);
    const whole = isGround(text, span, lists) ? asType(span, 'LOCATION') : span;
    return withState(text, asName(text, whole, lists));
  });
}

/** Whole places, each with the state behind it. */
function withState(text: string, names: readonly NameSpan[]): NameSpan[] {
  return expand(names, (name) => {
    if (name.type === 'LOCATION' && (isOfBody(text, name) || isPlanet(text, name))) return [];
    const whole = asOnePlace(text, name);
    return [whole, ...stateBehind(text, whole)];
  });
}

/** The names of a string or comment, with those that stand beside them in a list. */
function inCode(
  text: string,
  from: number,
  to: number,
  read: readonly NameSpan[],
  lists: Gazetteer,
): NameSpan[] {
  return expand(addPeopleLists(text, from, to, read, lists, 0), (span) => asName(text, span, lists));
}

/** None where it is no name after all. */
function asName(text: string, span: NameSpan, lists: Gazetteer): NameSpan[] {
  if (span.end - span.start > LONGEST || isCalledLike(text, span)) return [];
  if (span.type !== 'NRP' && isFirstWord(text, span.start, span.end)) return [];
  if (span.type === 'PERSON') {
    const person = trimPerson(text, span, lists);
    return person === undefined || isNoName(text, person, lists) ? [] : [person];
  }
  if (span.type === 'NRP') return isNoName(text, span, lists) ? [] : [span];
  const people = peopleOfYears(text, span);
  if (people !== undefined) return people.filter((person) => !isNoName(text, person, lists));
  const whole = withoutNextItem(text, span);
  if (isNoName(text, whole, lists) || isNoPlace(text, whole, lists)) return [];
  const kept = trimPlace(text, whole, lists);
  return kept === undefined ? [] : [kept];
}

function hasSeveralWords(text: string, { start, end }: NameSpan): boolean {
  return text.slice(start, end).includes(' ');
}

/** Adds the names of [from, to) that were read, and those in other scripts that were not. */
function addNames(
  text: string,
  from: number,
  to: number,
  names: readonly NameSpan[],
  found: NameSpan[],
): void {
  const overlap = (one: NameSpan, other: NameSpan) => one.start < other.end && one.end > other.start;
  // Of words in these scripts the model knows little more than that they are names, but not a list of towns.
  const isBetter = (one: NameSpan, name: NameSpan) =>
    one.score > name.score ||
    (one.type === 'PERSON' &&
      hasSeveralWords(text, one) &&
      name.type === 'LOCATION' &&
      one.end >= name.end) ||
    CROSSES.test(text.slice(name.start, name.end)) ||
    (one.type === 'LOCATION' && one.start <= name.start && one.end >= name.end);
  const more = otherScripts(text, from, to).filter((one) =>
    names.every((name) => !overlap(one, name) || isBetter(one, name)),
  );
  const kept = names.filter((name) => !more.some((one) => overlap(one, name)));
  const all = more.length === 0 ? names : [...kept, ...more].sort((a, b) => a.start - b.start);
  for (const one of all) found.push(one);
}
