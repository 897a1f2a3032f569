import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../core/json.js';
import {
  extendArray,
  extendString,
  type Path,
  removeItems,
  spliceValues,
  stepsOf,
  stringEdit,
} from './splice.js';

const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

/** Paths to all values inside another, itself too. */
function pathsOf(inside: JsonValue, path: Path = []): Path[] {
  const children =
    typeof inside === 'object' && inside !== null
      ? Array.isArray(inside)
        ? inside.flatMap((item, index) => pathsOf(item, [...path, index]))
        : Object.entries(inside).flatMap(([key, member]) => pathsOf(member, [...path, key]))
      : [];
  return [path, ...children];
}

function at(inside: JsonValue, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (found, step) => (found as Record<string | number, JsonValue>)[step],
    inside,
  );
}

describe('spliceValues', () => {
  it('replaces the value at a path and nothing else', () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.string(), fc.constantFrom(0, 2), (original, pick, text, space) => {
        const paths = pathsOf(original);
        const path = paths[pick % paths.length]!;
        const spliced = JSON.parse(
          spliceValues(JSON.stringify(original, null, space), [stringEdit(path, text)]),
        );
        expect(at(spliced, path)).toBe(text);
        const emptied = (whole: JsonValue) =>
          spliceValues(JSON.stringify(whole), [{ path, write: () => 'null' }]);
        expect(emptied(spliced)).toBe(emptied(original));
      }),
    );
  });

  it('replaces many values at once', () => {
    const text = '{"a": [1, {"b": "x"}], "c" : "y"}';
    const edits = [stringEdit(['c'], '2'), stringEdit(['a', 1, 'b'], '1')];
    expect(spliceValues(text, edits)).toBe('{"a": [1, {"b": "1"}], "c" : "2"}');
  });

  it('passes the replaced text to the edit', () => {
    expect(spliceValues('{"a":[1.0 , 2]}', [{ path: ['a', 0], write: (old) => `[${old}]` }])).toBe(
      '{"a":[[1.0] , 2]}',
    );
  });

  it('changes nothing for a path that leads nowhere', () => {
    const text = '{"a":[1]}';
    expect(spliceValues(text, [stringEdit(['a', 3], 'x'), stringEdit(['b', 'c'], 'x')])).toBe(text);
  });

  it('empties the earlier values of a repeated key, whichever of them a parser uses', () => {
    expect(spliceValues('{"a":"secret","a":"x"}', [stringEdit(['a'], 'y')])).toBe('{"a":null,"a":"y"}');
    expect(spliceValues('{"a":["secret"],"a":["x"]}', [stringEdit(['a', 0], 'y')])).toBe(
      '{"a":null,"a":["y"]}',
    );
    const edits = [stringEdit(['a', 0], 'y'), stringEdit(['b'], 'z')];
    expect(spliceValues('{"a":["secret"],"b":1,"a":["x"],"a":["x"],"b":2}', edits)).toBe(
      '{"a":null,"b":null,"a":null,"a":["y"],"b":"z"}',
    );
  });

  it('accepts paths with the same beginning', () => {
    const within = { within: ['a'], step: 1 };
    const edits = [stringEdit({ within, step: 'b' }, '1'), stringEdit({ within, step: 'c' }, '2')];
    expect(spliceValues('{"a":[0,{"b":"x","c":"y"}]}', edits)).toBe('{"a":[0,{"b":"1","c":"2"}]}');
    expect(stepsOf({ within, step: 'c' })).toEqual(['a', 1, 'c']);
  });
});

describe('extendArray', () => {
  it.each([
    ['[]', '[1,2]'],
    ['[ ]', '[1,2]'],
    ['["]"]', '[1,"]",2]'],
    ['[ 5, 6 ]', '[1, 5, 6 ,2]'],
  ])('adds to both ends of %s', (array, extended) => {
    expect(extendArray(array, ['1'], ['2'])).toBe(extended);
  });
});

describe('removeItems', () => {
  it('keeps the text of the items that stay', () => {
    expect(removeItems('[1.0, {"a": 1} ,"x"]', new Set([0]))).toBe('[{"a": 1},"x"]');
    expect(removeItems('[1]', new Set([0]))).toBe('[]');
  });
});

describe('extendString', () => {
  it('adds text inside the quotes', () => {
    expect(JSON.parse(extendString('"a\\n"', '"b"'))).toBe('a\n"b"');
  });
});
