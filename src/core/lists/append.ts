/**
 * Appends each item. Spread arguments would overflow the stack at about a hundred thousand items, and a client can
 * send so many.
 */
export function append<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}
