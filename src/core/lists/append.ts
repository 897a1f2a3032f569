/** Appends each item. Spread arguments overflow the stack at about a hundred thousand, which a client can send. */
export function append<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}
