import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { NotTranslatable, translatePattern } from './translate-pattern.js';

/** Whether the translated pattern is found in a text; the native engine must say the same. */
function finds(pattern: string, text: string): boolean {
  const found = RE2JS.compile(translatePattern(pattern)).test(text);
  expect(found, `${pattern} in ${JSON.stringify(text)}`).toBe(new RegExp(pattern, 'u').test(text));
  return found;
}

describe('a translated pattern', () => {
  it.each([
    ['^a$', 'a', true],
    ['^a$', 'a\n', false],
    ['^.$', '\u2028', false],
    ['^.$', '😀', true],
    ['\\s', '\u00a0', true],
    ['\\s', '\ufeff', true],
    ['^\\S$', '\u2003', false],
    ['^[\\s\\d]+$', '1\u00a02', true],
    ['^[^\\S]$', ' ', true],
    ['^\\d$', '٣', false],
    ['^\\w$', 'é', false],
    ['\\bcat\\b', 'a cat sat', true],
    ['^\\u0041\\x42\\u{43}$', 'ABC', true],
    ['^\\uD83D\\uDE00$', '😀', true],
    ['^\\cJ\\0$', '\n\0', true],
    ['^[\\b]$', '\b', true],
    ['^\\p{Letter}\\p{Lu}\\P{gc=Number}$', 'aBc', true],
    ['^\\p{Script=Greek}+$', 'αβγ', true],
    ['^[\\p{L}\\-.]+$', 'a-b.c', true],
    ['^[a\\-z]$', 'b', false],
    ['^[-a]$', '-', true],
    ['^[a-]$', '-', true],
    ['^[[a]$', '[', true],
    ['^[:alpha:]$', 'b', false],
    ['^[]$', 'a', false],
    ['[]', '', false],
    ['^[^]$', '\n', true],
    ['^(?<year>\\d{4})-(?:\\d{2})$', '2026-11', true],
    ['^(a|b)*?c{2,}d{1}$', 'abccd', true],
    ['^a/b#c d"$', 'a/b#c d"', true],
    ['^\\$\\^\\.\\*\\/$', '$^.*/', true],
    ['', 'anything', true],
  ])('%j means the same for %j', (pattern, text, expected) => {
    expect(finds(pattern, text)).toBe(expected);
  });

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '\\p{Emoji}',
    '\\p{scx=Greek}',
    '\\p{Script=Grek}',
    '\\uD83D',
    '[\\uDE00]',
  ])('is refused where RE2 cannot express it: %j', (pattern) => {
    expect(() => translatePattern(pattern)).toThrow(NotTranslatable);
  });
});
