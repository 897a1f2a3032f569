import { describe, expect, it } from 'vitest';
import { dimensionsOf, nextDimension, readCategories, valuesOf, writeCategories } from './judging.ts';

const helpful = { name: 'helpful', scale: { min: 0, max: 2 } };
const tone = { name: 'tone', categories: [{ name: 'polite', score: 1 }, { name: 'cannot say' }] };
const judging = { dimensions: [helpful, tone], queues: [] };

describe('what a queue asks', () => {
  it('is its dimensions in its own order', () => {
    const queue = { name: 'q', filter: {}, dimensions: ['tone', 'helpful'] };
    expect(dimensionsOf(judging, queue)).toEqual([tone, helpful]);
  });

  it('is one scale from 1 to 5 where it names no dimension', () => {
    expect(dimensionsOf(judging, { name: 'q', filter: {} }).map(valuesOf)).toEqual([[1, 2, 3, 4, 5]]);
  });

  it('has the values of a scale, or of categories', () => {
    expect([valuesOf(helpful), valuesOf(tone)]).toEqual([
      [0, 1, 2],
      ['polite', 'cannot say'],
    ]);
  });

  it('is answered one question after the other, where 0 is an answer too', () => {
    expect(nextDimension([helpful, tone], {})).toBe(helpful);
    expect(nextDimension([helpful, tone], { helpful: 0 })).toBe(tone);
    expect(nextDimension([helpful, tone], { helpful: 0, tone: 'polite' })).toBeUndefined();
  });
});

describe('categories as text', () => {
  it('are the same after being written and read', () => {
    expect(writeCategories(tone.categories)).toBe('polite = 1\ncannot say');
    expect(readCategories(writeCategories(tone.categories))).toEqual(tone.categories);
  });

  it.each([
    ['one', 'at least two'],
    ['a = 2\nb', 'from −1 to 1'],
    ['a = x\nb', 'from −1 to 1'],
  ])('are refused: %j', (text, why) => {
    expect(readCategories(text)).toContain(why);
  });
});
