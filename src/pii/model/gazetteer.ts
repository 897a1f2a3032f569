/**
 * Tells which word lists contain a word: names, places, nationalities, titles and others. The lists are one
 * open-addressing hash table, written by the training script: a 16-bit check value and 16 flag bits per slot. A word
 * that is in no list usually meets a free slot, so it costs one look-up. About one word in 50,000 is taken for
 * another one with the same slot and check value; training sees the same mistakes.
 */
import { baseUnit, CLASS_MARK, charClass } from './characters.js';
import { finishHash, HASH_START, hashUnit, mix } from './hash.js';

const CHECK_SEED = 77;
/** Bits of a key that are not used for its slot, and so the most slots that a table can have. */
const UNUSED_BITS = 13;
export const MOST_SLOTS = 2 ** (32 - UNUSED_BITS);

export const LIST_FIRST_NAME = 1;
export const LIST_LAST_NAME = 2;
export const LIST_CITY = 4;
export const LIST_REGION = 8;
export const LIST_NRP = 16;
export const LIST_TITLE = 32;
export const LIST_STREET = 64;
export const LIST_ORGANIZATION = 128;
export const LIST_PRODUCT = 256;
export const LIST_CALENDAR = 512;
/** A word that the training texts mostly have in lower case: an ordinary word. */
export const LIST_COMMON = 1024;
/** The first word of a place of several words. The key of the whole name has LIST_PLACE. */
export const LIST_PLACE_HEAD = 2048;
export const LIST_PLACE = 4096;
export const LIST_FREQUENT_FIRST_NAME = 8192;
export const LIST_LARGE_CITY = 16384;
/** A place of 1,000 people or more, or the name of a larger one in another language. */
export const LIST_SMALL_TOWN = 32768;

export class Gazetteer {
  readonly #checks: Uint16Array;
  readonly #flags: Uint16Array;
  readonly #mask: number;

  constructor(checks: Uint16Array, flags: Uint16Array) {
    this.#checks = checks;
    this.#flags = flags;
    this.#mask = checks.length - 1;
  }

  /** The flags of a key; 0 where it is in no list. */
  find(key: number): number {
    const check = checkOf(key);
    for (let slot = slotOf(key, this.#mask); ; slot = (slot + 1) & this.#mask) {
      const found = this.#checks[slot]!;
      if (found === check) return this.#flags[slot]!;
      if (found === 0) return 0;
    }
  }
}

export function slotOf(key: number, mask: number): number {
  return (key >>> UNUSED_BITS) & mask;
}

/** The check value of a key. It is never 0, because 0 marks a free slot. */
export function checkOf(key: number): number {
  return mix(key, CHECK_SEED) & 0xffff || 1;
}

/**
 * The key of a word, made of its letters without case and accents. `hash` is the key of the words before it, for a
 * place of several words.
 */
export function addToKey(hash: number, text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (charClass[unit] !== CLASS_MARK) hash = hashUnit(hash, baseUnit[unit]!);
  }
  return hash;
}

export function wordKey(text: string, start: number, end: number): number {
  return finishHash(addToKey(HASH_START, text, start, end));
}
