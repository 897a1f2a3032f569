import { describe, expect, it } from 'vitest';
import { fitting } from './tags.tsx';

describe('the tags of a row', () => {
  it.each([
    [[], 100, 0],
    [['a'], 10, 1],
    [['tier:pro', 'lang:en'], 400, 2],
    [['tier:pro', 'lang:en', 'task:faq'], 160, 1],
    [['tier:pro', 'lang:en', 'task:faq'], 210, 2],
  ])('of %j that fit into %i px are %i', (tags, width, count) => {
    expect(fitting(tags, width)).toBe(count);
  });
});
