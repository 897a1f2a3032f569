/**
 * Raises the score of values that stand in a column with a telling head: a telephone number below `mobile`, a tax
 * number below `bsn`, a day and a month below `Arrives`. It reads tables in CSV, in Markdown and in the form of
 * PostgreSQL's COPY, and the rows of an INSERT. The head of a column counts like a word near the value.
 */

import { raiseByWord } from '../context.js';
import { lean } from '../patterns/lean.js';
import type { Candidate } from '../recognizer.js';
import { cellsOf } from './cells.js';
import { insertedRows } from './inserts.js';

/** The score of a telephone number or date in a column whose head announces one. */
const TOLD = 0.6;
/** Values with at least this score do not need a column. */
const SURE = 0.5;
const DATES = lean(
  /^(?:(?:\p{L}+[ _])?(?:dates?|datum|fecha|data|termin|since|until|till|seit|depuis|desde|sinds|expiry|expires|issued|joined|born)|(?:valid|gültig|valide|válid[oa]|valid[oa]|geldig|ważn[ya])[ _](?:from|to|till|until|thru|through|von|vom|bis|ab|du|au|jusqu['’]au|desde|hasta|dal|al|fino al|de|até|van|tot|od|do)|(?:date|datum|fecha|data)[ _](?:\p{L}+[ _]?){1,3}|day|tag|jour|día|giorno|dia|dag|dzień|arriv(?:es?|al|ed|ing)|depart(?:s|ure|ed|ing)?|due(?: by| on)?|born|birth ?(?:day|date|year)|dob|year|joined|hired|since|member since|starts?|started|ends?|ended|until|till|from|to|expir(?:es|ed|y)|deadline|renew(?:al|s|ed)|appointment|delivery|expiry|check[- ]?(?:in|out)|check-?in|opened|closed|paid|sent|shipped|delivered|received|booked|visit(?:ed)?|last (?:visit|seen|login)|an(?:reise|kunft)|ab(?:reise|fahrt)|geb(?:oren|urtstag|\.)?|jahrgang|fällig|seit|bis|ab|beginn|ende|frist|eintritt|arrivée|départ|naissance|né(?:\(e\)|e)? le|né|échéance|début|fin|depuis|année|llegada|salida|nacimiento|nacid[oa]|vencimiento|inicio|año|desde|hasta|arrivo|partenza|nascita|nat[oa]|scadenza|inizio|anno|dal|al|chegada|partida|nascimento|vencimento|prazo|início|ano|aankomst|vertrek|geboren|geboortedatum|sinds|jaar|przyjazd|wyjazd|urodzon[ya]|urodzenia|rok|od|do)$/iu,
);
/**
 * Heads of columns with telephone numbers. `call` or `contact` alone is not enough: such columns often hold other
 * things.
 */
const PHONES = lean(
  /(?<!\p{L})(?:(?:tele)?phone(?:s| ?(?:no|num|number|nr))?|tel|tlf|tlm|tfno|fax|cell(?:phone)?|mobile?s?|mob|gsm|whats ?app|handy|contact[ _]?(?:no|num|number|nr)|telefon\p{Ll}{0,8}|tele?foon\p{Ll}{0,8}|t[ée]l[ée](?:fono?s?|phones?|fones?)|t[ée]l|portable|cel(?:ular|lulare)?|m[óo]vil|telem[óo]vel|kom[óo]rka|mobil\p{Ll}{0,8}|телефон|тел|电话|電話|전화)(?![\p{L}])/iu,
);
/**
 * Shorter words, such as `us` and `id`, announce some codes in prose, but prove too little as the head of a column.
 */
const FEWEST_LETTERS = 3;
/** What may stand before and after a value that fills its whole cell. */
const BEFORE_CELL = /(?:^|[\n|,;\t(]) {0,20}["']?$/;
const BEHIND_CELL = /^["']? {0,20}(?:$|[\r\n|,;\t)])/;
const CELL_UNITS = 24;
const SIGNS = ['|', '\t', ';', ','];
/** The line above the rows in PostgreSQL's COPY format. */
const COPY = /^copy\s[^\n(]{1,100}\((?<head>[\w\s,"]{1,500})\)\s{1,4}from\s{1,4}stdin/i;
/**
 * A longer line is not a row, and the head of a table is looked for at most this far above a value, in UTF-16 units.
 */
const LONGEST_LINE = 1000;
const LONGEST_WAY = 4096;
const AT_ONCE = 128;

interface Row {
  start: number;
  end: number;
  line: string;
}

/** A row of a table with one kind of separator, and the heads of the table's columns. */
interface Table {
  row: Row;
  sign: string;
  heads: readonly string[];
}

/** Raises the score of weak candidates that fill a cell in a column whose head announces their type. */
export function* raiseColumnValues(text: string, found: readonly Candidate[]): Generator<void> {
  const inCells: Candidate[] = [];
  let count = 0;
  for (const one of found) {
    if (++count % AT_ONCE === 0) yield;
    if (mayBeTold(one) && fillsCell(text, one)) inCells.push(one);
  }
  if (inCells.length === 0) return;
  const inserted = yield* headsOfInserts(text, inCells);
  const hasLines = text.includes('\n');
  const tables = new Map<string, Table>();
  for (const one of inCells) {
    if (++count % AT_ONCE === 0) yield;
    const head = inserted.get(one.start);
    if (head !== undefined) {
      raise(one, head);
      continue;
    }
    const table = hasLines ? tableAt(text, one.start, tables) : undefined;
    if (table === undefined) continue;
    const { row, sign, heads } = table;
    const index = cellsOf(row.line, sign).findIndex(({ end }) => row.start + end >= one.end);
    raise(one, heads[index] ?? '');
  }
}

/**
 * Whether a column may still raise the score. Where a word nearby raised it already, only telephone numbers are
 * raised again, because their column is better evidence than a word.
 */
function mayBeTold({ entityType, score, context, contextWord }: Candidate): boolean {
  if (score >= SURE) return false;
  if (entityType === 'DATE_TIME' || entityType === 'PHONE_NUMBER') return true;
  return context !== undefined && contextWord === undefined;
}

function raise(one: Candidate, head: string): void {
  if (one.entityType === 'DATE_TIME') {
    if (DATES.test(head)) one.score = TOLD;
    return;
  }
  const words = inWords(head);
  if (one.entityType === 'PHONE_NUMBER') {
    if (PHONES.test(words)) one.score = TOLD;
    return;
  }
  const word = one.context?.in(words);
  if (word !== undefined && word.length >= FEWEST_LETTERS) raiseByWord(one, word);
}

/** Turns `homePhone_number` into `home phone number`. */
function inWords(head: string): string {
  return head
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
}

/** The column names of those candidates that are values of an INSERT, by the offset at which the value begins. */
function* headsOfInserts(text: string, found: readonly Candidate[]): Generator<void, Map<number, string>> {
  const heads = new Map<number, string>();
  const starts = new Set(found.map(({ start }) => start));
  yield* insertedRows(text, ({ names, start, cells }) => {
    for (const [index, cell] of cells.entries())
      if (starts.has(start + cell.start)) heads.set(start + cell.start, names[index]!);
  });
  return heads;
}

function fillsCell(text: string, { start, end }: Candidate): boolean {
  return (
    BEHIND_CELL.test(text.slice(end, end + CELL_UNITS)) &&
    BEFORE_CELL.test(text.slice(Math.max(0, start - CELL_UNITS), start))
  );
}

function rowAt(text: string, at: number): Row | undefined {
  const first = Math.max(0, at - LONGEST_LINE);
  const start = first + text.slice(first, at).lastIndexOf('\n') + 1;
  const line = text.slice(start, start + LONGEST_LINE);
  const length = line.indexOf('\n');
  if (length < 0 && line.length === LONGEST_LINE) return undefined;
  return {
    start,
    end: start + (length < 0 ? line.length : length),
    line: length < 0 ? line : line.slice(0, length),
  };
}

/**
 * The table that the line at `at` belongs to. `tables` keeps the last row seen for each separator, so that the search
 * upwards can end there.
 */
function tableAt(text: string, at: number, tables: Map<string, Table>): Table | undefined {
  const row = rowAt(text, at);
  const sign = row && SIGNS.find((one) => row.line.includes(one));
  if (row === undefined || sign === undefined) return undefined;
  const table = { row, sign, heads: headsAbove(text, row, sign, tables.get(sign)) };
  tables.set(sign, table);
  return table;
}

function headsAbove(text: string, row: Row, sign: string, last: Table | undefined): readonly string[] {
  if (row.start === last?.row.start) return last.heads;
  let top = row;
  while (row.start - top.start < LONGEST_WAY && top.start > 0) {
    const above = rowAt(text, top.start - 1);
    const copied = above === undefined ? undefined : COPY.exec(above.line)?.groups?.head;
    if (copied !== undefined) return copied.split(',').map((name) => name.trim());
    if (above === undefined || !above.line.includes(sign)) break;
    if (above.start === last?.row.start) return last.heads;
    top = above;
  }
  return cellsOf(top.line, sign).map(({ start, end }) => top.line.slice(start, end));
}
