/** The rows of an `INSERT INTO t (a, b) VALUES (…), (…)`, and the names of its columns. */
import { allOf } from '../patterns/stretches.js';
import { type Cell, cellsOf } from './cells.js';

const MOST_ROWS = 10_000;
/** The greatest length of a row, in UTF-16 units. */
const LONGEST_ROW = 4096;
/** Rows that are read in one step. */
const ROWS_AT_ONCE = 64;
const INSERT =
  /(?:insert|replace)\s{1,4}into\s{1,4}[\w."`]{1,80}\s{0,4}\((?<head>[\w\s,"`]{1,500})\)\s{0,4}values\s{0,4}/gi;
/** A short pattern that every text with an INSERT matches. It is tried first because it is fast. */
const INSERT_SIGN = /\)\s{0,4}values/i;
const BEFORE_ROW = /\s{0,4},?\s{0,4}\(/y;

export interface InsertedRow {
  names: readonly string[];
  /** The offset in the text at which the row begins, after its opening bracket. */
  start: number;
  row: string;
  /** One cell for each column name. */
  cells: readonly Cell[];
}

/** Calls `take` for each row that has a value for every column. */
export function* insertedRows(text: string, take: (row: InsertedRow) => void): Generator<void> {
  for (const { end, groups } of yield* allOf(INSERT, text, INSERT_SIGN)) {
    const names = groups.head!.split(',').map((name) => name.replace(/["`\s]/g, ''));
    let at = end;
    for (let count = 1; count <= MOST_ROWS; count++) {
      BEFORE_ROW.lastIndex = at;
      if (!BEFORE_ROW.test(text)) break;
      const start = BEFORE_ROW.lastIndex;
      const rowEnd = endOfRow(text, start);
      if (rowEnd === undefined) break;
      const row = text.slice(start, rowEnd);
      const cells = cellsOf(row.replace(/[\n\r]/g, ' '), ',', "'");
      if (cells.length === names.length) take({ names, start, row, cells });
      at = rowEnd + 1;
      if (count % ROWS_AT_ONCE === 0) yield;
    }
  }
}

/** The offset of the row's closing bracket. Brackets inside strings do not count. */
function endOfRow(text: string, start: number): number | undefined {
  const limit = Math.min(text.length, start + LONGEST_ROW);
  let isInString = false;
  for (let at = start; at < limit; at++) {
    const sign = text[at];
    if (sign === "'") isInString = !isInString;
    else if (sign === ')' && !isInString) return at;
    else if (sign === '(' && !isInString) return undefined;
  }
  return undefined;
}
