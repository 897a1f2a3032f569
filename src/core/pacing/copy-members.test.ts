import { describe, expect, it } from 'vitest';
import { copyMembers } from './copy-members.js';
import { atOnce } from './steps.js';

describe('a copy of members', () => {
  it('has all members except those left out, and no prototype from the data', () => {
    const from = JSON.parse('{"a":1,"__proto__":{"admin":true},"b":[2],"a2":null}');
    const copy = atOnce(copyMembers(from, ['a']));
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true},"b":[2],"a2":null}');
    expect('admin' in copy).toBe(false);
  });

  it('is made in steps where they are many', () => {
    const steps = [
      ...copyMembers(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, at]))),
    ];
    expect(steps.length).toBeGreaterThan(10);
  });
});
