/**
 * Identifiers that are looked for only where `entities` names them: each is a row with its form, its check, the words that
 * stand near it, and the source of its rule. Their form is searched in each block as it stands, so a row needs no more.
 */
import { DOUBTFUL } from '../../context.js';
import { ContextWords } from '../../context-words.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { type Candidate, candidate, type Recognizer } from '../../recognizer.js';
import type { EntityType } from '../../types.js';

export interface Form {
  entityType: EntityType;
  /** Without flags, of bounded length. What stands around it is no letter and no figure. */
  pattern: string;
  /** What it scores without a check and without a word. */
  score: number;
  /** true: the check holds. false: it is none. undefined: there is no check. */
  validate?: (found: string) => boolean | undefined;
  /** Its check holds for one number in ten or so, and its form is that of any number. */
  needsWord?: true;
  words?: readonly string[];
}

/** Units of the longest form, and those before a form that are looked at. */
const REACH = 48;
const BEFORE = 2;
const START = '(?<![A-Za-z\\d])(?<!\\d[-./])';
const END = '(?![A-Za-z\\d])(?![-./]\\d)';

export function formRecognizer(form: Form): Recognizer {
  const { entityType, score, validate, needsWord = false } = form;
  const name = entityType.toLowerCase().replaceAll('_', '-');
  const pattern = new RegExp(`${START}(?:${form.pattern})${END}`, 'gi');
  const context = form.words && new ContextWords(form.words);
  const found = (start: number, text: string): Candidate | undefined => {
    const valid = validate?.(text);
    if (valid === false) return undefined;
    const isValid = valid === true;
    return candidate({
      entityType,
      start,
      end: start + text.length,
      score: isValid ? (needsWord ? DOUBTFUL : 1) : score,
      baseScore: score,
      recognizer: name,
      pattern: 'form',
      validation: isValid ? 'passed' : 'none',
      context,
      isChance: needsWord,
      needsWord,
    });
  };
  return {
    name,
    entityType,
    find({ text, from, to }, report) {
      const first = Math.max(0, from - BEFORE);
      for (const { index, 0: match } of matchesOf(text.slice(first, to + REACH), pattern)) {
        const start = first + index;
        if (start < from || start >= to) continue;
        const one = found(start, match);
        if (one !== undefined) report(one);
      }
    },
  };
}

/** Whether six figures, or those that `order` tells, can be a day of a year: two of the year, the month and the day. */
export function isDay(month: string, day: string, monthsAdded: readonly number[] = [0]): boolean {
  const dayOf = Number(day);
  return (
    dayOf >= 1 &&
    dayOf <= 31 &&
    monthsAdded.some((more) => Number(month) > more && Number(month) <= more + 12)
  );
}

/** The value of a letter or figure: `A` is 10. */
export function valueOfSign(char: string): number {
  return Number.parseInt(char, 36);
}
