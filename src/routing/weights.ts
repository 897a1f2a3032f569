import { hash as digest } from 'node:crypto';

const FNV_START = 0x811c9dc5;

/**
 * A number in [0, 1) that is the same for the same text, and well distributed even where texts differ in one digit
 * (FNV-1a with the final mix of MurmurHash3).
 */
export function fractionOf(text: string): number {
  return fractionAt(read(FNV_START, text));
}

/** Continues a hash with `text`. */
function read(before: number, text: string): number {
  let hash = before;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash;
}

function fractionAt(read: number): number {
  let hash = Math.imul(read ^ (read >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** The items with the drawn one first and the others in order. Weights are positive. */
export function drawFirst<Item extends { weight?: number }>(
  items: readonly Item[],
  fraction: number,
): Item[] {
  const total = items.reduce((sum, item) => sum + (item.weight ?? 0), 0);
  let rest = fraction * total;
  let drawn = items.findIndex((item) => {
    rest -= item.weight ?? 0;
    return rest < 0;
  });
  // Rounding can leave a tiny remainder at the end.
  if (drawn === -1) drawn = items.length - 1;
  return [items[drawn]!, ...items.slice(0, drawn), ...items.slice(drawn + 1)];
}

/** A longer value, in UTF-16 units, is digested first. */
const LONGEST_READ = 128;

/**
 * All items in the order of a draw by a value (rendezvous hashing, weighted): the same value gives the same order, an
 * item that is left out changes nothing among the others, and a weight that changes moves as few values as it can. Each
 * item is first for its share of the values. `keyOf` names an item, whatever its weight.
 */
export function drawAll<Item extends { weight?: number }>(
  items: readonly Item[],
  value: string,
  keyOf: (item: Item) => string,
): Item[] {
  // The value is read once, and not for each item. A long one is digested, which is faster.
  const short = value.length <= LONGEST_READ ? value : digest('sha1', value, 'hex');
  const before = read(read(FNV_START, short), '/');
  return items
    .map((item) => ({ item, score: score(item.weight ?? 0, fractionAt(read(before, keyOf(item)))) }))
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item);
}

/** A random value with an exponential distribution whose rate is the weight. The item with the smallest value comes first. */
function score(weight: number, fraction: number): number {
  // Adding 0.5 keeps the fraction above 0 and below 1, because the hash has 32 bits.
  return weight / -Math.log(fraction + 0.5 / 0x1_0000_0000);
}
