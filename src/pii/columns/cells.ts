/**
 * The cells in one row of a table, without blanks and quotes around them. A separator inside quotes is part of the
 * text.
 */

const PIPE = '|';
const QUOTES = '"\'`';

/** Offsets in the line. */
export interface Cell {
  start: number;
  end: number;
}

/** Splits a row at the separator `sign`. A Markdown row may also begin and end with a separator. */
export function cellsOf(line: string, sign: string, quote = '"'): Cell[] {
  let end = line.length;
  if (line[end - 1] === '\r') end--;
  let start = 0;
  if (sign === PIPE) {
    start = skipBlanks(line, 0, end);
    while (end > start && line[end - 1] === ' ') end--;
    if (line[start] === PIPE) start++;
    if (end > start && line[end - 1] === PIPE) end--;
  }
  const cells: Cell[] = [];
  for (let at = start; at <= end; ) {
    const next = cellEnd(line, at, end, sign, quote);
    cells.push(trimmed(line, at, next));
    at = next + 1;
  }
  return cells;
}

function cellEnd(line: string, at: number, end: number, sign: string, quote: string): number {
  const first = skipBlanks(line, at, end);
  for (let close = first; first < end && line[first] === quote; ) {
    close = line.indexOf(quote, close + 1);
    if (close < 0) break;
    const behind = skipBlanks(line, close + 1, end);
    if (behind >= end || line[behind] === sign) return Math.min(behind, end);
  }
  const next = line.indexOf(sign, at);
  return next < 0 || next > end ? end : next;
}

function skipBlanks(line: string, at: number, end: number): number {
  while (at < end && line[at] === ' ') at++;
  return at;
}

function trimmed(line: string, from: number, to: number): Cell {
  let start = skipBlanks(line, from, to);
  let end = to;
  while (end > start && line[end - 1] === ' ') end--;
  const mark = line[start]!;
  if (end - start < 2 || !QUOTES.includes(mark) || line[end - 1] !== mark) return { start, end };
  while (start < end && line[start] === mark) start++;
  while (end > start && line[end - 1] === mark) end--;
  return { start, end };
}
