import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../core/json.js';
import { ObjectEnd } from './object-end.js';

/** Whether the end is seen after each piece. */
function follow(...pieces: string[]): boolean[] {
  const end = new ObjectEnd();
  return pieces.map((piece) => {
    end.push(piece);
    return end.ended;
  });
}

describe('the end of an object', () => {
  it('is found as soon as it has come, wherever the pieces are cut', () => {
    const value = fc.jsonValue().filter(isJsonObject);
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), fc.nat(), (object, space, at) => {
        const text = JSON.stringify(object, null, space);
        const cut = at % text.length;
        expect(follow(text.slice(0, cut), text.slice(cut))).toEqual([false, true]);
        expect(follow(...text).indexOf(true)).toBe(text.length - 1);
      }),
    );
  });

  it.each([
    [
      ['{}', ' \n'],
      [true, true],
    ],
    [
      ['{}', '{}'],
      [true, false],
    ],
    [
      ['{"a":"}', '\\"}', '"}'],
      [false, false, true],
    ],
    [['[]'], [false]],
    [['"{}"'], [false]],
    [['null {}'], [false]],
    [
      ['', ' ', '{', ''],
      [false, false, false, false],
    ],
  ])('of %j is %j', (pieces, expected) => {
    expect(follow(...pieces)).toEqual(expected);
  });
});
