/**
 * Finds the names in a text. The model reads prose as it stands and, of code, the strings, comments and text between
 * tags. A name is dropped where its form shows that it is none (`refuse.ts`, `in-code.ts`) or that it belongs to a
 * thing (`technical-prose.ts`). Scripts that the model does not know are read by rules. Then fields, columns and
 * records say what their values are (`fields/`), and scores become the share of such findings that are right
 * (`../model/calibration.ts`).
 */

import type { Layout, Passage } from '../layout/layout.js';
import { behindArticle, calibrated } from '../model/calibration.js';
import { CLASS_LETTER, charClass } from '../model/characters.js';
import type { Gazetteer } from '../model/gazetteer.js';
import { modelLanguage } from '../model/language.js';
import { NAME_LANGUAGES, nameModel } from '../model/names.js';
import { type NameSpan, scored } from '../name-span.js';
import type { DetectorPart } from '../parts.js';
import { wholeAddresses, wholePlace } from './addresses.js';
import { type FieldName, fieldName } from './fields/field-names.js';
import { withSiblings } from './fields/sibling-strings.js';
import { withFields } from './fields/with-fields.js';
import { realName } from './in-code.js';
import { placeOrNationality } from './nationalities.js';
import { isNoName } from './refuse.js';
import { otherScripts } from './scripts/other-scripts.js';
import { isTechnical } from './technical-prose.js';

/** Text in these scripts which shows that two separate names were joined: `Тодорова от Пловдив`, `» указано «`. */
const CROSSES = /[\u0386-\u04ff] [ά-ώа-ѿ]+ (?=[Α-ΫЀ-Я])|» /u;
const WITH = /(?<![\p{L}\p{M}])(?:with|w\/|mit|avec|con|com|met) $/u;
/** With at least this score the model's type counts, and not the type that the name of the field announces. */
const SURE = 0.9;
/** Names that are handled in one step, and UTF-16 units of short passages that are read in one step. */
const NAMES_OF_STEP = 256;
const UNITS_OF_STEP = 512;

/**
 * The language of the text, the language whose model reads its names, and the parts of the detector that are left
 * out.
 */
interface Reading {
  readonly model: string;
  readonly without: ReadonlySet<DetectorPart>;
  readonly lists: Gazetteer;
  units: number;
}

/** All names of `text`, in order. Each step is a bounded piece of work. */
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

/** Adds the names of one passage to `found`. `code` has the start and end of each stretch of code. */
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

/** The names in prose: addresses are joined, scores calibrated, and false names dropped. */
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
    const name = placeOrNationality(text, weighed(text, wholePlace(text, real, lists), reading), lists);
    if (!without.has('refuse') && isNoName(text, name)) continue;
    if (without.has('technical') || !isTechnical(text, name, code, lists)) kept.push(name);
  }
  return kept;
}

/**
 * The names of a string or comment that begin at `from` or later. Their scores are not calibrated, because there were
 * no marked texts with code to measure them on.
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

/** The same name, with the share of such findings that are right as its score. */
function weighed(text: string, span: NameSpan, { model, without }: Reading): NameSpan {
  if (without.has('calibration')) return span;
  const isSmall = charClass[text.charCodeAt(span.start)] === CLASS_LETTER;
  const score = calibrated(span.type, span.score, model, isSmall);
  if (span.type !== 'LOCATION' || isSmall) return scored(span, score);
  return scored(span, behindArticle(text, span.start, score, model));
}

/** The type that the name of the field announces, unless the model is sure of another one. Undefined for products. */
function withField(
  text: string,
  names: readonly NameSpan[],
  { type, ...rest }: FieldName,
): readonly NameSpan[] {
  // The title of a meeting, such as `lunch with Ayelet`, can name people too.
  if (type === 'THING')
    return names.filter(
      (one) => one.type === 'PERSON' && WITH.test(text.slice(Math.max(0, one.start - 8), one.start)),
    );
  const isSurer = (one: NameSpan) => one.score >= SURE && (one.type !== 'LOCATION' || type === 'LOCATION');
  return names.some(isSurer) ? names : [{ type, ...rest }];
}

/** Adds the model's names in [from, to), and names in other scripts that the model did not find. */
function addNames(
  text: string,
  from: number,
  to: number,
  names: readonly NameSpan[],
  { without }: Reading,
  found: NameSpan[],
): void {
  const overlap = (one: NameSpan, other: NameSpan) => one.start < other.end && one.end > other.start;
  // In these scripts the model recognizes that a word is a name, but it has no list of towns.
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
