/**
 * Drops names in prose about code, such as a README, where packages, types and formats are called like people and
 * places. A name of which the model is not sure counts only where a word list clearly knows it.
 */

import { countBefore } from '../layout/layout.js';
import {
  type Gazetteer,
  LIST_CITY,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_REGION,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { evidenceOf, PERSON_LISTS, PLACE_LISTS } from './evidence.js';

/** Code within this many UTF-16 units of a name makes the text around it technical. */
const NEAR = 1_000;
const MARKS_NEAR = 200;
/** Signs of inline code and of Markdown links. */
const MARKS = /`|\]\(|\]\[|\]: http/;
/** With at least this score a name needs less support from a list, or none. */
const LIKELY = 0.8;
const SURE = 0.9;
const INITIALS = /^\p{Lu}{2,6}$/u;

/**
 * Whether code lines, inline code or links are near. `code` has the start and end of each stretch of code lines, in
 * order.
 */
function isBesideCode(text: string, start: number, end: number, code: readonly number[]): boolean {
  const before = countBefore(code, start);
  if (before > 0 && start - code[before - 1]! <= NEAR) return true;
  if (before < code.length && code[before]! - end <= NEAR) return true;
  return MARKS.test(text.slice(Math.max(0, start - MARKS_NEAR), end + MARKS_NEAR));
}

function evidenceFor({ type, score }: NameSpan, found: string): number {
  if (type === 'LOCATION') return score >= LIKELY ? PLACE_LISTS : LIST_LARGE_CITY | LIST_REGION;
  return score >= LIKELY || found.includes(' ') ? PERSON_LISTS : LIST_FREQUENT_FIRST_NAME;
}

/** Whether the name is the state after a town, as in `Springfield, CA`. */
function isState(text: string, start: number, found: string): boolean {
  return found.length === 2 && text.slice(start - 2, start) === ', ';
}

/** Whether the model or a list is sure enough of the name, or the text beside the name supports it. */
function isKnown(text: string, span: NameSpan, found: string, lists: Gazetteer): boolean {
  const isPlace = span.type === 'LOCATION';
  const isInitials = isPlace && INITIALS.test(found);
  if (span.score >= SURE && !isInitials) return true;
  if (/\d/.test(found) || (isPlace && (found.includes(' ') || isState(text, span.start, found)))) return true;
  const known = evidenceOf(text, span, lists).lists;
  // `USA` is a country. `Uri` is a canton and a town, but `URI` is neither.
  if (isInitials) return (known & (LIST_REGION | LIST_CITY)) === LIST_REGION;
  return (known & evidenceFor(span, found)) !== 0;
}

/**
 * Whether a name that the model found in prose is more likely the name of a thing: code is near, and no list clearly
 * knows the name.
 */
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
