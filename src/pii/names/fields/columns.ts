/**
 * Names that the name of a column tells: those of tables, the rows of an INSERT, and what a query compares a column with.
 */

import { insertedRows } from '../../columns/inserts.js';
import type { Gazetteer } from '../../model/gazetteer.js';
import { allOf } from '../../patterns/stretches.js';
import {
  MARK_APOSTROPHE,
  MARK_BRACE,
  MARK_BRACKET,
  MARK_EQUALS,
  MARK_LINE,
  MARK_QUOTE,
  MARK_SQUARE_BRACKET,
} from '../marks.js';
import { addCell, type ColumnKind, kindsOfColumns } from './column-kinds.js';
import { type FieldName, type FieldType, kindOfField } from './field-names.js';
import { readRows, tableNames } from './tables.js';
import { isNameValue } from './values.js';

/**
 * The score of a name in such a column: the name of a column is better evidence than the model, which does not see it.
 */
const LISTED = 0.8;
/** What PostgreSQL writes out: rows with tabs between their cells. */
const COPY =
  /copy\s{1,4}[\w."]{1,80}\s{0,4}\((?<head>[\w\s,"]{1,500})\)\s{1,4}from\s{1,4}stdin[^\n]{0,80}\n/gi;
const COPY_SIGN = /\)\s{1,4}from\s{1,4}stdin/i;
/** What a column is compared with, up to the first quote. */
const CONDITION =
  /(?<![\w-])(?<key>[A-Za-z_]{2,40})["`]?\s{1,4}(?:(?:not\s{1,4})?(?:in\s{0,4}\(\s{0,4}|i?like\s{1,4}))(?=')/gi;
/**
 * Without one of these signs before a quoted string, there is no such condition. The column before it can be any word.
 */
const COMPARED = /'(?<=(?:in\s{0,4}\(\s{0,4}|like\s{1,4})')/i;
/** `surname ILIKE 'thorvaldsen%'`: with these operators only columns of surnames are read. */
const SURNAME_KEY =
  /(?:sur|last|first|given|family)_?name$|^(?:nachname|vorname|apellidos?|cognome|nazwisko)$/i;
const SMALL_NAME = /^\p{Ll}[\p{Ll}'’-]{2,}$/u;
const STRING = /'%?(?<value>[^'%\n]{1,60})%?'/y;
const NEXT_STRING = /\s{0,4},\s{0,4}(?=')/y;
const MOST_STRINGS = 1_000;
/** Steps of this many rows. */
const ROWS_AT_ONCE = 64;

/** A text without any of these has none of the names of columns. */
export const MARKS_OF_COLUMNS =
  MARK_LINE | MARK_BRACKET | MARK_APOSTROPHE | MARK_QUOTE | MARK_SQUARE_BRACKET | MARK_EQUALS | MARK_BRACE;

/** The names of all tables in `text`, in order; `marks` are those that it has. */
export function* columnNames(text: string, lists: Gazetteer, marks: number): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  if ((marks & MARK_LINE) !== 0) yield* tableNames(text, lists, found);
  if ((marks & MARK_BRACKET) !== 0) {
    let names: readonly string[] = [];
    let kinds: readonly ColumnKind[] = [];
    yield* insertedRows(text, ({ names: heads, start, row, cells }) => {
      if (heads !== names) [names, kinds] = [heads, kindsOfColumns(heads)];
      for (const [index, cell] of cells.entries())
        addCell(
          kinds[index],
          heads[index]!,
          start + cell.start,
          row.slice(cell.start, cell.end),
          lists,
          found,
        );
    });
  }
  for (const { end, groups } of yield* allOf(COPY, text, COPY_SIGN)) {
    const names = groups.head!.split(',').map((name) => name.replace(/["\s]/g, ''));
    yield* readRows(text, end, { sign: '\t', names, kinds: kindsOfColumns(names) }, lists, found);
  }
  let count = 0;
  const hasString = (marks & MARK_APOSTROPHE) !== 0;
  for (const { end, groups } of hasString ? yield* allOf(CONDITION, text, COMPARED) : []) {
    if (++count % ROWS_AT_ONCE === 0) yield;
    const type = kindOfField(groups.key!);
    if (type !== undefined) readStrings(text, end, type, SURNAME_KEY.test(groups.key!), found);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The strings from `from` on, with commas between; signs for any text around a name are no part of it. */
function readStrings(text: string, from: number, type: FieldType, isPart: boolean, found: FieldName[]): void {
  let at = from;
  for (let count = 0; count < MOST_STRINGS; count++) {
    STRING.lastIndex = at;
    const string = STRING.exec(text);
    if (string === null) return;
    const value = string.groups!.value!;
    const start = at + string[0].indexOf(value);
    if (isNameValue(value) || (isPart && SMALL_NAME.test(value)))
      found.push({ type, start, end: start + value.length, score: LISTED });
    NEXT_STRING.lastIndex = at + string[0].length;
    const sign = NEXT_STRING.exec(text);
    if (sign === null) return;
    at += string[0].length + sign[0].length;
  }
}
