/** `09:40 McAllister, Hamish (badge 15)`: a surname and a given name as registers, lists and logs write them. */

import { CLASS_UPPER, charClass } from '../model/characters.js';
import {
  type Gazetteer,
  LIST_CITY,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_REGION,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';

const TOLD = 0.75;
const TOWNS = LIST_CITY | LIST_LARGE_CITY | LIST_REGION | LIST_NRP;
const GIVEN = lean(/\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]*\.?){0,2}/uy);
/** Where a record begins: a line, a time, a label, a mark of a list, a quote. A label of several begins a list of surnames. */
const BEFORE = lean(
  /(?:(?:^|\n)[\s>#*•|-]{0,6}|\S {2,}|\d{1,2}[:.)]?\d{0,2}\s{1,3}|(?:[\p{L}\d](?<![sS])|ss) ?:\s{1,3}|["'“«|;\t]\s?|(?<!\p{L})for\s|(?<!\p{L})vs?\.? )$/u,
);
const BEFORE_UNITS = 12;
/** What goes on behind a name in a record: another column, a bracket, a number, what is told of somebody. */
const BEHIND = lean(
  /^(?:\s*(?:$|\n)|["'”»;|\t)\]:]| vs?\.? \p{Lu}| {2}| ?[([]|,? \d|, (?:\p{Ll}|\p{Lu}[\p{L}]*['’]s)|,? (?:SSN|DOB|ID|NIF|DNI|MRN|geb)(?!\p{L})| [-–—|] )/u,
);
const BEHIND_UNITS = 16;
/** `De la Fuente`, `Nic Giolla Bhríde`. */
const PARTICLE =
  /^(?:del?|della|di|da|dos|das|do|van|von|den|der|ter|ten|la|le|el|al|bin|ibn|ma?c|[oó]|nic|ní|ap|st\.?|du|des|dela)$/iu;
const WORDS_OF_SURNAME = lean(/^[\p{L}\p{M} .'’-]+$/u);

/** `spans` with such names whole; both in order. */
export function recordedNames(
  text: string,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  let all: NameSpan[] | undefined;
  for (const [at, span] of spans.entries()) {
    const whole = wholeRecord(text, span, lists) ?? withSurname(text, span, lists);
    if (whole === undefined) {
      if (all !== undefined && span.start >= (all.at(-1)?.end ?? 0)) all.push(span);
      continue;
    }
    all ??= spans.slice(0, at);
    if (whole.start >= (all.at(-1)?.end ?? 0)) all.push(whole);
  }
  return all ?? spans;
}

/** A surname before the given name that the model found alone: `for Pemberton, Alice: 12 Mill Lane`. */
const SURNAME_BEFORE = lean(/(?<![\p{L}\p{M}'’-])(?<name>(?:[ODL]['’])?\p{Lu}[\p{L}\p{M}'’-]+), $/u);
const RECORD_BEFORE = lean(/(?:^|\n|[=:|;"“«(] ?|(?<!\p{L})(?:for|vs?\.?|von|für|para|pour|di|voor|dla) )$/u);
const SURNAME_UNITS = 40;

function withSurname(
  text: string,
  { type, start, end, score }: NameSpan,
  lists: Gazetteer,
): NameSpan | undefined {
  if (type !== 'PERSON' || !text.startsWith(', ', start - 2)) return undefined;
  if (!BEHIND.test(text.slice(end, end + BEHIND_UNITS)) || !isGiven(text.slice(start, end), lists))
    return undefined;
  const surname = SURNAME_BEFORE.exec(text.slice(Math.max(0, start - SURNAME_UNITS), start))?.groups?.name;
  if (surname === undefined) return undefined;
  const from = start - 2 - surname.length;
  const flags = flagsOf(surname, lists);
  if ((flags & (LIST_LAST_NAME | LIST_FIRST_NAME | TOWNS)) !== LIST_LAST_NAME) return undefined;
  if (!RECORD_BEFORE.test(text.slice(Math.max(0, from - BEFORE_UNITS), from))) return undefined;
  return { type, start: from, end, score: Math.max(score, TOLD) };
}

function wholeRecord(
  text: string,
  { type, start, end, score }: NameSpan,
  lists: Gazetteer,
): NameSpan | undefined {
  if (type === 'NRP' || !text.startsWith(', ', end)) return undefined;
  if (charClass[text.charCodeAt(end + 2)] !== CLASS_UPPER) return undefined;
  if (!BEFORE.test(text.slice(Math.max(0, start - BEFORE_UNITS), start))) return undefined;
  GIVEN.lastIndex = end + 2;
  const given = GIVEN.exec(text)?.[0];
  if (given === undefined) return undefined;
  const last = end + 2 + given.length;
  if (!BEHIND.test(text.slice(last, last + BEHIND_UNITS))) return undefined;
  if (!isSurname(text.slice(start, end), type, lists) || !isGiven(given, lists)) return undefined;
  return { type: 'PERSON', start, end: last, score: Math.max(score, TOLD) };
}

/** Of several words the last one counts; a first name begins the name of somebody else. */
function isSurname(found: string, type: NameSpan['type'], lists: Gazetteer): boolean {
  if (!WORDS_OF_SURNAME.test(found)) return false;
  const flags = flagsOf(found.slice(found.lastIndexOf(' ') + 1), lists);
  if (type === 'LOCATION' && ((flags & TOWNS) !== 0 || (flags & LIST_LAST_NAME) === 0)) return false;
  if ((flags & LIST_FREQUENT_FIRST_NAME) !== 0) return false;
  const [first = '', ...others] = found.split(' ');
  if (others.length === 0 || PARTICLE.test(first)) return true;
  return (flagsOf(first, lists) & (LIST_LAST_NAME | LIST_FIRST_NAME)) === LIST_LAST_NAME;
}

function isGiven(given: string, lists: Gazetteer): boolean {
  const [first = '', second] = given.split(' ');
  const flags = flagsOf(first, lists);
  if ((flags & LIST_FIRST_NAME) === 0 || (flags & LIST_REGION) !== 0) return false;
  // Behind the given name of somebody else stands the surname.
  return (
    second === undefined || (flagsOf(second, lists) & (LIST_LAST_NAME | LIST_FIRST_NAME)) !== LIST_LAST_NAME
  );
}

function flagsOf(word: string, lists: Gazetteer): number {
  const plain = word.replace(/['’]/u, '');
  return lists.find(wordKey(plain, 0, plain.length));
}
