/**
 * Dates, with the time that follows: ISO 8601, numeric dates in the usual orders, and dates with month names in
 * English, Spanish, German, French, Italian, Dutch, Portuguese and Polish. A time of day alone is not personal data.
 * A year alone counts where a word before it shows that it is a year.
 */
import { blockSigns } from '../block-signs.js';
import type { Block, Candidate, Recognizer } from '../recognizer.js';
import { dateCandidate } from './date-parts.js';
import { MONTHS } from './date-words.js';
import { numericDateAt } from './numeric-dates.js';
import { spelledDateAt } from './spelled-dates.js';
import { SHORT_WEEKDAYS, WEEKDAYS, weekdaysAt } from './weekdays.js';

/** `20250714T032219Z` is one run of letters and digits, and no date has a longer one. */
const LONGEST_RUN = 16;

const HAS_DATE = blockSigns.add(`${MONTHS}|${WEEKDAYS}|${SHORT_WEEKDAYS}`);

/** The offsets in a block at which the name of a month or weekday may begin. */
function signsIn({ to, words }: Block): readonly number[] {
  if ((words & HAS_DATE) === 0) return [];
  return blockSigns.placesOf(HAS_DATE).filter((place) => place < to);
}

export const dateTime: Recognizer = {
  name: 'date-time',
  entityType: 'DATE_TIME',
  find(block, report) {
    const dates: Candidate[] = [];
    for (const run of block.runs) {
      if (run.letters > 0 || run.place !== 'alone' || run.end - run.start > LONGEST_RUN) continue;
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
    for (const date of dates) report(date);
  },
};
