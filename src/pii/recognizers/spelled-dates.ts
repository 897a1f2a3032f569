/** Dates with the name of a month. */
import { inSmall } from '../patterns/in-small.js';
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';
import type { Candidate } from '../recognizer.js';
import { CLOCK, DAY, dateCandidate, YEAR } from './date-parts.js';
import { DAY_WORDS, MONTHS, ORDINALS } from './date-words.js';
import { isOfAMonth } from './told-months.js';

const MONTH = lean(`(?<![\\p{L}\\p{M}])(?:${MONTHS})(?![\\p{L}\\p{M}])`, 'iuy');
const DAY_BEFORE = lean(
  `(?:^|[^\\p{L}\\p{N}./-])((?:the |el |le |il |den |am )?(?:${DAY}(?:st|nd|rd|th|er|º|°|\\.)?(?: ?(?:of|de|d[’']|di|-|/|\\.) ?| )|(?:${DAY_WORDS})(?: day of |día de | ?(?:of|de|d[’']|di|-) ?| )))$`,
  'u',
);
const AFTER_MONTH = lean(
  `(?:\\.? ?['’]\\d{2}|\\.? ?(?:(?:${DAY}|(?:the )?(?:${ORDINALS}))(?:st|nd|rd|th)?(?!\\w|:\\d)(?:,? {1,2}(?:${YEAR}))?|(?:,? |\\.? ?(?:de |del |del año |de l[’']année |of |-|/)?)(?:${YEAR})|-\\d{2}))(?![\\p{L}\\p{N}])`,
  'uy',
);
const YEAR_AFTER = lean(
  `(?:\\.?,? ?(?:de |del |del año |of |-|/)?(?:${YEAR})|\\.?,? ?['’]\\d{2}|-\\d{2})(?![\\p{L}\\p{N}])`,
  'uy',
);
/** The length of the longest day in words, with an article and `of`. */
const DAY_UNITS = 36;
const CLOCK_AFTER = lean(CLOCK, 'y');
/** What follows the month in the dates of C and Git, where the year comes last: ` 4 14:02:19 2025 +0100`. */
const AFTER_MONTH_OF_C =
  / {1,2}\d{1,2} \d{2}:\d{2}:\d{2}(?: [A-Z]{3,4})? (?:19|20)\d{2}(?: [+-]\d{4})?(?!\w)/y;
const SHORT_WEEKDAY = lean(/(?<![\p{L}\p{M}])(?:Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun)\.?,? $/u);
const BEFORE_MONTH = lean(
  /(?:^|[^\p{L}])(?:in|since|by|until|till|before|after|from|through|during|last|next|early|late|mid|this|every|en|desde|hasta|im|seit|ab|bis|vor|nach|depuis|avant|après|fin|début|a|da|dal|nel|sinds|vanaf|tot|em|até|w|we|do|od|mes de|month of|mois de|mois d[’']|mese di|mese d[’']|mês de|monat|miesiącu)\s?$/iu,
);
/** Spellings that are also ordinary words, so something else must show that a month is meant. */
const IS_WORD =
  /^(?:may|march|mar|mars|mai|sep|sept|dec|jan|gen|mag|ago|dic|ott|lug|giu|ene|abr|mär|nov|oct|okt|dez|mei|maio|maja|maj|marca|luty)$/i;
/** A year after such a spelling shows that: `depuis mars 2019`. */
const ENDS_IN_YEAR = /(?<!\d)(?:19|20)\d{2}$/;
/** So do a day and a year: `sept 4 1991`. */
const A_DAY_AND_YEAR = /^ \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d{2}$/;
/** Where a dot and a letter follow, the word is part of an identifier: `rose.april.grant`. */
const MEMBER_BEHIND = /^\.\p{L}/u;
/** Months that are also first names: `until April has read it`. */
const ALSO_NAME = /^(?:April|May|June|August)$/;
const DOES =
  /^ (?:has|signs?|says|said|reads?|replies|answers|agrees|approves|calls|comes|gets|is back|returns|arrives|confirms)(?!\p{L})/u;
/** A day alone, as in `till dec 28`. */
const A_DAY = /^ \d{1,2}(?:st|nd|rd|th)?$/;
const BEFORE_DAY_OF_MONTH = lean(
  /(?<!\p{L})(?:till?|until|by|before|after|since|from|on|thru|through|starting|due|is|was|for) $/iu,
);
/** Months that are also other words or names. */
const IN_SMALL = /^(?:may|march|april|june|mai|mars|marzo|maggio|mayo|maio|mei)$/;
/** `for` before a month: `the forecast for August`. */
const FOR_MONTH = /(?<!\p{L})for $/iu;
const ONLY_A_MONTH = /^(?:january|february|july|august|september|october|november|december)$/i;
/** Words that are not followed by a verb, so that `may` after them is the month: `in may i may fly`. */
const IN_MONTH = lean(/(?<!\p{L})(?:in|im|em|en|seit|bis|since|until|till|late|mid|last|next|during) $/iu);
/** What can follow the verb `may` even after these words: `what is in may be`. */
const MAY_GO_ON = /^ (?:be|have|not|also|vary|need|take|well|contain|cause|or may)\b/;
/** An ordinal number, as in `march 3rd`. Before it, a spelling is the month and not the other word. */
const AN_ORDINAL = /^ \d{1,2}(?:st|nd|rd|th)$/;
const ONLY_MONTH = /^(?:jan|sept|oct|nov|dec)$/i;

/** What `pattern` matches at an offset; empty where it matches nothing. */
function textAt(pattern: RegExp, text: string, at: number): string {
  return matchAt(pattern, text, at) ?? '';
}

/** The start of the date, which includes a short name of a weekday before it. */
function withWeekday(text: string, start: number): number {
  return start - (SHORT_WEEKDAY.exec(text.slice(Math.max(0, start - 9), start))?.[0].length ?? 0);
}

function withMonth(text: string, start: number, end: number): Candidate | undefined {
  const month = text.slice(start, end);
  const day = DAY_BEFORE.exec(inSmall(text.slice(Math.max(0, start - DAY_UNITS), start)))?.[1];
  if (day !== undefined) {
    const year = textAt(YEAR_AFTER, text, end);
    const clock = textAt(CLOCK_AFTER, text, end + year.length);
    const from = start - day.replace(/^(?:the|el|le|il|den|am) /i, '').length;
    return dateCandidate(withWeekday(text, from), end + year.length + clock.length, 'day, month name', 0.85);
  }
  const rest = textAt(AFTER_MONTH_OF_C, text, end);
  if (rest !== '') return dateCandidate(withWeekday(text, start), end + rest.length, 'month name', 0.8);
  const after = textAt(AFTER_MONTH, text, end);
  const isNamed =
    BEFORE_MONTH.test(text.slice(Math.max(0, start - 12), start)) &&
    !(ALSO_NAME.test(month) && DOES.test(text.slice(end, end + 12)));
  const left = text.slice(Math.max(0, start - 12), start);
  const isEnd =
    ONLY_MONTH.test(month) && /^(?:$|[,.!?\n])/.test(text.slice(end + after.length, end + after.length + 1));
  const isDay = A_DAY.test(after) && (isEnd || BEFORE_DAY_OF_MONTH.test(left));
  const isTold =
    isDay || AN_ORDINAL.test(after) || A_DAY_AND_YEAR.test(after) || (isNamed && ENDS_IN_YEAR.test(after));
  const isName = !isTold && month[0] === month[0]!.toLowerCase() && IS_WORD.test(month);
  const isGlued = month.length < 5 && /^\d/.test(after);
  if (after !== '' && !isName && !isGlued) {
    const clock = textAt(CLOCK_AFTER, text, end + after.length);
    return dateCandidate(withWeekday(text, start), end + after.length + clock.length, 'month name', 0.7);
  }
  const isPaid = isOfAMonth(text, start);
  if (month.length < 4 && !isPaid && !/^may$/i.test(month)) return undefined;
  if (MEMBER_BEHIND.test(text.slice(end, end + 2))) return undefined;
  const isMonth =
    (IN_SMALL.test(month) && IN_MONTH.test(left)) || (FOR_MONTH.test(left) && ONLY_A_MONTH.test(month));
  if (isMonth && !MAY_GO_ON.test(text.slice(end, end + 12)))
    return dateCandidate(start, end, 'month name alone', 0.65);
  // In lower case it is not a name, though the model may take it for one: `o aluguel de março`.
  if (isPaid && month === month.toLowerCase()) return dateCandidate(start, end, 'month name alone', 0.9);
  return dateCandidate(start, end, 'month name alone', isPaid || (isNamed && !isName) ? 0.55 : 0.1);
}

/** The date that begins with the name of a month at an offset. */
export function spelledDateAt(text: string, start: number): Candidate | undefined {
  const month = textAt(MONTH, text, start);
  return month === '' ? undefined : withMonth(text, start, start + month.length);
}
