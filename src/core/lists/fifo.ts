/** A queue whose first item leaves in constant time, however many stand behind it: `shift` of an array moves them all. */
export class Fifo<Item> {
  #items: Item[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  get first(): Item | undefined {
    return this.#items[this.#first];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first];
    // Lets the item be collected.
    this.#items[this.#first++] = undefined as Item;
    if (this.#first === this.#items.length) {
      this.#items = [];
      this.#first = 0;
    } else if (this.#first > 1_000 && this.#first > this.#items.length / 2) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  /** Puts others in the place of the first item. */
  replaceFirst(items: readonly Item[]): void {
    this.#replaceAt(this.#first, items);
  }

  /** Puts others in the place of an item that is there. */
  replace(item: Item, items: readonly Item[]): void {
    this.#replaceAt(this.#items.indexOf(item, this.#first), items);
  }

  #replaceAt(index: number, items: readonly Item[]): void {
    const before = this.#items.slice(this.#first, index);
    this.#items = before.concat(items, this.#items.slice(index + 1));
    this.#first = 0;
  }
}
