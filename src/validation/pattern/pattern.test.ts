import { describe, expect, it } from 'vitest';
import { CheckBudget, unlimitedBudget } from './budget.js';
import { createPattern } from './pattern.js';

describe('a pattern', () => {
  it('runs in linear time (RE2) where RE2 supports it', () => {
    const pattern = createPattern('^(a+)+$', unlimitedBudget);
    expect(pattern.engine).toBe('linear');
    expect(pattern.test(`${'a'.repeat(1000)}!`)).toBe(false);
  });

  it('runs in the engine of JavaScript where RE2 does not support it', () => {
    const pattern = createPattern('^(?!b)\\w+$', unlimitedBudget);
    expect(pattern.engine).toBe('native');
    expect(pattern.test('abc')).toBe(true);
    expect(pattern.test('bc')).toBe(false);
  });

  it.each([
    ['^a\\-b$', 'a-b'],
    ['^a\\@b\\_c$', 'a@b_c'],
    ['^[\\w\\@\\-]+$', 'a-@'],
    ['^a\\"b\\ c$', 'a"b c'],
  ])('may escape characters that need no escape: %j', (source, text) => {
    const pattern = createPattern(source, unlimitedBudget);
    expect(pattern.engine).toBe('linear');
    expect(pattern.test(text)).toBe(true);
  });

  it('may be one that is valid only without the Unicode flag', () => {
    const pattern = createPattern('^a{,2}$', unlimitedBudget);
    expect(pattern.engine).toBe('native');
    expect(pattern.test('a{,2}')).toBe(true);
  });

  it('is refused where it is not a regular expression', () => {
    expect(() => createPattern('(', unlimitedBudget)).toThrow(SyntaxError);
  });

  it('has its own key in the cache of ajv, which keeps patterns by their text', () => {
    const [first, second] = ['a', 'b'].map((source) => createPattern(source, unlimitedBudget).toString());
    expect(first).not.toBe(second);
  });

  it('costs more of the budget the longer the text is', () => {
    const pattern = createPattern('^a+$', new CheckBudget(1_000));
    expect(pattern.test('aaa')).toBe(true);
    expect(() => pattern.test('a'.repeat(1_000))).toThrow('budget');
  });
});
