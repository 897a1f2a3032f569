import { expect, it } from 'vitest';
import type { NameSpan } from '../name-span.js';
import { withNames } from './with-names.js';

const name = (start: number, end: number): NameSpan => ({ type: 'PERSON', start, end, score: 1 });

it('puts names in the place of what they overlap, and keeps what they touch', () => {
  const [one, two, three] = [name(0, 4), name(5, 9), name(9, 12)];
  expect(withNames([one, two, three], [name(4, 9)])).toEqual([one, name(4, 9), three]);
});

it('gives the same list where nothing is added', () => {
  const spans = [name(0, 4)];
  expect(withNames(spans, [])).toBe(spans);
});
