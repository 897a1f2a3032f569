import { describe, expect, it } from 'vitest';
import { behindArticle } from './calibration.js';

const score = (before: string, language = 'it') =>
  behindArticle(`${before}Germania`, before.length, 0.95, language);

describe('the score of an Italian place', () => {
  it.each(['temono che la ', "battuta dall'", 'La ', 'oggi al '])(
    'is lower behind the article of %j, because the government or the team may be meant',
    (before) => {
      expect(score(before)).toBe(0.65);
    },
  );

  it.each(['vive in ', 'parte della ', 'una scuola ', ''])('stays as it is behind %j', (before) => {
    expect(score(before)).toBe(0.95);
  });

  it('stays as it is where it is low, and in other languages', () => {
    expect(behindArticle('la Germania', 3, 0.5, 'it')).toBe(0.5);
    expect(score('a la ', 'es')).toBe(0.95);
  });
});
