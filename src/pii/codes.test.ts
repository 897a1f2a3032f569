import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CodePattern, CodeRecognizer, CodeTable, kindOf, mayBegin } from './codes.js';
import type { Candidate } from './recognizer.js';
import { codes } from './registry.js';
import { blockOf, findRuns } from './runs.js';

/** A pattern without what it looks for around: `stringMatching` knows neither that nor references to groups. */
function plainSources(source: string): string[] {
  const plain = withoutLookaround(source);
  const group = /\((?:\[(?<units>[^\]]+)\]| )(?<isOptional>\??)\)/.exec(plain);
  if (group === null) return [plain];
  const { units = ' ', isOptional } = group.groups!;
  const marks = [...units, ...(isOptional ? [''] : [])];
  return marks
    .map((mark) => plain.replace(group[0], `[${mark}]`).replaceAll('\\1', `[${mark}]`))
    .map((one) => one.replaceAll('[]', ''));
}

function withoutLookaround(source: string): string {
  const start = source.search(/\(\?<?[!=]/);
  if (start < 0) return source;
  let depth = 0;
  for (let at = start; ; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '[') at = source.indexOf(']', at);
    else if (source[at] === '(') depth++;
    else if (source[at] === ')' && --depth === 0)
      return withoutLookaround(source.slice(0, start) + source.slice(at + 1));
  }
}

function textsOf({ source, flags }: RegExp): fc.Arbitrary<string> {
  const codesOf = fc.oneof(
    ...plainSources(source).map((plain) =>
      fc.stringMatching(new RegExp(`^(?:${plain})$`, flags.includes('u') ? 'u' : '')),
    ),
  );
  const inCase = fc.boolean().map((isSmall) => isSmall && flags.includes('i'));
  return fc
    .tuple(codesOf, inCase, fc.constantFrom('', ' x', ', 7', '-x', '- 7', '. ', ':'))
    .map(([code, isSmall, behind]) => (isSmall ? code.toLowerCase() : code) + behind);
}

const PATTERNS = codes.flatMap(({ name, patterns }) =>
  patterns.map((pattern, i) => [`${name} ${i}, ${pattern.name}`, pattern] as const),
);

describe('a code', () => {
  it.each(PATTERNS)('%s begins with a character that its pattern declares', (_, pattern) => {
    let matched = 0;
    fc.assert(
      fc.property(textsOf(pattern.regex), (text) => {
        const run = findRuns(text, 0, text.length)[0];
        pattern.regex.lastIndex = 0;
        if (run?.start !== 0 || !pattern.regex.test(text)) return;
        matched++;
        expect(mayBegin(pattern, kindOf(text, run)), text).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(matched).toBeGreaterThan(10);
  });
});

function foundBy(patterns: CodePattern[], text: string): Candidate[] {
  const code = new CodeRecognizer({ entityType: 'US_PASSPORT', fewestDigits: 1, patterns });
  const found: Candidate[] = [];
  new CodeTable([code]).find(blockOf(text, 0, text.length), (one) => found.push(one));
  return found;
}

describe('a table of codes', () => {
  it('tries a pattern only on runs of the kind that it declares', () => {
    const pattern = { name: 'any', regex: /\w+/y, score: 0.5 };
    const startsOf = (runs: CodePattern['runs'], letters = 0) =>
      foundBy([{ ...pattern, runs, letters }], '12 123 A12 1-2 1A AB12').map(({ start }) => start);
    expect(startsOf({ 2: '' })).toEqual([0]);
    expect(startsOf({ '2-3': '' })).toEqual([0, 3]);
    expect(startsOf({ 1: '-' })).toEqual([11]);
    expect(startsOf({ 3: '' }, 1)).toEqual([7]);
    expect(startsOf({ '2 mixed': '' })).toEqual([15]);
  });

  it('uses the first of its patterns that matches', () => {
    const found = foundBy(
      [
        { name: 'one', regex: /1\d/y, score: 0.5, runs: { 2: '' } },
        { name: 'two', regex: /\d\d/y, score: 0.5, runs: { 2: '' } },
      ],
      '23 12',
    );
    expect(found.map(({ pattern }) => pattern)).toEqual(['two', 'one']);
  });
});
