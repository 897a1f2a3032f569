/** Weekdays in Cyrillic and Greek, as they stand in a sentence, where they are not those of every week. */
import { lean } from '../patterns/lean.js';
import { matchesOf } from '../patterns/matches-of.js';
import type { Block, Candidate } from '../recognizer.js';
import { dateCandidate } from './date-parts.js';
import { DAY_AND_MONTH } from './weekdays.js';

/** A quick test: texts in Latin letters alone are not searched further. */
const FOREIGN = /[\u0386-\u045f]/;
const RUSSIAN =
  'понедельник(?:а|у|ом)?|вторник(?:а|у|ом)?|четверг(?:а|у|ом)?|пятниц(?:а|ы|у|е|ей)|суббот(?:а|ы|у|е|ой)|воскресень(?:е|я|ю|ем)';
const UKRAINIAN =
  "понеділ(?:ок|ка|ку|ком)|вівтор(?:ок|ка|ку|ком)|серед(?:а|и|у)|четвер(?:га|гу|гом)?|п[’'ʼ]ятниц(?:я|і|ю)|субот(?:а|и|у|і)|неділ(?:я|і|ю)";
const BULGARIAN = 'понеделник|сряда|четвъртък|петък|събота';
const SERBIAN = 'понедељ(?:ак|ка|ком)|утор(?:ак|ка|ком)|четврт(?:ак|ка|ком)|пет(?:ак|ка)|недељ(?:а|е|у)';
/** Words for something else, too: `в среду`, but `в среде разработки`; `в неделя`, but `до недели`. */
const BEHIND_A_WORD =
  '(?<=(?<![\\p{L}])(?:в|на|у|за|по) )среду(?! (?:обитания|разработки|проживания))|(?<=(?<![\\p{L}])(?:до|с|со|от|после) )среды(?! (?:обитания|разработки))|(?<=(?<![\\p{L}])к )среде(?! (?:обитания|разработки))|(?<=(?<![\\p{L}])(?:в|във|до|от|за|през) )неделя';
const CYRILLIC = lean(
  `(?<![\\p{L}\\p{M}-])(?:${RUSSIAN}|${UKRAINIAN}|${BULGARIAN}|${SERBIAN}|${BEHIND_A_WORD})(?![\\p{L}\\p{M}-])`,
  'giu',
);
/** With a capital alone: in small letters most are ordinals. Two are names as well. */
const GREEK = lean(
  /(?<![\p{L}\p{M}|-])(?:(?:Δευτέρα|Τρίτη|Τετάρτη|Πέμπτη|Παρασκευή|Κυριακή)ς?|Σάββατο|Σαββάτου)(?![\p{L}\p{M}|-])/gu,
);
const BEFORE_GREEK_DAY = lean(
  /(?<![\p{L}])(?:την?|της|από|μέχρι|έως|ως|για|αυτή(?:ν)?|επόμενη|περασμένη) $/iu,
);
const ALSO_NAME = /^(?:Παρασκευή|Κυριακή)ς?$/u;
/** `η Παρασκευή`, `κ. Κυριακή`: she herself. */
const BEFORE_HER = lean(
  /(?:(?<![\p{L}])(?:[ηΗ]|[κΚ]υρία|[κΚ]\.|[λΛ]έγομαι|[εΕ]ίμαι η|[κΚ]α) |^|[\n.!?:] ?)$/u,
);
const SURNAME_BEHIND = lean(/^ \p{Lu}/u);
const EVERY = lean(
  /(?<![\p{L}])(?:кажд(?:ый|ую|ое|ого|ой)|кожн(?:ий|у|ої|ого)|всек[иа]|всяк[аи]|свак[аеуио]|κάθε) $/iu,
);
const LETTER = lean(/\p{L}/u);
/** Where a sentence begins. */
const BEGINS = /(?:^|[\n.!?:«"] ?)$/;
const BEFORE_UNITS = 16;
const FIRST_GREEK = 0x370;
/** The time behind a day: ` в 10:00`, ` στις 9:30`. */
const TIME = /^(?:,? (?:в|о|об|у|в[ъо]в?|στις|στη))? (?:[01]?\d|2[0-3]):[0-5]\d(?!\d)/iu;
const SCORE = 0.7;

/** Most texts have no letter behind the Latin ones: this costs less than a pattern. */
function isLatin(piece: string): boolean {
  for (let at = 0; at < piece.length; at++) if (piece.charCodeAt(at) >= FIRST_GREEK) return false;
  return true;
}

/** Reports the weekdays of `block` that are in no date of `dates`. */
export function otherWeekdays(
  { text, from, to, piece }: Block,
  dates: readonly Candidate[],
  report: (found: Candidate) => void,
): void {
  if (isLatin(piece) || !FOREIGN.test(piece)) return;
  for (const [pattern, isDay] of [
    [CYRILLIC, isCyrillicDay],
    [GREEK, isGreekDay],
  ] as const) {
    for (const { index, 0: found } of matchesOf(piece, pattern)) {
      const start = from + index;
      // A block may begin within a word.
      if (start >= to || (index === 0 && LETTER.test(text[start - 1] ?? ''))) continue;
      if (!isDay(text, start, start + found.length)) continue;
      const end = start + found.length;
      const date = dates.find((one) => one.start >= end && /^,? $/.test(text.slice(end, one.start)));
      if (date === undefined) report(dateCandidate(start, endOfTime(text, end), 'weekday', SCORE));
      else {
        date.start = start;
        if (DAY_AND_MONTH.has(date.pattern)) date.score = SCORE;
      }
    }
  }
}

function endOfTime(text: string, end: number): number {
  return end + (TIME.exec(text.slice(end, end + BEFORE_UNITS))?.[0].length ?? 0);
}

function beforeOf(text: string, start: number): string {
  return text.slice(Math.max(0, start - BEFORE_UNITS), start);
}

function isCyrillicDay(text: string, start: number): boolean {
  return !EVERY.test(beforeOf(text, start));
}

function isGreekDay(text: string, start: number, end: number): boolean {
  const before = beforeOf(text, start);
  if (EVERY.test(before)) return false;
  if (ALSO_NAME.test(text.slice(start, end)))
    return !BEFORE_HER.test(before) && !SURNAME_BEHIND.test(text.slice(end, end + 2));
  return BEFORE_GREEK_DAY.test(before) || !BEGINS.test(before);
}
