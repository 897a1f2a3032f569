/** A queue from which the first item is removed in constant time. `shift` of an array moves all items behind it. */
export class Fifo<Item> {
  #items: Item[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  get first(): Item | undefined {
    return this.#items[this.#first];
  }

  /** The item at this place from the end, where 1 is the last one. There must be so many. */
  fromEnd(place: number): Item {
    return this.#items[this.#items.length - place]!;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first];
    // Lets the garbage collector free the item.
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

  /** Replaces the first item by others. */
  replaceFirst(items: readonly Item[]): void {
    this.#replaceAt(this.#first, items);
  }

  /** Replaces an existing item by others. */
  replace(item: Item, items: readonly Item[]): void {
    this.#replaceAt(this.#items.indexOf(item, this.#first), items);
  }

  #replaceAt(index: number, items: readonly Item[]): void {
    const before = this.#items.slice(this.#first, index);
    this.#items = before.concat(items, this.#items.slice(index + 1));
    this.#first = 0;
  }
}
