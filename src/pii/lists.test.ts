import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TermList, withoutCovered } from './lists.js';

function stepped<Value>(work: Generator<void, Value>): { value: Value; steps: number } {
  for (let steps = 0; ; steps++) {
    const step = work.next();
    if (step.done) return { value: step.value, steps };
  }
}

function matches(entries: string[], text: string): string[] {
  const steps = new TermList(entries, 'denyList').matches(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.map(({ start, end }) => text.slice(start, end));
  }
}

describe('terms', () => {
  it('match whole words in any case', () => {
    expect(matches(['zeus'], 'Zeus ZEUS zeus-1 zeusx xzeus _zeus')).toEqual(['Zeus', 'ZEUS', 'zeus']);
  });

  it('begin behind the escapes of JSON too', () => {
    expect(matches(['zeus'], '{"a":"x\\nzeus\\tZeus\\\\nzeus"}')).toEqual(['zeus', 'Zeus']);
  });

  it('may hold blanks and marks, and begin or end with a mark', () => {
    expect(matches(['c++', '#42', 'a b'], 'c++ is #42, a b')).toEqual(['c++', '#42', 'a b']);
  });

  it('are all found when one ends another', () => {
    expect(matches(['new york', 'york'], 'in New York').sort()).toEqual(['New York', 'York']);
  });

  it('match letters beyond ASCII in any case', () => {
    expect(matches(['müller'], 'MÜLLER und Müllerin')).toEqual(['MÜLLER']);
  });

  it('find what a search word by word finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 6 }),
        fc.array(word, { maxLength: 12 }),
        (terms, words) => {
          expect(matches(terms, words.join(' '))).toEqual(words.filter((w) => terms.includes(w)));
        },
      ),
      { verbose: true },
    );
  });
});

describe('patterns', () => {
  it('are written /pattern/flags', () => {
    expect(matches(['/emp-\\d+/i'], 'EMP-12 and emp-7')).toEqual(['EMP-12', 'emp-7']);
  });

  it('that make other engines run for ever end at once', () => {
    expect(matches(['/^(a+)+$/'], `${'a'.repeat(5000)}!`)).toEqual([]);
  });

  it('find a match across the stretches that long text is read in', () => {
    const text = `${'x '.repeat(4094)}KEY-1234567890 end`;
    expect(matches(['/KEY-\\d+/'], text)).toEqual(['KEY-1234567890']);
  });
});

describe('what allowed text covers', () => {
  it('is dropped only when one match covers it whole', () => {
    const spans = [
      { start: 0, end: 5 },
      { start: 6, end: 12 },
    ];
    const covers = [
      { start: 0, end: 5, entry: 'a' },
      { start: 6, end: 9, entry: 'b' },
      { start: 9, end: 12, entry: 'c' },
    ];
    expect(stepped(withoutCovered(spans, covers)).value).toEqual([{ start: 6, end: 12 }]);
  });

  it('is looked for in steps where there is much of it', () => {
    const spans = Array.from({ length: 50_000 }, (_, at) => ({ start: 2 * at, end: 2 * at + 2 }));
    const { value, steps } = stepped(withoutCovered(spans, spans.slice(25_000)));
    expect(value).toEqual(spans.slice(0, 25_000));
    expect(steps).toBeGreaterThan(40);
  });
});
