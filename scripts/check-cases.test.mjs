import { describe, expect, it } from 'vitest';
import { findCaseMistakes } from './check-cases.mjs';

const check = (text) => findCaseMistakes(new Map([['core/a.ts', text]]));

describe('a switch over the kinds of something', () => {
  const body = "switch (part.type) {\n  case 'text':\n    return 1;\n";

  it('ends with assertNever', () => {
    expect(check(`${body}  default:\n    return assertNever(part);\n}`)).toEqual([]);
    expect(check(`${body}}`)).toEqual([expect.stringMatching(/^src\/core\/a\.ts:1: .* without a default/)]);
  });

  it('or has a default whose comment names the rest', () => {
    expect(check(`${body}  default:\n    // Kinds that came later.\n    return 2;\n}`)).toEqual([]);
    expect(check(`${body}  default:\n    return 2;\n}\n// A comment behind it.`)).toEqual([
      expect.stringMatching(/^src\/core\/a\.ts:1: a switch over part\.type whose default gives no reason/),
    ]);
  });

  it('is not meant where it is over characters or numbers', () => {
    expect(check('switch (text.charCodeAt(0)) {\n  case 1:\n    return 1;\n}')).toEqual([]);
  });
});

describe('a cast that the compiler cannot follow', () => {
  it('has a comment that says why it is right', () => {
    expect(check('// The schema has checked it.\nconst a = given as unknown as Config;')).toEqual([]);
    expect(check('const a = given as never; // Fastify has checked it.')).toEqual([]);
    expect(check('const b = 1;\nconst a = given as never;')).toEqual([
      'src/core/a.ts:2: a cast without a comment that says why it holds',
    ]);
  });
});
