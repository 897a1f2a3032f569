import { expect, it } from 'vitest';
import { batchSize } from './bulk.js';

const tags = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => String(index).padEnd(length, 'x'));

it.each([
  ['200, where little is written into each', { quality_rating: '👍' }, 200],
  ['200 for a few tags and keys', { add_tags: tags(10, 20), set_metadata: { a: 1 } }, 200],
  ['fewer for a thousand tags', { add_tags: tags(1000, 10) }, 37],
  ['fewer for a thousand keys', { unset_metadata: tags(1000, 10) }, 37],
  ['one at least', { add_tags: tags(1000, 8000) }, 1],
] as const)('a batch contains %s', (_case, change, size) => {
  expect(batchSize(change as never)).toBe(size);
});
