/**
 * The names of a text. The model reads each passage: prose as it stands, of code the strings, the comments and the text
 * between tags. What it reads there is left out where its form says that it is no name (`refuse.ts`, `in-code.ts`) or that it
 * is a thing's (`technical-prose.ts`). Other scripts are read by rules of their own. Then fields, columns and records say
 * what their values are (`fields/`), and scores become shares of findings that are right (`../model/calibration.ts`).
 */

import type { Layout, Passage } from '../layout/layout.js';
import { calibrated } from '../model/calibration.js';
import { CLASS_LETTER, charClass } from '../model/characters.js';
import type { Gazetteer } from '../model/gazetteer.js';
import { modelLanguage } from '../model/language.js';
import { NAME_LANGUAGES, nameModel } from '../model/names.js';
import { type NameSpan, scored } from '../name-span.js';
import type { DetectorPart } from '../parts.js';
import { wholeAddresses } from './addresses.js';
import { type FieldName, fieldName } from './fields/field-names.js';
import { withSiblings } from './fields/sibling-strings.js';
import { withFields } from './fields/with-fields.js';
import { realName } from './in-code.js';
import { isNoName } from './refuse.js';
import { otherScripts } from './scripts/other-scripts.js';
import { isTechnical } from './technical-prose.js';

/** Text in these scripts that shows that two names are separate: `Тодорова от Пловдив`, `» указано «`. */
const CROSSES = /[\u0386-\u04ff] [ά-ώа-ѿ]+ (?=[Α-ΫЀ-Я])|» /u;
const WITH = /(?<![\p{L}\p{M}])(?:with|w\/|mit|avec|con|com|met) $/u;
/** With this score the model is believed rather than the name of the field. */
const SURE = 0.9;
/** Names that are handled in one step, and units of short passages that are read in one. */
const NAMES_OF_STEP = 256;
const UNITS_OF_STEP = 512;

/** The language of the text, that whose model reads its names, and what is left out of the detector. */
interface Reading {
  readonly model: string;
  readonly without: ReadonlySet<DetectorPart>;
  readonly lists: Gazetteer;
  units: number;
}

/** All names of `text`, in order; each step is a bounded piece of work. */
export function* readNames(
  text: string,
  layout: Layout,
  language: string,
  without: ReadonlySet<DetectorPart>,
): Generator<void, readonly NameSpan[]> {
  const { lists } = nameModel();
  const model = modelLanguage(language, NAME_LANGUAGES);
  const reading: Reading = { model, without, lists, units: 0 };
  const found: NameSpan[] = [];
  for (const passage of layout.passages) yield* readPassage(text, passage, layout.code, reading, found);
  if (without.has('fields')) return found;
  const siblings = yield* withSiblings(text, layout.passages, found, lists);
  return yield* withFields(text, siblings, lists);
}

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
  const to = ranges.at(-1)!;
  if (ranges.length > 2) {
    const read: NameSpan[] = [];
    model.readRanges(text, ranges, reading.model, read);
    addNames(text, from, to, inCode(text, from, read, reading), reading, found);
    if (isStepDone(reading, to - ranges[0]!)) yield;
    return;
  }
  const field =
    isCode && !reading.without.has('fields')
      ? fieldName(text, ranges[0]!, from, to, reading.lists)
      : undefined;
  for (let at = ranges[0]!; at < to; ) {
    const start = at;
    const read: NameSpan[] = [];
    at = model.readSegment(text, at, to, reading.model, read);
    const names = isCode ? inCode(text, from, read, reading) : inProse(text, read, code, reading);
    addNames(text, start, at, field === undefined ? names : withField(text, names, field), reading, found);
    if (isStepDone(reading, at - start) || found.length % NAMES_OF_STEP === NAMES_OF_STEP - 1) yield;
  }
}

/** The names in prose: addresses joined, scores calibrated, and false names dropped. */
function inProse(
  text: string,
  read: readonly NameSpan[],
  code: readonly number[],
  reading: Reading,
): readonly NameSpan[] {
  const { without, lists } = reading;
  const kept: NameSpan[] = [];
  for (const span of wholeAddresses(text, read)) {
    const real = realName(text, span, lists, false);
    if (real === undefined) continue;
    const name = weighed(text, real, reading);
    if (!without.has('refuse') && isNoName(text, name)) continue;
    if (without.has('technical') || !isTechnical(text, name, code, lists)) kept.push(name);
  }
  return kept;
}

/**
 * The names of a string or comment, from `from` on. Scores are not calibrated, because no marked texts of programs were
 * available.
 */
function inCode(
  text: string,
  from: number,
  read: readonly NameSpan[],
  { without, lists }: Reading,
): NameSpan[] {
  const kept: NameSpan[] = [];
  for (const span of read) {
    const real = span.start < from ? undefined : realName(text, span, lists, true);
    if (real !== undefined && (without.has('refuse') || !isNoName(text, real))) kept.push(real);
  }
  return kept;
}

/** The same name, with the share of such findings that is right as its score. */
function weighed(text: string, span: NameSpan, { model, without }: Reading): NameSpan {
  if (without.has('calibration')) return span;
  const isSmall = charClass[text.charCodeAt(span.start)] === CLASS_LETTER;
  return scored(span, calibrated(span.type, span.score, model, isSmall));
}

/** The type that the field says, unless the model is sure of another one. Undefined for products. */
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

/** Adds the names of [from, to) that were read, and those in other scripts that were not. */
function addNames(
  text: string,
  from: number,
  to: number,
  names: readonly NameSpan[],
  { without }: Reading,
  found: NameSpan[],
): void {
  const overlap = (one: NameSpan, other: NameSpan) => one.start < other.end && one.end > other.start;
  // In these scripts the model knows that a word is a name, but has no list of towns.
  const isBetter = (one: NameSpan, name: NameSpan) =>
    one.score > name.score ||
    (one.type === 'PERSON' &&
      text.slice(one.start, one.end).includes(' ') &&
      name.type === 'LOCATION' &&
      one.end >= name.end) ||
    CROSSES.test(text.slice(name.start, name.end)) ||
    (one.type === 'LOCATION' && one.start <= name.start && one.end >= name.end);
  const read = without.has('scripts') ? [] : otherScripts(text, from, to);
  const more = read.filter((one) => names.every((name) => !overlap(one, name) || isBetter(one, name)));
  const kept = more.length === 0 ? names : names.filter((name) => !more.some((one) => overlap(one, name)));
  const all = more.length === 0 ? names : [...kept, ...more].sort((a, b) => a.start - b.start);
  for (const one of all) found.push(one);
}
