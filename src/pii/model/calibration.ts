/**
 * Scores as the share of findings that are right. The model is surer of a name than it may be in a language that it has
 * learnt little of, and in small letters; text that it has not learnt told how much (`tools/pii/calibrate.mjs`).
 */
import type { NameType } from '../name-span.js';
import { RIGHT, SCORES } from './calibration-table.js';

/** The row of a language that there was no text for, and of names in small letters. */
const ALL = 'all';
const SMALL = 'small';

/** Of a finding that the model scores so, from 0 to 1, the probability that it is right, in hundredths. */
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
