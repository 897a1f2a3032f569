import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../json.js';
import { copyMembers } from './copy-members.js';
import { parseInSteps, stringifyInSteps } from './json-in-pieces.js';
import { isEmptyObject, memberNames } from './member-names.js';
import { atOnce } from './steps.js';

const members = (count: number, nameOf = (at: number) => `k${at}`) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [nameOf(at), at]));

const read = (text: string) => atOnce(parseInSteps(text)).value as JsonObject;

/** How often V8 is asked for the names of a large object. */
function listings(work: () => void): number {
  const list = Object.keys;
  let count = 0;
  const spy = vi.spyOn(Object, 'keys').mockImplementation((object: object) => {
    const names = list(object);
    if (names.length > 2_000) count++;
    return names;
  });
  work();
  spy.mockRestore();
  return count;
}

describe('the names of members', () => {
  it('are those of the object, in their order', () => {
    for (const count of [0, 1, 3, 5_000]) {
      const text = JSON.stringify(members(count));
      expect(memberNames(read(text))).toEqual(Object.keys(JSON.parse(text)));
      expect(isEmptyObject(read(text))).toBe(count === 0);
    }
  });

  it('include all that are numbers, in whatever order', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `${9_000 - at}`);
    const text = `{${names.map((name) => `"${name}":1`).join()}}`;
    expect([...memberNames(read(text))].sort()).toEqual(names.sort());
  });

  it('have each name once where the text repeats it', () => {
    const value = read(
      `{${JSON.stringify(members(3_000)).slice(1, -1)},"k2":"last","__proto__":1,"__proto__":2}`,
    );
    expect(memberNames(value)).toEqual([...Object.keys(members(3_000)), '__proto__']);
    expect(value.k2).toBe('last');
  });

  it('are those of an object with large members, and of the objects in it', () => {
    const inner = members(2_500);
    const value = read(
      JSON.stringify({ ...members(1_500, (at) => `o${at}`), inner, more: { a: inner }, last: 1 }),
    );
    expect(memberNames(value).slice(-3)).toEqual(['inner', 'more', 'last']);
    expect(memberNames(value.inner as JsonObject)).toEqual(Object.keys(inner));
    expect(memberNames((value.more as JsonObject).a as JsonObject)).toEqual(Object.keys(inner));
  });

  it('are not asked of V8 when a large object is read, copied and written', () => {
    const text = JSON.stringify({ inner: members(10_000) });
    expect(
      listings(() => {
        const { inner } = read(text) as { inner: JsonObject };
        const copy = atOnce(copyMembers(inner, ['k1'], { added: true }));
        expect(atOnce(stringifyInSteps(copy))).toContain('"k2":2,"k3":3');
        expect(memberNames(copy).at(-1)).toBe('added');
      }),
    ).toBe(0);
  });
});
