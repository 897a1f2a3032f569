import { expect, it } from 'vitest';
import { lean } from './lean.js';

/** Of the scripts that the rules know: Latin, Greek, Cyrillic and their marks. */
const KNOWN = Array.from({ length: 0x530 }, (_, unit) => String.fromCharCode(unit));
const OTHERS = [...'אشकあ漢한ＡﬁḀ‘’–— €½٣７'];

it.each([
  ['\\p{L}', 'letters'],
  ['\\p{M}', 'marks'],
  ['[\\p{L}\\p{N}_]', 'letters, figures and a sign in one set'],
  ['[^\\p{L}\\p{M}]', 'what is neither a letter nor a mark'],
  ['(?<!\\p{L})[\\]\\p{L}]', 'a set with an escaped bracket'],
  ['[\\[\\]]\\p{L}?|\\\\\\p{L}?|.', 'escaped signs in front of a class'],
])('%s matches the same when it is rewritten with ranges: %s', (source) => {
  const plain = new RegExp(`^(?:${source})$`, 'u');
  const ranged = lean(`^(?:${source})$`, 'u');
  const differ = [...KNOWN, ...OTHERS].filter((char) => plain.test(char) !== ranged.test(char));
  expect(differ).toEqual([]);
  expect(ranged.source).not.toContain('\\p{L}');
});

it('keeps the flags of a pattern, its groups, and the classes of capitals', () => {
  const pattern = lean(/(?<name>\p{Lu}\p{L}+)/giu);
  expect(pattern.flags).toBe('giu');
  expect(pattern.source).toContain('\\p{Lu}');
  expect(pattern.exec('von Żeleński')?.groups?.name).toBe('von');
});
