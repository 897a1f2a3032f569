import { expect, it } from 'vitest';
import type { Collections } from '../mongodb/collections.js';
import { countTags, noteTags } from './known-tags.js';

it('counts the tags of a project once, and keeps the number up to date', async () => {
  const asked: unknown[] = [];
  const tags = {
    countDocuments: async (query: object, { limit }: { limit: number }) => {
      asked.push(query);
      return Math.min(120, limit);
    },
  } as unknown as Collections['tags'];
  expect(await countTags(tags, 'p', 100)).toBe(100);
  noteTags(tags, 'p', -3);
  expect(await countTags(tags, 'p', 100)).toBe(97);
  noteTags(tags, 'p', 2);
  noteTags(tags, 'other', 5);
  expect(await countTags(tags, 'p', 100)).toBe(99);
  expect(asked).toEqual([{ project_uid: 'p' }]);
  expect(await countTags(tags, 'other', 100)).toBe(100);
});
