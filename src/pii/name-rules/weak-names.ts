/** Names of which the model is not sure, and which the lists know: `la firma de Eusebio Tárrega`, `la sección de Lucca`. */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PLACE_HEAD,
  LIST_PRODUCT,
  LIST_REGION,
  wordKey,
} from '../model/gazetteer.js';
import { type NameSpan, scored } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { isFullName } from './data/values.js';

/** Below the first the model knows nothing, from the second on it is believed. */
const LEAST = 0.3;
const SURE = 0.5;
const TOLD = 0.55;
const TOWNS = LIST_CITY | LIST_LARGE_CITY | LIST_REGION;
const OTHERS = LIST_COMMON | LIST_FIRST_NAME | LIST_NRP | LIST_ORGANIZATION | LIST_PRODUCT;
const PLACES = TOWNS | LIST_PLACE_HEAD;
const BEFORE_TOWN = lean(
  /(?<!\p{L})(?:in|to|from|near|at|via|of|nach|aus|von|bei|à|de|en|desde|hasta|para|a|di|da|per|em|uit|naar|van|te|w|we|z|do|ze|for) $/u,
);
const BEFORE_UNITS = 8;
const WORD = lean(/^\p{Lu}[\p{Ll}\p{M}]{2,}$/u);

/** `spans`, with what the lists say of those that are doubtful; the same list where they say nothing. */
export function raisedByLists(
  text: string,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const isWeak = ({ type, score }: NameSpan) => type !== 'NRP' && score >= LEAST && score < SURE;
  if (!spans.some(isWeak)) return spans;
  return spans.map((span) => {
    if (!isWeak(span)) return span;
    const found = text.slice(span.start, span.end);
    const isKnown = span.type === 'PERSON' ? isSomebody(found, lists) : isTown(text, span, found, lists);
    return isKnown ? scored(span, TOLD) : span;
  });
}

/** A given name that is no place, with a surname. */
function isSomebody(found: string, lists: Gazetteer): boolean {
  if (!found.split(' ').every((word) => WORD.test(word)) || !isFullName(found, lists)) return false;
  const first = found.slice(0, found.indexOf(' '));
  return (lists.find(wordKey(first, 0, first.length)) & PLACES) === 0;
}

/** A town that nobody is called, behind a word for a way. */
function isTown(text: string, { start }: NameSpan, found: string, lists: Gazetteer): boolean {
  if (!WORD.test(found)) return false;
  const flags = lists.find(wordKey(found, 0, found.length));
  if ((flags & TOWNS) === 0 || (flags & OTHERS) !== 0) return false;
  return BEFORE_TOWN.test(text.slice(Math.max(0, start - BEFORE_UNITS), start));
}
