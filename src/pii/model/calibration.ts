/**
 * Turns the model's scores into the share of such findings that are right. The model is too sure in languages of
 * which it has learnt little, and of names in lower case. `tools/pii/calibrate.mjs` measured by how much, on text
 * that the model has not learnt.
 */
import type { NameType } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { RIGHT, SCORES } from './calibration-table.js';

/** The row for languages without test data, and for names in lower case. */
const ALL = 'all';
const SMALL = 'small';

/** The probability, rounded to hundredths, that a finding which the model scores so (0 to 1) is right. */
export function calibrated(type: NameType, score: number, language: string, isSmall: boolean): number {
  const rows = RIGHT[type];
  const right = rows?.[isSmall ? SMALL : language] ?? rows?.[ALL];
  if (right === undefined) return score;
  const wanted = score * 1000;
  let next = 0;
  while (next < SCORES.length && SCORES[next]! < wanted) next++;
  if (next === 0) return Math.round((right[0]! * wanted) / SCORES[0]! / 10) / 100;
  if (next === SCORES.length) return Math.round(right[next - 1]! / 10) / 100;
  const [from, to] = [SCORES[next - 1]!, SCORES[next]!];
  const between = right[next - 1]! + ((right[next]! - right[next - 1]!) * (wanted - from)) / (to - from);
  return Math.round(between / 10) / 100;
}

/** Units of the longest Italian article with the word before it. */
const ARTICLE_UNITS = 9;
const ITALIAN_ARTICLE = lean(
  /(?:^|[^\p{L}])(?:(?:l|all|dall|sull)['’]|(?:il|lo|la|gli|le|i|al|allo|alla|agli|alle|dal|dallo|dalla|dagli|dalle) )$/iu,
);
/**
 * An Italian place behind an article may be a place (`la Sicilia`), or the team or government of a country
 * (`la Germania vince`). Of 590 such findings in Italian development text, 381 were places.
 */
const BEHIND_ARTICLE = 0.65;

/** The score of a place that begins at `start`, which is lower behind an Italian article. */
export function behindArticle(text: string, start: number, score: number, language: string): number {
  if (language !== 'it' || score <= BEHIND_ARTICLE) return score;
  return ITALIAN_ARTICLE.test(text.slice(Math.max(0, start - ARTICLE_UNITS), start)) ? BEHIND_ARTICLE : score;
}
