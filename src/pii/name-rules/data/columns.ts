/**
 * Names that the name of a column tells: lines of values below a line of column names, the rows of an INSERT, and what
 * a query compares a column with.
 */

import {
  type FieldKind,
  type FieldName,
  type FieldType,
  isNameValue,
  kindOfField,
  kindsOfColumns,
} from './field-names.js';
import { isComment, isHead } from './line-signs.js';
import { allOf, allOfLines, stretchesOf } from './stretches.js';
import { writtenAuthors } from './written-authors.js';

/** The head of a column is surer than the model, which sees no column. */
const LISTED = 0.8;
const MOST_ROWS = 10_000;
/** A line of names with the same sign between them. */
const HEAD =
  /(?<head>"?[A-Za-z_][\w ]{0,30}"?(?<sign>[,;\t|])"?[A-Za-z_][\w ]{0,30}"?(?:\k<sign>"?[A-Za-z_][\w ]{0,30}"?){0,40})\r?\n/y;
/** A comment that names the columns below: `# columns: name / town`. */
const COMMENT_HEAD =
  /[ \t]{0,8}(?:#|\/\/|--|;|%|\*)[^\n:=]{0,60}(?<!\p{L})(?:columns?|cols|fields?|format|header|layout|spalten|felder|colonnes|champs|columnas|campos|colonne|campi|colunas|kolommen|velden|kolumny|pola)\s?[:=][ \t]{0,2}(?<head>[A-Za-z_][\w]{0,30}(?: \w{1,30}){0,2} ?(?<sign>[,;|\t/]) ?[^\n]{1,200})\r?\n/iuy;
const INSERT =
  /(?:insert|replace)\s{1,4}into\s{1,4}[\w."`]{1,80}\s{0,4}\((?<head>[\w\s,"`]{1,500})\)\s{0,4}values\s{0,4}/gi;
/** This is told sooner. */
const INSERT_SIGN = /\)\s{0,4}values/i;
const TUPLE = /\s{0,4},?\s{0,4}\(([^()]{0,1000})\)/y;
/** A longer line is no row. */
const LINE = /[^\n]{0,8192}/y;
/** What a column is compared with, up to the first quote. */
const CONDITION =
  /(?<![\w-])(?<key>[A-Za-z_]{2,40})["`]?\s{1,4}(?:(?:not\s{1,4})?(?:in\s{0,4}\(\s{0,4}|i?like\s{1,4}))(?=')/gi;
/** Without such a sign there is none: the key in front of it may be any word. */
const COMPARED = /'(?<=(?:in\s{0,4}\(\s{0,4}|like\s{1,4})')/i;
const STRING = /'%?(?<value>[^'%\n]{1,60})%?'/y;
const NEXT_STRING = /\s{0,4},\s{0,4}(?=')/y;
const MOST_STRINGS = 1_000;
/** Steps of this many rows. */
const ROWS_AT_ONCE = 64;

/** The names of all tables in `text`, in order. */
export function* columnNames(text: string): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  let done = 0;
  for (const { end, groups } of yield* allOfLines(HEAD, text, isHead)) {
    // A row of the table above is no head of its own.
    if (end <= done) continue;
    const kinds = kindsOfColumns(groups.head!.replaceAll('"', '').split(groups.sign!));
    yield;
    if (kinds.some((kind) => kind !== undefined))
      done = yield* readLines(text, end, groups.sign!, kinds, found);
  }
  for (const { end, groups } of yield* allOfLines(COMMENT_HEAD, text, isComment)) {
    const kinds = kindsOfColumns(groups.head!.split(groups.sign!));
    yield;
    if (kinds.some((kind) => kind !== undefined)) yield* readLines(text, end, groups.sign!, kinds, found);
  }
  for (const { end, groups } of yield* allOf(INSERT, text, INSERT_SIGN)) {
    const kinds = kindsOfColumns(groups.head!.split(',').map((name) => name.replace(/["`\s]/g, '')));
    yield;
    if (kinds.some((kind) => kind !== undefined)) yield* readTuples(text, end, kinds, found);
  }
  let count = 0;
  for (const { end, groups } of yield* allOf(CONDITION, text, COMPARED)) {
    if (++count % ROWS_AT_ONCE === 0) yield;
    const type = kindOfField(groups.key!);
    if (type !== undefined) readStrings(text, end, type, found);
  }
  for (const { piece, start } of text.includes('author') ? stretchesOf(text) : []) {
    for (const one of writtenAuthors(piece))
      found.push({ ...one, type: 'PERSON', start: start + one.start, end: start + one.end });
    yield;
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Gives where the rows end. */
function* readLines(
  text: string,
  from: number,
  sign: string,
  kinds: readonly FieldKind[],
  found: FieldName[],
): Generator<void, number> {
  let at = from;
  for (let row = 1; row <= MOST_ROWS && at < text.length; row++) {
    LINE.lastIndex = at;
    const line = LINE.exec(text)![0];
    const fields = line.split(sign);
    const isWhole = LINE.lastIndex === text.length || text[LINE.lastIndex] === '\n';
    if (fields.length !== kinds.length || !isWhole) break;
    addFields(at, fields, kinds, found);
    at += line.length + 1;
    if (row % ROWS_AT_ONCE === 0) yield;
  }
  return at;
}

function* readTuples(
  text: string,
  from: number,
  kinds: readonly FieldKind[],
  found: FieldName[],
): Generator<void> {
  let at = from;
  for (let row = 1; row <= MOST_ROWS; row++) {
    TUPLE.lastIndex = at;
    const tuple = TUPLE.exec(text);
    if (tuple === null) return;
    at += tuple[0].length;
    const fields = tuple[1]!.split(',');
    if (fields.length === kinds.length) addFields(at - 1 - tuple[1]!.length, fields, kinds, found);
    if (row % ROWS_AT_ONCE === 0) yield;
  }
}

/** The strings from `from` on, with commas between; signs for any text around a name are no part of it. */
function readStrings(text: string, from: number, type: FieldType, found: FieldName[]): void {
  let at = from;
  for (let count = 0; count < MOST_STRINGS; count++) {
    STRING.lastIndex = at;
    const string = STRING.exec(text);
    if (string === null) return;
    const value = string.groups!.value!;
    const start = at + string[0].indexOf(value);
    if (isNameValue(value)) found.push({ type, start, end: start + value.length, score: LISTED });
    NEXT_STRING.lastIndex = at + string[0].length;
    const sign = NEXT_STRING.exec(text);
    if (sign === null) return;
    at += string[0].length + sign[0].length;
  }
}

/** `start` is where the first field begins. Each next one begins a sign later. */
function addFields(
  start: number,
  fields: readonly string[],
  kinds: readonly FieldKind[],
  found: FieldName[],
): void {
  let at = start;
  for (const [index, field] of fields.entries()) {
    const type = kinds[index];
    const value = field.trim().replace(/^(["'`])(.*)\1$/, '$2');
    if (type !== undefined && isNameValue(value)) {
      const begin = at + field.indexOf(value);
      found.push({ type, start: begin, end: begin + value.length, score: LISTED });
    }
    at += field.length + 1;
  }
}
