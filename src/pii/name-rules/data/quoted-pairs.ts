/** `"O'Brien, Connor"`: a surname and a first name in quotes, as tables have them, wherever such a cell stands. */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_REGION,
  wordKey,
} from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { isNoThing } from '../listed-names.js';
import { IS_THING } from '../no-names/words-for-things.js';
import type { FieldName } from './field-names.js';
import { allOf } from './stretches.js';
import { isOfMany, PAIR, withoutParticles } from './values.js';

const TOLD = 0.7;
const QUOTED = lean(`["“„](?<pair>${PAIR})["”“]`, 'gu');
/** This is told sooner. */
const SIGN = /["“„][^"“”\n,]{1,40}, [^"“”\n,]{1,40}["”“]/;
/** `Le Bihan`. */
const CAPITAL_PARTICLES = /^(?:(?:Le|La|De|Di|Da|Du|Van|Von|Den|Ten|Ter|El|Al|Mac|St) )+/;
const PLACE = LIST_CITY | LIST_LARGE_CITY | LIST_REGION;
const AT_ONCE = 64;

/** In order. */
export function* quotedPairs(text: string, lists: Gazetteer): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  let count = 0;
  for (const { start, end, groups } of yield* allOf(QUOTED, text, SIGN)) {
    if (++count % AT_ONCE === 0) yield;
    if (isSomebody(groups.pair!, lists))
      found.push({ type: 'PERSON', start: start + 1, end: end - 1, score: TOLD });
  }
  return found;
}

/** A list has the first name, or the surname, and none has them for two places or things. */
function isSomebody(pair: string, lists: Gazetteer): boolean {
  if (isOfMany(pair)) return false;
  const flagsOf = (word: string) => lists.find(wordKey(word, 0, word.length));
  const [last, given] = pair.split(', ') as [string, string];
  const surname = withoutParticles(last).replace(CAPITAL_PARTICLES, '');
  const first = flagsOf(given.split(/[ -]/)[0]!);
  const family = surname.split(/[ -]/).map(flagsOf);
  if (IS_THING.test(given.toLowerCase()) && IS_THING.test(last.toLowerCase())) return false;
  if ((first & PLACE) !== 0 && last === surname && family.every((flags) => (flags & PLACE) !== 0))
    return false;
  if ((first & LIST_FREQUENT_FIRST_NAME) !== 0 && (first & LIST_REGION) === 0) return true;
  if (!isNoThing(given, lists)) return false;
  const isKnown = (first & LIST_FIRST_NAME) !== 0 || family.some((flags) => (flags & LIST_LAST_NAME) !== 0);
  return isKnown && (last !== surname || isNoThing(surname, lists));
}
