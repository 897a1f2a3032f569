/** What the word lists say about a name that is surrounded by code. There the model alone is not reliable enough. */
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

export const PERSON_LISTS = LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME | LIST_LAST_NAME;
export const PLACE_LISTS = LIST_CITY | LIST_REGION | LIST_STREET;
const WORDS = lean(/[\p{L}\p{M}\p{N}]+/gu);
const CAPITAL = /^\p{Lu}/u;

export interface Evidence {
  words: number;
  /** The lists of the name's capitalised words, except of ordinary words that are not large towns. */
  lists: number;
}

export function evidenceOf(text: string, { start, end }: NameSpan, lists: Gazetteer): Evidence {
  const evidence: Evidence = { words: 0, lists: 0 };
  for (const { index, 0: word } of matchesOf(text.slice(start, end), WORDS)) {
    const flags = lists.find(wordKey(text, start + index, start + index + word.length));
    const isOrdinary = (flags & LIST_COMMON) !== 0 && (flags & LIST_LARGE_CITY) === 0;
    evidence.words++;
    if (!isOrdinary && CAPITAL.test(word)) evidence.lists |= flags;
  }
  return evidence;
}
