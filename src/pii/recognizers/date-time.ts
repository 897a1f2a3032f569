/**
 * Dates, with the time that follows: ISO 8601, numbers in the orders that people write them, and month names in
 * English, Spanish, German, French, Italian, Dutch, Portuguese and Polish. A time of day alone is nobody's data. A year
 * alone counts where a word before it says that it is one.
 */
import type { Block, Candidate, Recognizer } from '../recognizer.js';
import { WordSigns } from '../word-signs.js';
import { dateCandidate } from './date-parts.js';
import { MONTHS } from './date-words.js';
import { numericDateAt, raiseBesideDates } from './numeric-dates.js';
import { spelledDateAt } from './spelled-dates.js';
import { WEEKDAYS, weekdaysAt } from './weekdays.js';

/** `20250714T032219Z` is one run. */
const LONGEST_RUN = 16;

const SIGNS = new WordSigns();
SIGNS.add(MONTHS);
SIGNS.add(WEEKDAYS);
SIGNS.add('eighteen|nineteen|neunzehnhundert|mil|mille|millenovecento');

/** Where a month or a weekday may begin in a block. */
function signsIn({ text, from, to }: Block): number[] {
  const found: number[] = [];
  for (let at = SIGNS.next(text, from, to); at < to; at = SIGNS.next(text, at + 1, to)) found.push(at);
  return found;
}

export const dateTime: Recognizer = {
  name: 'date-time',
  entityType: 'DATE_TIME',
  find(block, report) {
    const dates: Candidate[] = [];
    for (const run of block.runs) {
      if (!run.isDigit || run.isPiece || run.end - run.start > LONGEST_RUN) continue;
      const found = numericDateAt(block, run, dates.at(-1));
      if (found !== undefined) dates.push(found);
    }
    const { text } = block;
    const signs = signsIn(block);
    for (const start of signs) {
      const found = spelledDateAt(text, start);
      if (found !== undefined) dates.push(found);
    }
    for (const { start, end, isNamed } of weekdaysAt(text, signs, dates))
      report(dateCandidate(start, end, 'weekday', isNamed ? 0.55 : 0.2));
    raiseBesideDates(text, dates);
    for (const date of dates) report(date);
  },
};
