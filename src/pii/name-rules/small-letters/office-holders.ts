/** Who holds an office, in small letters: `group leader is thilini perera`. Messages are short, so long text is not asked. */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_REGION,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { lowerSigns } from './lower-contexts.js';

const TOLD = 0.6;
const LONGEST_MESSAGE = 600;
const OFFICES =
  'lead|leader|admin|manager|boss|organi[sz]er|host|tutor|teacher|coach|trainer|captain|guide|driver|owner|landlord|landlady|treasurer|secretary|supervisor|contact|contact person|instructor|therapist|dentist|doctor|gp|midwife|nanny|babysitter|cleaner|plumber|agent|recruiter|mentor|neighbou?r|roommate|flatmate|colleague|teammate|replacement|surname|name';
const HOLDER = lean(
  /\p{L}+(?: person)?(?: is| was|:) (?:called )?(?<first>\p{Ll}[\p{Ll}\p{M}]{2,})(?: (?<last>\p{Ll}[\p{Ll}\p{M}]{2,}))?(?![\p{L}\p{M}\p{N}_@/'’-])/duy,
);
/** This is told sooner. */
const IS_HELD = lean(/(?: is| was|:) (?=\p{Ll})/u);
const HAS_OFFICE = lowerSigns.add(OFFICES);
const OTHERS = LIST_COMMON | LIST_NRP | LIST_CALENDAR | LIST_REGION | LIST_LARGE_CITY;
const PEOPLE = LIST_FIRST_NAME | LIST_LAST_NAME;

/** `spans` with these people of [from, to); both in order. */
export function addOfficeHolders(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  if (to - from > LONGEST_MESSAGE) return spans;
  if (!IS_HELD.test(text.slice(from, to)) || (lowerSigns.in(text, from, to) & HAS_OFFICE) === 0) return spans;
  let all = spans;
  for (const place of lowerSigns.placesOf(HAS_OFFICE)) {
    HOLDER.lastIndex = place;
    const { first, last } = HOLDER.exec(text)?.indices?.groups ?? {};
    if (first === undefined) continue;
    const [start, end] = nameOf(text, first, last, lists) ?? [0, 0];
    const isThere = (one: NameSpan) => one.start < end && one.end > start;
    const isKnown = (one: NameSpan) => isThere(one) && one.type === 'PERSON' && one.end >= end;
    if (end === 0 || end > to || spans.some(isKnown)) continue;
    all = [...all.filter((one) => !isThere(one)), { type: 'PERSON', start, end, score: TOLD }];
  }
  return all === spans ? spans : [...all].sort((a, b) => a.start - b.start);
}

type Range = readonly [start: number, end: number];

/** Two words of which a list has one as a name, or a first name; none is a word for another thing. */
function nameOf(text: string, first: Range, last: Range | undefined, lists: Gazetteer): Range | undefined {
  const flags = lists.find(wordKey(text, ...first));
  if ((flags & OTHERS) !== 0) return undefined;
  const behind = last === undefined ? LIST_COMMON : lists.find(wordKey(text, ...last));
  if ((behind & OTHERS) === 0 && ((flags | behind) & PEOPLE) !== 0) return [first[0], last![1]];
  return (flags & LIST_FIRST_NAME) === 0 ? undefined : first;
}
