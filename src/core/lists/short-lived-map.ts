const BUCKETS = 64;

/**
 * A map for entries that come and go with each request. When a built-in Map becomes full of deleted entries, V8 makes it a new table
 * to which the old one keeps a pointer. Once one of these tables is in the old generation, all that follow stay alive until a full
 * collection, with the requests that were in them: nine of ten requests were moved to the old generation, for no use. Here a deleted
 * entry leaves nothing behind.
 */
export class ShortLivedMap<Key extends number | string, Value> {
  readonly #keys: Key[][] = Array.from({ length: BUCKETS }, () => []);
  readonly #values: Value[][] = Array.from({ length: BUCKETS }, () => []);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    const bucket = bucketOf(key);
    const at = this.#keys[bucket]!.indexOf(key);
    return at < 0 ? undefined : this.#values[bucket]![at];
  }

  set(key: Key, value: Value): void {
    const bucket = bucketOf(key);
    const keys = this.#keys[bucket]!;
    const values = this.#values[bucket]!;
    const at = keys.indexOf(key);
    if (at >= 0) {
      values[at] = value;
      return;
    }
    keys.push(key);
    values.push(value);
    this.#size++;
  }

  /** Returns whether there was such an entry. */
  delete(key: Key): boolean {
    const bucket = bucketOf(key);
    const keys = this.#keys[bucket]!;
    const at = keys.indexOf(key);
    if (at < 0) return false;
    const values = this.#values[bucket]!;
    const [lastKey, lastValue] = [keys.pop()!, values.pop()!];
    if (at < keys.length) {
      keys[at] = lastKey;
      values[at] = lastValue;
    }
    this.#size--;
    return true;
  }

  /** A copy of the values, in no particular order. Entries may be deleted meanwhile. */
  values(): Value[] {
    return this.#values.flat();
  }
}

/** Numbers of streams are odd, and ids end with random digits. `|` also makes a number of what is missing in a short key. */
function bucketOf(key: number | string): number {
  if (typeof key === 'number') return (key >>> 1) % BUCKETS;
  const { length } = key;
  return ((key.charCodeAt(length - 1) + 31 * key.charCodeAt(length - 2)) | 0) % BUCKETS;
}
