/**
 * Names that the head of a column tells: lines of values below a line of column names, and the rows of an INSERT.
 */

import type { NameSpan } from '../model/names.js';
import { PERSON_KEY, PLACE_KEY, VALUE } from './joined-names.js';

/** The head of a column is surer than the model, which sees no column. */
const LISTED = 0.8;
const MOST_ROWS = 10_000;
/** A line of names with the same sign between them. */
const HEAD =
  /(?:^|\n)(?<head>[A-Za-z_][\w ]{0,30}(?<sign>[,;\t|])[A-Za-z_][\w ]{0,30}(?:\k<sign>[A-Za-z_][\w ]{0,30}){0,40})\r?\n/g;
const INSERT =
  /insert\s{1,4}into\s{1,4}[\w."`]{1,80}\s{0,4}\((?<head>[\w\s,"`]{1,500})\)\s{0,4}values\s{0,4}/gi;
const TUPLE = /\s{0,4},?\s{0,4}\(([^()]{0,1000})\)/y;
const LINE = /[^\n]*/y;
const SOMEBODY = /^(?:e?-?mail|phone|tel|mobile|city|town|address|street|zip|dob|birth\w*|age|surname|ssn)/i;
/** Steps of this many rows. */
const ROWS_AT_ONCE = 64;

type Kind = NameSpan['type'] | undefined;

/** The names of all tables in `text`, in order. */
export function* columnNames(text: string): Generator<void, NameSpan[]> {
  const found: NameSpan[] = [];
  // A head has a line below it.
  for (const match of text.includes('\n') ? text.matchAll(HEAD) : []) {
    const { head, sign } = match.groups!;
    const kinds = kindsOf(head!.split(sign!));
    yield;
    if (kinds.some((kind) => kind !== undefined))
      yield* readLines(text, match.index + match[0].length, sign!, kinds, found);
  }
  for (const match of text.matchAll(INSERT)) {
    const kinds = kindsOf(match.groups!.head!.split(',').map((name) => name.replace(/["`\s]/g, '')));
    yield;
    if (kinds.some((kind) => kind !== undefined))
      yield* readTuples(text, match.index + match[0].length, kinds, found);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** What stands below each column's name. `name` alone can be that of a thing, unless somebody's address stands beside it. */
function kindsOf(names: readonly string[]): Kind[] {
  const trimmed = names.map((name) => name.trim().replace(/ /g, '_'));
  const isOfPeople = trimmed.some((name) => SOMEBODY.test(name));
  return trimmed.map((name) => {
    if (PERSON_KEY.test(name) || (isOfPeople && /^name$/i.test(name))) return 'PERSON';
    return PLACE_KEY.test(name) ? 'LOCATION' : undefined;
  });
}

function* readLines(
  text: string,
  from: number,
  sign: string,
  kinds: readonly Kind[],
  found: NameSpan[],
): Generator<void> {
  let at = from;
  for (let row = 1; row <= MOST_ROWS && at < text.length; row++) {
    LINE.lastIndex = at;
    const line = LINE.exec(text)![0];
    const fields = line.split(sign);
    if (fields.length !== kinds.length) return;
    addFields(at, fields, kinds, found);
    at += line.length + 1;
    if (row % ROWS_AT_ONCE === 0) yield;
  }
}

function* readTuples(text: string, from: number, kinds: readonly Kind[], found: NameSpan[]): Generator<void> {
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

/** `start` is where the first field begins. Each next one begins a sign later. */
function addFields(
  start: number,
  fields: readonly string[],
  kinds: readonly Kind[],
  found: NameSpan[],
): void {
  let at = start;
  for (const [index, field] of fields.entries()) {
    const type = kinds[index];
    const value = field.trim().replace(/^(["'`])(.*)\1$/, '$2');
    if (type !== undefined && VALUE.test(value)) {
      const begin = at + field.indexOf(value);
      found.push({ type, start: begin, end: begin + value.length, score: LISTED });
    }
    at += field.length + 1;
  }
}
