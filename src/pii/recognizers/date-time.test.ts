import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

const dates = createDetector({ entities: ['DATE_TIME'] });
const scores = createDetector({ entities: ['DATE_TIME'], scoreThreshold: 0.01 });
const found = (text: string) => dates.detectSync(text).map(({ start, end }) => text.slice(start, end));

describe('a bare year after its word', () => {
  it.each([
    'She was diagnosed in 2012 and recovered.',
    'The orchestra was founded in 1977.',
    'He joined Garmin in 2003, as an intern.',
    'The man who became Sheriff in 1998 is here.',
    'a promotion which changed her life in 1995',
    'the house which he bought in 1995',
    'They left the firm, which later became Garmin, in 1965.',
    'Born in 1980, which is long ago',
    'In 2016 my brother moved to Leeds.',
    'She has lived there since 2004 though.',
  ])('is a date: %j', (text) => {
    expect(found(text)).toEqual([/\d{4}/.exec(text)![0]]);
  });

  it.each([
    'about 1 in 2000 people',
    'we shipped in 1800 boxes',
    'by 2000 euros more',
    'it listens on port 1984 only',
  ])('is no date where the word counts something: %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    'a year at Acme in Bremen, which later became Garmin in 2003.',
    'the shop, which was then sold in 1965, and its sign',
    'the church, which burned down in 1871',
    'a firm which has originally been started by Lee, Kim and Sons in 1929.',
  ])('that tells what became of a thing is a weak one: %j', (text) => {
    expect(found(text)).toEqual([]);
    const [weak] = scores.detectSync(text);
    expect(weak?.score).toBeLessThan(0.5);
  });
});
