/** Who is named with somebody: `Oyunchimeg and Batbayar Dorj`, `oluwaseun and mei ling`. No list need have the name. */

import { CLASS_LETTER, charClass } from '../model/characters.js';
import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_CITY,
  LIST_COMMON,
  LIST_LARGE_CITY,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PLACE_HEAD,
  LIST_PRODUCT,
  LIST_REGION,
  LIST_SMALL_TOWN,
  LIST_STREET,
  LIST_TITLE,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { withNames } from './with-names.js';

const TOLD = 0.6;
const SURE = 0.5;
const ANDS = new Set('and & und et y e en i'.split(' '));
const SMALL_ANDS = new Set('and & n'.split(' '));
const BLANK = 0x20;
const LONGEST_AND = 3;
const LONGEST_NAME = 24;
const NAME = lean(/^\p{Lu}[\p{Ll}\p{M}]{2,}(?:-\p{Lu}?[\p{Ll}\p{M}]+)?$/u);
const SMALL_NAME = lean(/^\p{Ll}[\p{Ll}\p{M}]{3,}$/u);
/** A word in small letters, or the beginning of a sentence: no other part of a name. */
const BEFORE = lean(/(?:^|[.!?;:(\n"“] ?|(?<![\p{L}\p{M}\p{N}'’.-])\p{Ll}[\p{Ll}\p{M}]* )$/u);
const THINGS =
  LIST_COMMON |
  LIST_NRP |
  LIST_ORGANIZATION |
  LIST_PRODUCT |
  LIST_CALENDAR |
  LIST_REGION |
  LIST_CITY |
  LIST_LARGE_CITY |
  LIST_SMALL_TOWN |
  LIST_PLACE_HEAD |
  LIST_STREET |
  LIST_TITLE;

/** `spans` with whoever stands before somebody of them; both in order. */
export function addPairedNames(
  text: string,
  from: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const added: NameSpan[] = [];
  for (const [at, { type, start, score }] of spans.entries()) {
    if (type !== 'PERSON' || score < SURE || text.charCodeAt(start - 1) !== BLANK) continue;
    const isSmall = charClass[text.charCodeAt(start)] === CLASS_LETTER;
    const end = text.lastIndexOf(' ', start - 2);
    if (start - 1 - end > LONGEST_AND + 1) continue;
    if (!(isSmall ? SMALL_ANDS : ANDS).has(text.slice(end + 1, start - 1))) continue;
    const first = Math.max(from, spans[at - 1]?.end ?? 0, end - LONGEST_NAME);
    const name = /[^\s.!?;:(",“]*$/u.exec(text.slice(first, end))![0];
    const begin = end - name.length;
    if (!(isSmall ? SMALL_NAME : NAME).test(name) || !isAlone(text, begin, isSmall)) continue;
    if ((lists.find(wordKey(name, 0, name.length)) & THINGS) === 0)
      added.push({ type: 'PERSON', start: begin, end, score: TOLD });
  }
  return withNames(spans, added);
}

function isAlone(text: string, start: number, isSmall: boolean): boolean {
  return isSmall
    ? text[start - 1] === ' ' || start === 0
    : BEFORE.test(text.slice(Math.max(0, start - LONGEST_NAME), start));
}
