/** Dates that are told by the head of their column: a day and a month below `Arrives`, a year below `Born`. */

import { cellsOf } from './names/fields/cells.js';
import { lean } from './patterns/lean.js';
import type { Candidate } from './recognizer.js';

const TOLD = 0.6;
/** Surer ones need no column. */
const SURE = 0.5;
const HEAD = lean(
  /^(?:(?:\p{L}+[ _])?(?:dates?|datum|fecha|data|termin|since|until|till|seit|depuis|desde|sinds|expiry|expires|issued|joined|born)|(?:valid|gültig|valide|válid[oa]|valid[oa]|geldig|ważn[ya])[ _](?:from|to|till|until|thru|through|von|vom|bis|ab|du|au|jusqu['’]au|desde|hasta|dal|al|fino al|de|até|van|tot|od|do)|(?:date|datum|fecha|data)[ _](?:\p{L}+[ _]?){1,3}|day|tag|jour|día|giorno|dia|dag|dzień|arriv(?:es?|al|ed|ing)|depart(?:s|ure|ed|ing)?|due(?: by| on)?|born|birth ?(?:day|date|year)|dob|year|joined|hired|since|member since|starts?|started|ends?|ended|until|till|from|to|expir(?:es|ed|y)|deadline|renew(?:al|s|ed)|appointment|delivery|expiry|check[- ]?(?:in|out)|check-?in|opened|closed|paid|sent|shipped|delivered|received|booked|visit(?:ed)?|last (?:visit|seen|login)|an(?:reise|kunft)|ab(?:reise|fahrt)|geb(?:oren|urtstag|\.)?|jahrgang|fällig|seit|bis|ab|beginn|ende|frist|eintritt|arrivée|départ|naissance|né(?:\(e\)|e)? le|né|échéance|début|fin|depuis|année|llegada|salida|nacimiento|nacid[oa]|vencimiento|inicio|año|desde|hasta|arrivo|partenza|nascita|nat[oa]|scadenza|inizio|anno|dal|al|chegada|partida|nascimento|vencimento|prazo|início|ano|aankomst|vertrek|geboren|geboortedatum|sinds|jaar|przyjazd|wyjazd|urodzon[ya]|urodzenia|rok|od|do)$/iu,
);
/** Before and behind what fills its cell. */
const BEFORE_CELL = /(?:^|[\n|,;\t]) {0,20}["']?$/;
const BEHIND_CELL = /^["']? {0,20}(?:$|[\r\n|,;\t])/;
const CELL_UNITS = 24;
const SIGNS = ['|', '\t', ';', ','];
/** Longer lines are no rows, and a head is not further away from the first date below it. */
const LONGEST_LINE = 1000;
const LONGEST_WAY = 4096;
const AT_ONCE = 128;

interface Row {
  start: number;
  end: number;
  line: string;
}

/** The row that was looked at last, and the heads of its columns where its table has any. */
interface Table {
  row: Row;
  sign: string;
  heads: readonly string[];
}

/** Raises the weak dates of `found` that fill a cell below the head of a column of dates. */
export function* raiseColumnDates(text: string, found: readonly Candidate[]): Generator<void> {
  let table: Table | undefined;
  let count = 0;
  for (const one of found) {
    if (++count % AT_ONCE === 0) yield;
    if (one.entityType !== 'DATE_TIME' || one.score >= SURE || !fillsCell(text, one)) continue;
    table = tableAt(text, one.start, table);
    if (table === undefined) continue;
    const { row, sign, heads } = table;
    const index = cellsOf(row.line, sign).findIndex(({ end }) => row.start + end >= one.end);
    if (HEAD.test(heads[index] ?? '')) one.score = TOLD;
  }
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

/** That of the line at `at`, from the head of its table down; the last one knows its own. */
function tableAt(text: string, at: number, last: Table | undefined): Table | undefined {
  const row = rowAt(text, at);
  if (row === undefined) return undefined;
  if (row.start === last?.row.start) return last;
  const sign = SIGNS.find((one) => row.line.includes(one));
  if (sign === undefined) return undefined;
  let top = row;
  while (row.start - top.start < LONGEST_WAY && top.start > 0) {
    const above = rowAt(text, top.start - 1);
    if (above === undefined || !above.line.includes(sign)) break;
    if (above.start === last?.row.start && last.sign === sign) return { ...last, row };
    top = above;
  }
  const heads = cellsOf(top.line, sign).map(({ start, end }) => top.line.slice(start, end));
  return { row, sign, heads };
}
