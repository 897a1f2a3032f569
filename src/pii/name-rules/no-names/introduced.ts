/** Somebody who is introduced or addressed, though a firm is called so, too: a guard must hide who says the own name. */
import { lean } from '../../patterns/lean.js';

const TITLE_BEFORE = lean(
  /(?<!\p{L})(?:Mrs?|Ms|Miss|Dr|Prof|Herrn?|Frau|Mme|Mlle|M|Sra?|Señora?|Sig|Signora?|Doña?|Meneer|Mevrouw|Dhr|Pani?|Senhora?|Dona)\.? $/u,
);
const SOMEBODY_BEFORE = lean(
  /(?<!\p{L})(?:names? (?:is|was)|name:|I['’]?m|I am|[Tt]his is|[Dd]ear|[Hh]i|[Hh]ello|[Hh]ey|signed|named|[Pp]atient|[Ee]mployee|[Tt]enant|[Cc]aller|[Dd]river|[Cc]olleague|[Bb]oss|[Hh]usband|[Ww]ife|[Ii]ch bin|[Ii]ch heiße|[Nn]ame ist|m['’]appelle|[Mm]e llamo|[Mm]i chiamo|[Nn]ome é|[Nn]aam is|[Nn]azywam się):? $/u,
);
const UNITS = 24;

/** What was asked last, and the answer: firms are asked for twice of one name. */
let askedText = '';
let askedAt = 0;
let answer = false;

/** Whether a title, or what people say before a name, stands before `start`. */
export function isIntroduced(text: string, start: number): boolean {
  if (text.charAt(start - 1) !== ' ') return false;
  if (askedAt === start && askedText === text) return answer;
  const before = text.slice(Math.max(0, start - UNITS), start);
  askedText = text;
  askedAt = start;
  answer = TITLE_BEFORE.test(before) || SOMEBODY_BEFORE.test(before);
  return answer;
}
