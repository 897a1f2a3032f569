import { describe, expect, it } from 'vitest';
import { type Layout, LayoutScan, placeOf } from './layout.js';
import { BLANK, CODE, lineKind, OPEN, PROSE } from './line-kind.js';

function layoutOf(text: string): Layout {
  const steps = new LayoutScan(text).steps();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** What the name model reads of source code, passage by passage; lines of one comment joined by `|`. */
function readable(text: string): string[] {
  return layoutOf(text)
    .passages.filter(({ isCode }) => isCode)
    .map(({ ranges, from }) => {
      const parts: string[] = [];
      for (let i = 0; i < ranges.length; i += 2)
        parts.push(text.slice(Math.max(from, ranges[i]!), ranges[i + 1]));
      return parts.join('|');
    });
}

function kindOf(line: string) {
  const from = line.length - line.trimStart().length;
  return lineKind(line, from, line.length, from);
}

describe('a line is source code', () => {
  it.each([
    'const user = await store.find(id);',
    'if (user.name === "Ada") {',
    'self.filename = os.path.join(root, name)',
    'def area(self, width, height):',
    'elif not hasattr(module, name):',
    'for name, value in headers:',
    'func (r *Reader) Read(p []byte) (n int, err error) {',
    '#include <stdio.h>',
    '#endif',
    'SELECT name, city FROM users WHERE id = 7',
    '  "author": "Ada Lovelace",',
    '<td class="name">Ada Lovelace</td>',
    'export PATH="$HOME/bin:$PATH"',
    'use std::collections::HashMap;',
    'public static void main(String[] args) {',
    '    return total',
    '});',
  ])('%s', (line) => {
    expect(kindOf(line)).toBe(CODE);
  });
});

describe('a line is no source code', () => {
  it.each([
    ['My name is Ada Lovelace; I live in London.', PROSE],
    ['let me know if the file(s) arrived', PROSE],
    ['while you are there, ask for John (my boss).', PROSE],
    ['Use this.name or main.py when you write to Ada.', PROSE],
    ['"In 1914, most thought so": Dr. Margaret MacMillan', PROSE],
    ['import duties rose in March, says Anna', PROSE],
    ['Anna Meyer', PROSE],
    ['Ask Anna Schmidt about user_id and order_id', PROSE],
    ['Can Ada Chen review get_user() in auth/session.ts?', PROSE],
    ['Please mail Ada, her key is sk_test_4eC39HqL_x1', PROSE],
    ['Thanks,', OPEN],
    ['name=Ada Lovelace; city=London', OPEN],
    ['RT @some_one: see https://example.org/a_b?c=d', OPEN],
    ['=================', OPEN],
    ['   ', BLANK],
  ])('in %s', (line, kind) => {
    expect(kindOf(line)).toBe(kind);
  });
});

describe('names are looked for', () => {
  it.each([
    ["in strings: const a = 'Ada', b = `Bob`;", ['Ada', 'Bob']],
    ['in values and not in keys: {"Ada": "Bob", "c": ["Dan"]}', ['Bob', 'Dan']],
    ['past what is escaped: x = "Ada\\nBob";', ['Ada', 'Bob']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source code to look at
    ['between what is filled in: x = `Dear ${name}, Ada`;', ['Dear', ', Ada']],
    ['in comments: i++; // by Ada', ['by Ada']],
    [
      'in comments that name code: i++; // by Ada Meyer for handle_request()',
      ['by Ada Meyer for handle_request()'],
    ],
    ['between tags: <b>Ada</b><i class="x">Bob</i>', ['Ada', 'x', 'Bob']],
    ["not in a lone apostrophe: fn a<'b>(c: &'b str) {", []],
  ])('%s', (line, expected) => {
    const code = line.slice(line.indexOf(': ') + 2);
    expect(readable(`run();\n${code}`)).toEqual(expected);
  });

  it('in comments of several lines, read as one', () => {
    expect(readable('run();\n/* Written by\n * Ada Lovelace\n */\n# for Bob\n# and Dan')).toEqual([
      'Written by|Ada Lovelace',
      'for Bob|and Dan',
    ]);
  });

  it('in strings of three quotes', () => {
    expect(readable('x = f("""\nDear Ada\n""")\n')).toEqual(['Dear Ada']);
  });

  it('not in code that is commented out', () => {
    expect(readable('run();\n// const user = Ada.find(Bob);\n')).toEqual([]);
  });
});

describe('a line without signs of code or prose', () => {
  it('is code where code surrounds it', () => {
    expect(placeOf(layoutOf('import {\n  Ada,\n} from "x";'), 12)).toBe('code');
  });

  it('is prose after an empty line, and where there is no code', () => {
    const text = 'run();\n\nThanks,\nAda';
    expect(placeOf(layoutOf(text), text.length - 1)).toBe('prose');
    expect(placeOf(layoutOf('Thanks,\nAda'), 9)).toBe('prose');
  });

  it('is code between fences, or prose if the fences say so', () => {
    expect(placeOf(layoutOf('```js\nAda\n```'), 6)).toBe('code');
    expect(placeOf(layoutOf('```text\nAda\n```'), 8)).toBe('prose');
  });
});

it('a path with a star does not begin a comment', () => {
  expect(readable('rm -rf "$HOME"/tmp/*\nname=$(whoami) # Ada')).toContain('Ada');
});
