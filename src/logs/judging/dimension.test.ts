import { describe, expect, it } from 'vitest';
import { type Dimension, OVERALL, signalOf, valuesInWords } from './dimension.js';

const tone: Dimension = {
  name: 'tone',
  categories: [{ name: 'polite', score: 1 }, { name: 'rude', score: -1 }, { name: 'no text' }],
  weight: 0.5,
};

describe('the feedback of a judged value', () => {
  it.each([
    [1, -1],
    [2, -0.5],
    [3, 0],
    [4, 0.5],
    [5, 1],
  ])('for %d on a scale from 1 to 5 is the score %d', (value, score) => {
    expect(signalOf(OVERALL, value)).toEqual({ score, weight: 1 });
  });

  it('is the score of its category, with the weight of the dimension', () => {
    expect(signalOf(tone, 'rude')).toEqual({ score: -1, weight: 0.5 });
  });

  it('has no weight for a category without a score', () => {
    expect(signalOf(tone, 'no text')).toEqual({ score: 0, weight: 0 });
  });

  it.each([0, 6, 2.5, '3', Number.NaN])('does not exist for %j on a scale from 1 to 5', (value) => {
    expect(signalOf(OVERALL, value)).toBeUndefined();
  });

  it.each(['Rude', 1])('does not exist for %j, which is not a category', (value) => {
    expect(signalOf(tone, value)).toBeUndefined();
  });
});

it('the values of a dimension can be described in words', () => {
  expect(valuesInWords(OVERALL)).toBe('a whole number from 1 to 5');
  expect(valuesInWords(tone)).toBe('one of "polite", "rude", "no text"');
});
