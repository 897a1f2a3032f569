/** Joins what the model read with what columns of tables and the forms of data tell. */

import type { Gazetteer } from '../../model/gazetteer.js';
import { asType, type NameSpan } from '../../name-span.js';
import { MARK_COLON, MARK_EQUALS, marksIn } from '../marks.js';
import { columnNames, MARKS_OF_COLUMNS } from './columns.js';
import type { FieldName } from './field-names.js';
import { MARKS_OF_RECORDS, recordNames } from './people-records.js';
import { plainFields } from './plain-fields.js';

/** Names that are handled in one step. */
const GROUP = 256;
const UNITS_AT_ONCE = 65_536;

/**
 * Adds the names that columns of tables and the forms of data tell, where the model is not as sure of another name in
 * the same place.
 */
export function* withFields(
  text: string,
  names: readonly NameSpan[],
  lists: Gazetteer,
): Generator<void, readonly NameSpan[]> {
  const marks = yield* marksOf(text);
  const has = (any: number) => (marks & any) !== 0;
  const found: FieldName[][] = [];
  if (has(MARKS_OF_COLUMNS)) found.push(yield* columnNames(text, lists, marks));
  if (has(MARKS_OF_RECORDS)) found.push(yield* recordNames(text, lists, marks));
  if (has(MARK_COLON | MARK_EQUALS)) found.push(yield* plainFields(text, lists));
  if (found.every((list) => list.length === 0)) return names;
  const told = yield* inOrder(found);
  const all: NameSpan[] = [];
  let next = 0;
  for (const [index, one] of told.entries()) {
    while (next < names.length && names[next]!.end <= one.start) all.push(names[next++]!);
    let end = next;
    while (end < names.length && names[end]!.start < one.end) end++;
    if (names.slice(next, end).every((name) => isLess(name, one))) {
      if (one.type !== 'THING') all.push(asType(one, one.type));
      next = end;
    }
    if (index % GROUP === GROUP - 1) yield;
  }
  return [...all, ...names.slice(next)];
}

/** The marks of the whole text. */
function* marksOf(text: string): Generator<void, number> {
  let marks = 0;
  for (let from = 0; from < text.length; from += UNITS_AT_ONCE) {
    marks |= marksIn(text, from, Math.min(text.length, from + UNITS_AT_ONCE));
    if (text.length > UNITS_AT_ONCE) yield;
  }
  return marks;
}

/**
 * Whether a name of the model gives way to the one of the field: another thing with a lower score, a piece of it, or
 * more than the field holds.
 */
function isLess({ type, score, start, end }: NameSpan, one: FieldName): boolean {
  const isSame = start === one.start && end === one.end;
  return score < one.score || type !== one.type || !isSame;
}

/** Merges lists that are each in order. Of two names that overlap, the first or the longer one stays. */
function* inOrder(lists: readonly (readonly FieldName[])[]): Generator<void, FieldName[]> {
  const next = lists.map(() => 0);
  const found: FieldName[] = [];
  let end = 0;
  for (let count = 1; ; count++) {
    let first: number | undefined;
    for (let k = 0; k < lists.length; k++) {
      const one = lists[k]![next[k]!];
      if (one !== undefined && (first === undefined || isBefore(one, lists[first]![next[first]!]!)))
        first = k;
    }
    if (first === undefined) return found;
    const one = lists[first]![next[first]!++]!;
    if (one.start >= end) {
      found.push(one);
      end = one.end;
    }
    if (count % GROUP === 0) yield;
  }
}

function isBefore(one: FieldName, other: FieldName): boolean {
  return one.start < other.start || (one.start === other.start && one.end > other.end);
}
