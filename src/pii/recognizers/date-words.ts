/** Words for months and for days of the month, as sources of patterns. */
import { anyOf, readWords } from '../words/words.js';

const WORDS = readWords<'months' | 'monthsOfOtherScripts' | 'days'>('dates');

export const MONTHS = anyOf(WORDS.months);
/** The names of months in the form that they have after a day. */
export const MONTHS_OF_OTHER_SCRIPTS = anyOf(WORDS.monthsOfOtherScripts);
export const ORDINALS = WORDS.days.en!;
export const DAY_WORDS = anyOf(WORDS.days);
