/** What all dates are made of: the sources of patterns, and the candidate that a date becomes. */
import { ContextWords } from '../context-words.js';
import { type Candidate, candidate } from '../recognizer.js';
import { wordsNear } from '../words/words.js';

/** A time of day that may follow a date. */
export const CLOCK =
  '(?:(?:[T ,]{1,2}|(?<=\\d{4}):)(?:at |um |à |a las |alle )?\\d{1,2}[:h]\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\.?(?!\\w))?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?)?';
export const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
export const MONTH_NUMBER = '(?:0?[1-9]|1[0-2])';
export const YEAR = '(?:1[5-9]|20|21)\\d{2}';

const CONTEXT = new ContextWords(wordsNear('DATE_TIME'));

/**
 * Words nearby change the score only in a middle range: higher scores need no word, and lower ones are not raised by
 * one.
 */
export function dateCandidate(start: number, end: number, pattern: string, score: number): Candidate {
  const context = score >= 0.25 && score < 0.5 ? CONTEXT : undefined;
  const recognizer = 'date-time';
  return candidate({
    entityType: 'DATE_TIME',
    start,
    end,
    score,
    recognizer,
    pattern,
    context,
    isChance: true,
  });
}
