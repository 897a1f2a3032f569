import { expect, it } from 'vitest';
import { stepTowards } from './tag-deltas.js';

it.each([
  ['counts a new log whole', ['a', 'b'], [], 2, { added: ['a', 'b'], removed: [] }],
  ['counts what is different', ['a', 'c'], ['a', 'b'], 2, { added: ['c'], removed: ['b'] }],
  ['has nothing to do', ['a'], ['a'], 0, { added: [], removed: [] }],
  ['counts a part', ['a', 'b', 'c'], ['a'], 1, { added: ['b'], removed: [], counted: ['a', 'b'] }],
  ['takes off first', ['c'], ['a', 'b'], 1, { added: [], removed: ['a'], counted: ['b'] }],
  ['does both', ['c', 'd'], ['a'], 2, { added: ['c'], removed: ['a'], counted: ['c'] }],
  ['has no room', ['a'], [], 0, { added: [], removed: [], counted: [] }],
])('%s', (_case, tags, before, room, step) => {
  expect(stepTowards(tags, before, room)).toEqual(step);
});
