/** The names in the lines of a patch: in a file of people (`+++ b/guests.csv`), behind a label, and full names that fill their lines. */

import {
  type Gazetteer,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_PRODUCT,
  wordKey,
} from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { isNoThing } from '../listed-names.js';
import type { FieldName } from './field-names.js';
import { allOf } from './stretches.js';
import { isOfMany, withoutParticles } from './values.js';

const TOLD = 0.8;
const HUNK = /^@@ -\d{1,7}(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@[^\n]{0,200}\n/gm;
const SIGN = /@@ -\d/;
/** In the name of the file, up to the hunk. */
const OF_PEOPLE =
  /(?:guest|member|staff|people|person|employee|team|warden|signator|attendee|participant|contact|roster|rota|resident|tenant|student|pupil|player|driver|volunteer|patient|customer|invite|speaker|names|passenger|witness|teilnehmer|gaeste|kunden|mitarbeiter|mitglieder|invit[ée]s|membres|clients|invitados|socios|alumnos|invitati|soci|clienti|convidados|alunos|gasten|leden|klanten|goscie|klienci)[\w-]{0,24}\.(?:csv|tsv|txt|md|rst)[ \t]*\n/i;
const PATH_UNITS = 240;
const WORD = "(?:[ODLMN]['’])?\\p{Lu}[\\p{L}\\p{M}'’-]*\\p{Ll}[\\p{L}\\p{M}'’-]*";
const PARTICLES = '(?:(?:de|da|do|dos|di|van|von|der|den|la|el|al|bin|Ní|Mac) ){0,2}';
/** A full name that fills its line, perhaps behind a label and before a remark. */
const LINE = lean(
  `[ +-][ \\t]{0,4}(?:[-*•] )?(?<label>\\p{L}[\\p{L}\\d ,'’/-]{1,40}: )?(?<name>${WORD}(?: ${PARTICLES}${WORD}){1,3})(?:,? [(<][^>)\\n]{0,80}[>)])?[.;,]?[ \\t]{0,4}(?:\\n|$)`,
  'uy',
);
/** The first cell of a row. */
const CELL = lean(`[ +-]["']?(?<name>${WORD}(?:,? ${PARTICLES}${WORD}){0,3})["']?[;,\\t]`, 'uy');
/** What somebody is, as the label of a line. */
const ROLE =
  /(?:captain|officer|president|secretary|treasurer|coach|manager|chair\p{Ll}*|lead|owner|author|director|contact|maintainer|editor|host|speaker|teacher|driver|umpire|referee|keeper|name|nurse|doctor|organi[sz]er|steward|warden|tenant|guest|player|skipper|delegate|deputy|assistant|trustee|clerk|inspector|judge|witness|signatory|approver|reviewer|instructor|tutor): $/iu;
const ANY_LINE = /[ +-][^\n]{0,400}(?:\n|$)/y;
const MOST_LINES = 200;

/** In order. */
export function* patchNames(text: string, lists: Gazetteer): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  for (const { start: hunk, end } of yield* allOf(HUNK, text, SIGN)) {
    const isOfPeople = OF_PEOPLE.test(text.slice(Math.max(0, hunk - PATH_UNITS), hunk));
    let at = end;
    for (let line = 0; line < MOST_LINES; line++) {
      ANY_LINE.lastIndex = at;
      if (!ANY_LINE.test(text)) break;
      const next = ANY_LINE.lastIndex;
      const name = nameIn(text, at, isOfPeople, lists);
      if (name !== undefined) {
        const start = text.indexOf(name, at);
        found.push({ type: 'PERSON', start, end: start + name.length, score: TOLD });
      }
      at = next;
    }
    yield;
  }
  return found;
}

function nameIn(text: string, at: number, isOfPeople: boolean, lists: Gazetteer): string | undefined {
  LINE.lastIndex = CELL.lastIndex = at;
  const { name: line, label = '' } = LINE.exec(text)?.groups ?? {};
  const name = line ?? (isOfPeople ? CELL.exec(text)?.groups?.name : undefined);
  if (name === undefined || isOfMany(name)) return undefined;
  if (ROLE.test(label)) return name;
  if (!isNoThing(withoutParticles(name).replaceAll(',', ''), lists)) return undefined;
  return isOfPeople || isFirstName(name, lists) ? name : undefined;
}

/** Its first word is a first name, and nothing else. */
function isFirstName(name: string, lists: Gazetteer): boolean {
  const [first] = name.split(' ') as [string];
  const flags = lists.find(wordKey(first, 0, first.length));
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & (LIST_COMMON | LIST_PRODUCT)) === 0;
}
