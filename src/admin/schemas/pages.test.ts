import { describe, expect, it } from 'vitest';
import { pageOf } from './pages.js';

const placed = (ids: string[]) => ids.map((id) => ({ order: id.charCodeAt(0), id }));

/** All pages, where `between` changes the list behind each of them. */
function read(items: string[], limit: number, between: (items: string[]) => void = () => {}): string[][] {
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; between(items)) {
    const page = pageOf('projects', placed(items), { limit, cursor });
    pages.push(page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return pages;
}

describe('a page of a list that is in memory', () => {
  it('is the whole list where no limit is given', () => {
    const items = placed(['a', 'b']);
    expect(pageOf('projects', items, {})).toEqual({ data: items, next_cursor: null });
  });

  it('has a cursor as long as something follows', () => {
    expect(read(['a', 'b', 'c', 'd', 'e'], 2)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(read(['a', 'b'], 2)).toEqual([['a', 'b']]);
    expect(read([], 2)).toEqual([[]]);
  });

  it('continues at the right place when its last item was removed', () => {
    expect(read(['a', 'b', 'c', 'd'], 2, (items) => items.splice(items.indexOf('b'), 1))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('continues after an item whose place has changed', () => {
    expect(read(['b', 'c', 'd'], 1, (items) => items.includes('a') || items.unshift('a'))).toEqual([
      ['b'],
      ['c'],
      ['d'],
    ]);
  });

  it('repeats no item where several have the same order', () => {
    const ids = ['a1', 'a2', 'a3', 'a4'];
    expect(read(ids, 2, (items) => items.includes('a2') && items.splice(1, 1))).toEqual([
      ['a1', 'a2'],
      ['a3', 'a4'],
    ]);
  });

  it.each(['x', Buffer.from('["plugins",1,"a"]').toString('base64url')])(
    'refuses the cursor %s',
    (cursor) => {
      expect(() => pageOf('projects', placed(['a']), { cursor })).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
    },
  );
});
