import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

const dates = createDetector({ entities: ['DATE_TIME'] });
const namesOf = (text: string) =>
  dates.candidates(text).map(({ start, end, explanation }) => [text.slice(start, end), explanation?.pattern]);

describe('a date in figures', () => {
  it.each([
    ['2024.1.3', 'year, month, day, as versions are'],
    ['2024-01-13', 'year, month, day'],
    ['2024/1/13', 'year, month, day'],
    ['2024.01.13 10:30', 'year, month, day'],
    ['2024-07', 'year, month'],
    ['13.1.2024', 'day, month, year'],
    ['3-1-1824', 'day, month, year'],
    ['12/31/2024', 'month, day, year'],
    ['31/12/24', 'day, month, short year'],
    ['12-31-24', 'month, day, short year'],
    ['10.7.65', 'dotted, short year'],
    ['7/2024', 'month, year'],
    ['24/7', 'month, day'],
    ['14.02.', 'day, month, dotted'],
    ['20250714', 'year, month, day without marks'],
    ['20250714T0322', 'basic ISO'],
    ['20250714T032219Z', 'basic ISO'],
    ['12-го мая', 'day, month name'],
    ['3 Μαΐου', 'day, month name'],
  ])('is recognized from the length of its first number and the mark after it: %j', (text, pattern) => {
    expect(namesOf(text)).toEqual([[text, pattern]]);
  });

  it.each(['30250714', '202507', '123/4/2024', '7/x', '12.'])('is not recognized in %j', (text) => {
    expect(namesOf(text)).toEqual([]);
  });
});
