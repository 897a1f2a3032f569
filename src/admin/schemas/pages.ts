import type { Static } from 'typebox';
import { Type } from '../../core/schema-type.js';
import { decodeCursor, encodeCursor, type List } from '../http/cursors.js';
import { cursorParameter, strictObject } from './common.js';

/** The parameters of a list that is read completely. All of it is returned unless `limit` is given. */
export const pageParameters = strictObject({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      description: 'How many to show at most; all where it is absent.',
    }),
  ),
  cursor: cursorParameter,
});

/** The position of an item: its place in the order, then its id among items with the same place. */
export interface ListPlace {
  order: number;
  id: string;
}

/** One page of a sorted list. Items that are added or removed between two pages do not move the others. */
export function pageOf<Item extends ListPlace>(
  list: List,
  items: readonly Item[],
  { limit = items.length, cursor }: Static<typeof pageParameters>,
): { data: Item[]; next_cursor: string | null } {
  const from = cursor === undefined ? 0 : startBehind(readPlace(list, cursor), items);
  const data = items.slice(from, from + limit);
  const last = data.at(-1);
  if (last === undefined || from + limit >= items.length) return { data, next_cursor: null };
  return { data, next_cursor: encodeCursor(list, last.order, last.id) };
}

function readPlace(list: List, cursor: string): ListPlace {
  const [order, id] = decodeCursor(list, cursor, 'number', 'string');
  return { order, id };
}

/** Where the page after `last` starts. The id finds the last item even where sluice.yaml was reordered. */
function startBehind(last: ListPlace, places: readonly ListPlace[]): number {
  const known = places.findIndex(({ id }) => id === last.id);
  if (known !== -1) return known + 1;
  const next = places.findIndex(
    ({ order, id }) => order > last.order || (order === last.order && id > last.id),
  );
  return next === -1 ? places.length : next;
}
