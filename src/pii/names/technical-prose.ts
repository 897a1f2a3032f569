/**
 * Prose beside code, such as a README: packages, types and formats are called like people and places there. What the
 * model is not sure of needs a list that knows the name well.
 */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_REGION,
  LIST_STREET,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { matchesOf } from '../patterns/matches-of.js';

/** Units between a name and code that make the text around it technical. */
const NEAR = 1_000;
const MARKS_NEAR = 200;
/** Inline code, and links as Markdown writes them. */
const MARKS = /`|\]\(|\]\[|\]: http/;
/** With this score the model needs less support from a list, or none. */
const LIKELY = 0.8;
const SURE = 0.9;
const PERSON_LISTS = LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME | LIST_LAST_NAME;
const PLACE_LISTS = LIST_CITY | LIST_REGION | LIST_STREET;
const INITIALS = /^\p{Lu}{2,6}$/u;
const WORDS = lean(/[\p{L}\p{M}]+/gu);

/** Whether code lines (`code`: start and end of each stretch, in order), inline code or links stand near. */
function isBesideCode(text: string, start: number, end: number, code: readonly number[]): boolean {
  let low = 0;
  let high = code.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code[middle]! <= start) low = middle + 1;
    else high = middle;
  }
  if (low > 0 && start - code[low - 1]! <= NEAR) return true;
  if (low < code.length && code[low]! - end <= NEAR) return true;
  return MARKS.test(text.slice(Math.max(0, start - MARKS_NEAR), end + MARKS_NEAR));
}

/** The lists that contain a word of the name, not counting ordinary words and words in small letters. */
function listsOf(text: string, { start, end }: NameSpan, lists: Gazetteer): number {
  let found = 0;
  for (const { index, 0: word } of matchesOf(text.slice(start, end), WORDS)) {
    const flags = lists.find(wordKey(text, start + index, start + index + word.length));
    if (/^\p{Lu}/u.test(word) && (flags & LIST_COMMON) === 0) found |= flags;
  }
  return found;
}

function evidenceFor({ type, score }: NameSpan, found: string): number {
  if (type === 'LOCATION') {
    if (INITIALS.test(found)) return LIST_REGION;
    return score >= LIKELY ? PLACE_LISTS : LIST_LARGE_CITY | LIST_REGION;
  }
  return score >= LIKELY || found.includes(' ') ? PERSON_LISTS : LIST_FREQUENT_FIRST_NAME;
}

/** `Springfield, CA`: the state of a town. */
function isState(text: string, start: number, found: string): boolean {
  return found.length === 2 && text.slice(start - 2, start) === ', ';
}

/** Whether the model or a list is sure enough of the name, or something beside its words supports it. */
function isKnown(text: string, span: NameSpan, found: string, lists: Gazetteer): boolean {
  const isPlace = span.type === 'LOCATION';
  if (span.score >= SURE && !(isPlace && found.length < 7 && INITIALS.test(found))) return true;
  if (/\d/.test(found) || (isPlace && (found.includes(' ') || isState(text, span.start, found)))) return true;
  return (listsOf(text, span, lists) & evidenceFor(span, found)) !== 0;
}

/** Whether a name that the model read in prose is that of a thing, since code stands near and no list knows it well. */
export function isTechnical(
  text: string,
  span: NameSpan,
  code: readonly number[],
  lists: Gazetteer,
): boolean {
  if (span.type === 'NRP') return false;
  const found = text.slice(span.start, span.end);
  if (isKnown(text, span, found, lists)) return false;
  return isBesideCode(text, span.start, span.end, code);
}
