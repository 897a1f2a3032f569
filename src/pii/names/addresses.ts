/** Joins the pieces of places and addresses that the model found separately. */
import { CLASS_DIGIT, charClass } from '../model/characters.js';
import { addToKey, type Gazetteer, LIST_PLACE } from '../model/gazetteer.js';
import { finishHash, HASH_START, hashUnit } from '../model/hash.js';
import { type NameSpan, startingAt } from '../name-span.js';
import { lean } from '../patterns/lean.js';

/** The most UTF-16 units between two parts of an address. */
const FURTHEST = 32;
/**
 * What may stand between the parts of an address: the number of a house, flat or floor, or a postal code, with
 * separators.
 */
const BETWEEN = lean(
  /^[\s,;/-]{0,4}(?:(?:n[º°o]?\.? ?|nr\.? ?)?(?:[A-Z]{1,2}-)?\d{1,6}(?:[ -]?\d{3,4})?(?: ?[A-Z]{1,2}(?!\p{L}))?(?:[ºª°.]?(?: ?(?:bis|ter|izq|dcha|esq|dto|tv|th|hs)\.?)?)?[\s,;/-]{0,4}){0,3}$/u,
);
function hasDigit(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (charClass[text.charCodeAt(at)] === CLASS_DIGIT) return true;
  return false;
}

/** Whether two neighbouring places are one address, because only a number stands between them. */
function isOneAddress(text: string, first: NameSpan, second: NameSpan): boolean {
  if (second.start - first.end > FURTHEST || !hasDigit(text, first.end, second.start)) return false;
  return BETWEEN.test(text.slice(first.end, second.start));
}

/** The same names, with neighbouring places joined where they are one address. */
export function wholeAddresses(text: string, spans: readonly NameSpan[]): readonly NameSpan[] {
  let joined: NameSpan[] | undefined;
  for (let i = 0; i < spans.length; i++) {
    const span = spans[i]!;
    const last = joined === undefined ? spans[i - 1] : joined.at(-1);
    const isNext = span.type === 'LOCATION' && last?.type === 'LOCATION' && span.start >= last.end;
    if (isNext && isOneAddress(text, last, span)) {
      joined ??= spans.slice(0, i);
      const { type, start } = last;
      joined[joined.length - 1] = { type, start, end: span.end, score: Math.max(last.score, span.score) };
    } else joined?.push(span);
  }
  return joined ?? spans;
}

const BLANK = 0x20;
/** Units of the longest first word of a place. */
const FIRST_WORD_UNITS = 16;
const WORD_BEFORE = lean(/\p{Lu}[\p{L}\p{M}.'’-]* $/u);
const FIRST_WORD = lean(/^[\p{L}\p{M}'’-]+/u);

/** The place with the word before it, where a list has both as one place: `United States`, of which only `States` was read. */
export function wholePlace(text: string, span: NameSpan, lists: Gazetteer): NameSpan {
  const { type, start, end } = span;
  if (type !== 'LOCATION' || text.charCodeAt(start - 1) !== BLANK) return span;
  const before = WORD_BEFORE.exec(text.slice(Math.max(0, start - FIRST_WORD_UNITS), start))?.[0];
  const first = FIRST_WORD.exec(text.slice(start, end))?.[0];
  if (before === undefined || first === undefined) return span;
  const from = start - before.length;
  const key = addToKey(
    hashUnit(addToKey(HASH_START, text, from, start - 1), BLANK),
    text,
    start,
    start + first.length,
  );
  return (lists.find(finishHash(key)) & LIST_PLACE) === 0 ? span : startingAt(span, from);
}
