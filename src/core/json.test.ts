import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  editMembers,
  type JsonObject,
  keyOfToken,
  memberText,
  parseJson,
  pointerToken,
  withoutRepeatedKeys,
} from './json.js';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, nestsTooDeep } from './json-scan.js';

/** JSON text of an object with odd spacing and spellings, together with what it says. */
const objectText = fc
  .tuple(
    fc.array(
      fc.tuple(fc.oneof(fc.constantFrom('model', 'a', '', '__proto__', 'metadata'), fc.string()), fc.json()),
    ),
    fc.stringMatching(/^[ \n\r\t]{0,4}$/),
  )
  .map(([members, space]) => {
    const inside = members.map(
      ([key, value]) => `${space}${JSON.stringify(key)}${space}:${space}${value}${space}`,
    );
    return `${space}{${inside.length === 0 ? space : inside.join(',')}}${space}`;
  });

const member = fc.constantFrom('model', 'a', '', '__proto__', 'metadata', 'other');

function parse(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

describe('editMembers', () => {
  it('returns JSON in which the given members are set, and all others unchanged', () => {
    fc.assert(
      fc.property(objectText, member, fc.json(), (text, key, value) => {
        const edited = parse(editMembers(text, new Map([[key, value]])));
        const before = parse(text);
        expect(JSON.stringify(edited[key])).toBe(JSON.stringify(JSON.parse(value)));
        for (const other of Object.keys(before)) {
          if (other !== key) expect(edited[other]).toEqual(before[other]);
        }
        expect(new Set(Object.keys(edited))).toEqual(new Set([...Object.keys(before), key]));
      }),
    );
  });

  it('removes members, repeated ones too', () => {
    fc.assert(
      fc.property(objectText, member, (text, key) => {
        const edited = parse(editMembers(text, new Map([[key, undefined]])));
        const kept = Object.keys(parse(text)).filter((other) => other !== key);
        expect(Object.keys(edited)).toEqual(kept);
      }),
    );
  });

  it('keeps the spelling of members that it does not set', () => {
    const text = '{ "model" : "x" , "seed": 12345678901234567890, "temperature":1.00, "note":"\\u00e9\\/" }';
    expect(editMembers(text, new Map([['model', '"y"']]))).toBe(
      '{"model" : "y","seed": 12345678901234567890, "temperature":1.00, "note":"\\u00e9\\/"}',
    );
  });

  it('adds missing members at the front', () => {
    expect(editMembers('{"a":1}', new Map([['id', '"x"']]))).toBe('{"id":"x","a":1}');
    expect(editMembers(' { } ', new Map([['id', '"x"']]))).toBe('{"id":"x"}');
  });

  it('writes a repeated member once', () => {
    expect(editMembers('{"a":1,"b":2,"a":3}', new Map([['a', '4']]))).toBe('{"a":4,"b":2}');
  });

  it('finds a key that is written with escapes', () => {
    expect(editMembers('{"mod\\u0065l":1}', new Map([['model', '2']]))).toBe('{"mod\\u0065l":2}');
  });

  it('takes little time for long runs of blanks', () => {
    const text = `{"a":1${' '.repeat(300_000)},"b":2}`;
    expect(editMembers(text, new Map([['b', '3']]))).toBe('{"a":1,"b":3}');
  });
});

describe('memberText', () => {
  it('is the text of the value that a JSON parser would return', () => {
    fc.assert(
      fc.property(objectText, member, (text, key) => {
        const value = parse(text);
        const found = memberText(text, key);
        if (!Object.hasOwn(value, key)) expect(found).toBeUndefined();
        else expect(JSON.parse(found!)).toEqual(value[key]);
      }),
    );
  });

  it('has no blanks around it', () => {
    fc.assert(
      fc.property(objectText, member, (text, key) => {
        const found = memberText(text, key);
        expect(found).toBe(found?.trim());
      }),
    );
  });
});

describe('withoutRepeatedKeys', () => {
  const documentOf = (text: string) => ({ text, value: JSON.parse(text) as JsonObject });

  it.each([
    ['{"a":1,"b":{"a":2}}'],
    ['{ "a" : "b:c\\":", "d":[{"a":1.0},{"a":[":"]}] }'],
    ['{"__proto__":1,"":[]}'],
  ])('leaves %s unchanged', (text) => {
    const document = documentOf(text);
    expect(withoutRepeatedKeys(document)).toBe(document);
  });

  it.each([
    ['{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    ['{"a":[{"b":"x","b":"y"}]}', '{"a":[{"b":"y"}]}'],
    ['{"a":{"b":1},"\\u0061":{}}', '{"a":{}}'],
  ])('turns %s into what a JSON parser would return', (text, seen) => {
    expect(withoutRepeatedKeys(documentOf(text)).text).toBe(seen);
  });
});

it('JSON of more values than the limit is not parsed', () => {
  const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]`;
  expect(parseJson(zeros(MAX_JSON_VALUES - 1))).toHaveLength(MAX_JSON_VALUES - 1);
  expect(parseJson(zeros(MAX_JSON_VALUES))).toBeUndefined();
});

describe('nesting', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it('is too deep from one level over the limit on, however deep it is', () => {
    expect(nestsTooDeep(nested(MAX_JSON_DEPTH))).toBe(false);
    expect(nestsTooDeep(`{"a":${nested(MAX_JSON_DEPTH)}}`)).toBe(true);
    expect(nestsTooDeep('['.repeat(100_000))).toBe(true);
  });

  it('does not count brackets in texts, nor values beside each other', () => {
    expect(nestsTooDeep(`["\\"${'['.repeat(2_000)}","\\\\"]`)).toBe(false);
    expect(nestsTooDeep(`[${'[1],'.repeat(2_000)}{}]`)).toBe(false);
  });

  it('within the limit can be printed', () => {
    expect(JSON.stringify(JSON.parse(nested(MAX_JSON_DEPTH)))).toBe(nested(MAX_JSON_DEPTH));
  });
});

describe('a token of a JSON pointer', () => {
  it.each([
    ['a', 'a'],
    ['a/b', 'a~1b'],
    ['m~n', 'm~0n'],
    ['~1', '~01'],
    ['', ''],
  ])('writes the key %j as %j, and is read back', (key, token) => {
    expect(pointerToken(key)).toBe(token);
    expect(keyOfToken(token)).toBe(key);
  });
});
