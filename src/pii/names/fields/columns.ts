/**
 * Names that the name of their column identifies: in tables, in the rows of an INSERT, and in PostgreSQL's COPY
 * format.
 */

import { insertedRows } from '../../columns/inserts.js';
import type { Gazetteer } from '../../model/gazetteer.js';
import { allOf } from '../../patterns/stretches.js';
import { addCell, type ColumnKind, kindsOfColumns } from './column-kinds.js';
import type { FieldName } from './field-names.js';
import { readRows, tableNames } from './tables.js';

/** PostgreSQL's COPY format: rows with tabs between the cells. */
const COPY =
  /copy\s{1,4}[\w."]{1,80}\s{0,4}\((?<head>[\w\s,"]{1,500})\)\s{1,4}from\s{1,4}stdin[^\n]{0,80}\n/gi;
const COPY_SIGN = /\)\s{1,4}from\s{1,4}stdin/i;

/** The names in all tables of `text`, in order. */
export function* columnNames(text: string, lists: Gazetteer): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  if (text.includes('\n')) yield* tableNames(text, lists, found);
  if (text.includes('(')) yield* insertedNames(text, lists, found);
  return found.sort((a, b) => a.start - b.start);
}

function* insertedNames(text: string, lists: Gazetteer, found: FieldName[]): Generator<void> {
  let names: readonly string[] = [];
  let kinds: readonly ColumnKind[] = [];
  yield* insertedRows(text, ({ names: heads, start, row, cells }) => {
    if (heads !== names) [names, kinds] = [heads, kindsOfColumns(heads)];
    for (const [index, cell] of cells.entries()) {
      const value = row.slice(cell.start, cell.end);
      addCell(kinds[index], heads[index]!, start + cell.start, value, lists, found);
    }
  });
  for (const { end, groups } of yield* allOf(COPY, text, COPY_SIGN)) {
    const heads = groups.head!.split(',').map((name) => name.replace(/["\s]/g, ''));
    yield* readRows(text, end, { sign: '\t', names: heads, kinds: kindsOfColumns(heads) }, lists, found);
  }
}
