import fc from 'fast-check';
import { RE2JS } from 're2js';
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
  it('match whole words in upper or lower case', () => {
    expect(matches(['zeus'], 'Zeus ZEUS zeus-1 zeusx xzeus _zeus')).toEqual(['Zeus', 'ZEUS', 'zeus']);
  });

  it('may begin after an escape of JSON, too', () => {
    expect(matches(['zeus'], '{"a":"x\\nzeus\\tZeus\\\\nzeus"}')).toEqual(['zeus', 'Zeus']);
  });

  it('may contain blanks and marks, and begin or end with a mark', () => {
    expect(matches(['c++', '#42', 'a b'], 'c++ is #42, a b')).toEqual(['c++', '#42', 'a b']);
  });

  it('are all found where one ends another', () => {
    expect(matches(['new york', 'york'], 'in New York').sort()).toEqual(['New York', 'York']);
  });

  it('match letters beyond ASCII in upper or lower case', () => {
    expect(matches(['müller'], 'MÜLLER und Müllerin')).toEqual(['MÜLLER']);
  });

  it('find the same as a search word by word', () => {
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

  it('that run forever in other engines end at once', () => {
    expect(matches(['/^(a+)+$/'], `${'a'.repeat(5000)}!`)).toEqual([]);
  });

  it('find a match across the pieces in which long text is read', () => {
    const text = `${'x '.repeat(4094)}KEY-1234567890 end`;
    expect(matches(['/KEY-\\d+/'], text)).toEqual(['KEY-1234567890']);
  });
});

describe('a pattern means in long text what it means in the whole', () => {
  /** Each a pattern, and a text that it is looked for in between fillings. */
  const PATTERNS = [
    '^key',
    'key$',
    '(?m)^key',
    '(?m)key$',
    '\\bkey\\b',
    '\\Bey',
    '\\Akey',
    'key\\z',
    'k[a-z]{2}',
    'key.*end',
    'key[\\s\\S]*end',
    '(?s)key.*?end',
    '[a-z]+',
    'a+b',
    '😀key',
    '.key',
    '(?:key|end) ?',
    '(?i)KEY',
  ];
  const piece = fc.constantFrom('key', ' ', '\n', 'x', 'end', '😀', 'aab', 'keyend', '-');
  const long = fc
    .tuple(fc.array(piece, { maxLength: 12 }), fc.nat(40), fc.array(piece, { maxLength: 12 }), fc.boolean())
    .map(([before, shift, behind, inLines]) => {
      const filling = (inLines ? 'filling it\n' : 'filling it ').repeat(900).slice(0, 8_192 - 20 + shift);
      return [before.join(''), filling, behind.join(''), filling.slice(8_000), before.join('')].join('');
    });

  it.each(PATTERNS)('%s', (source) => {
    fc.assert(
      fc.property(long, (text) => {
        const whole = RE2JS.compile(source).matcher(text);
        const expected: string[] = [];
        while (whole.find())
          if (whole.end() > whole.start()) expected.push(`${whole.start()}-${whole.end()}`);
        const { value } = stepped(new TermList([`/${source}/`], 'denyList').matches(text));
        expect(value.map(({ start, end }) => `${start}-${end}`)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('so that no anchor matches at the border of a piece', () => {
    const filling = 'x'.repeat(8_191);
    expect(matches(['/^secret/'], `${filling} secret`)).toEqual([]);
    expect(matches(['/\\bsecret/'], `${filling}xsecret`)).toEqual([]);
    expect(matches(['/secret$/'], `${filling.slice(200)}secret${filling}`)).toEqual([]);
  });
});

describe('words in scripts without blanks', () => {
  it.each([
    ['密码', '我的密码是什么', '密码'],
    ['パスワード', '私のパスワードは', 'パスワード'],
    ['비밀번호', '제비밀번호는 무엇', '비밀번호'],
    ['รหัสผ่าน', 'นี่คือรหัสผ่านของฉัน', 'รหัสผ่าน'],
    ['password', '我的password是什么', 'password'],
    ['password', 'Password1234', 'Password'],
    ['zeus', 'zeus7', 'zeus'],
  ])('%s is found in %s', (term, text, found) => {
    expect(matches([term], text)).toEqual([found]);
  });

  it.each([
    ['key', 'monkey'],
    ['4711', 'x4711'],
    ['mp', 'mp3'],
    ['пароль', 'парольный'],
  ])('%s is not found in %s, where it is part of a longer word', (term, text) => {
    expect(matches([term], text)).toEqual([]);
  });
});

describe('a finding under allowed text', () => {
  it('is dropped only when one match covers it as a whole', () => {
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

  it('is checked in steps where there is much allowed text', () => {
    const spans = Array.from({ length: 50_000 }, (_, at) => ({ start: 2 * at, end: 2 * at + 2 }));
    const { value, steps } = stepped(withoutCovered(spans, spans.slice(25_000)));
    expect(value).toEqual(spans.slice(0, 25_000));
    expect(steps).toBeGreaterThan(40);
  });
});
