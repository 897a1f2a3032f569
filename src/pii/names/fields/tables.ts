/**
 * Finds names in tables by the heads of their columns: lines of values below a line of column names, as in CSV and
 * Markdown.
 */

import { type Cell, cellsOf } from '../../columns/cells.js';
import type { Gazetteer } from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { allOfLines } from '../../patterns/stretches.js';
import { addCell, type ColumnKind, kindsOfColumns } from './column-kinds.js';
import type { FieldName } from './field-names.js';
import { isHead } from './line-signs.js';

const MOST_ROWS = 10_000;
/** UTF-16 units that are examined in one step. */
const UNITS_AT_ONCE = 16_384;
/** A longer line is not a row. */
const LONGEST_LINE = 8192;
/** The form of one cell in the head of a table. Its meaning is checked only where the whole line has this form. */
const HEAD_CELL =
  ' {0,4}["\'`]?[^\\s\\d\\x21-\\x22\\x24-\\x2f:-@[-^`{-~][^\\t\\n\\r,;|"`:=?!@<>{}[\\]]{0,40}["`]?';
/** A line of column names with the same separator between all of them. */
const HEAD = lean(
  `(?: {0,4}\\|)?${HEAD_CELL}(?<sign>[,;\\t|])${HEAD_CELL}(?:\\k<sign>${HEAD_CELL}){0,40}\\|? {0,4}(?=\\r?\\n)`,
  'y',
);
/** The line of dashes below the head of a Markdown table. */
const RULE = /^ {0,4}\|?(?: {0,4}:?-{2,}:? {0,4}\|){1,40}(?: {0,4}:?-{2,}:? {0,4})?\r?$/;
const TWO_CAPITALS = lean(/\p{L} \p{Lu}/u);
interface Head {
  sign: string;
  names: readonly string[];
  kinds: readonly ColumnKind[];
}

/** Adds the names to `found`, in order. */
export function* tableNames(text: string, lists: Gazetteer, found: FieldName[]): Generator<void> {
  let done = 0;
  for (const { start, groups } of yield* allOfLines(HEAD, text, isHead)) {
    // A row of the table above does not begin another table.
    if (start < done) continue;
    const line = lineAt(text, start);
    const head = headOf(line, groups.sign!);
    yield;
    if (head !== undefined) done = yield* readTable(text, start, line, head, lists, found);
  }
}

/** The line that begins at `at`, without its line break; cut where it is too long to be a row. */
function lineAt(text: string, at: number): string {
  const piece = text.slice(at, at + LONGEST_LINE + 1);
  const end = piece.indexOf('\n');
  return end < 0 ? piece : piece.slice(0, end);
}

function headOf(line: string, sign: string): Head | undefined {
  const names = cellsOf(line, sign).map(({ start, end }) => line.slice(start, end));
  const kinds = kindsOfColumns(names);
  return kinds.every((kind) => kind === undefined) && sign !== '|' ? undefined : { sign, names, kinds };
}

/** Reads the table below the head that begins at `at`. Returns where it ends. */
function* readTable(
  text: string,
  at: number,
  line: string,
  head: Head,
  lists: Gazetteer,
  found: FieldName[],
): Generator<void, number> {
  const from = at + line.length + 1;
  const below = lineAt(text, from);
  const isRuled = head.sign === '|' && RULE.test(below);
  const isKnown = head.kinds.some((kind) => kind !== undefined);
  if (!isRuled && (!isKnown || cellsOf(below, head.sign).length !== head.names.length)) return from;
  // The head of a column is not a name, even if it looks like one.
  for (const [index, { start, end }] of cellsOf(line, head.sign).entries()) {
    const isHead = isRuled || head.kinds[index] !== undefined || !TWO_CAPITALS.test(line.slice(start, end));
    if (isHead && end > start) found.push({ type: 'THING', start: at + start, end: at + end, score: 1 });
  }
  return yield* readRows(text, isRuled ? from + below.length + 1 : from, head, lists, found);
}

/** Returns where the rows end. */
export function* readRows(
  text: string,
  from: number,
  head: Head,
  lists: Gazetteer,
  found: FieldName[],
): Generator<void, number> {
  let at = from;
  let looked = 0;
  for (let row = 0; row < MOST_ROWS && at < text.length; row++) {
    const line = lineAt(text, at);
    const cells = line.length > LONGEST_LINE ? [] : cellsOf(line, head.sign);
    if (cells.length !== head.names.length) break;
    addRow(at, line, cells, head, lists, found);
    at += line.length + 1;
    looked += line.length + 1;
    if (looked < UNITS_AT_ONCE) continue;
    looked = 0;
    yield;
  }
  return at;
}

function addRow(
  at: number,
  line: string,
  cells: readonly Cell[],
  { names, kinds }: Head,
  lists: Gazetteer,
  found: FieldName[],
): void {
  for (const [index, { start, end }] of cells.entries())
    addCell(kinds[index], names[index]!, at + start, line.slice(start, end), lists, found);
}
