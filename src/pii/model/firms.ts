/** Names of firms, brands and shops: whether a text is one of them, told by its key. `tools/pii/firms.mjs` writes the file. */
import { readFileSync } from 'node:fs';
import { baseUnit, CLASS_MARK, charClass, isLetterUnit } from './characters.js';
import { finishHash, HASH_START, hashUnit } from './hash.js';

/** The bit of a key that says that nobody and no place is called so. */
export const IS_SURE = 1;
const APOSTROPHE = 0x27;
const CURLY_APOSTROPHE = 0x2019;

/** Of a name in any case, with or without accents. */
export function keyOfFirm(text: string, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (charClass[unit] === CLASS_MARK) continue;
    hash = hashUnit(hash, unit === CURLY_APOSTROPHE ? APOSTROPHE : baseUnit[unit]!);
  }
  return finishHash(hash);
}

/** Bytes of a bit for the key of each first word; the keys stand behind them in the file. */
export const FIRST_WORDS_BYTES = 8_192;

/** Which bit stands for the word at `start`, up to what is no letter. */
export function bitOfFirstWord(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isLetterUnit(text.charCodeAt(end))) end++;
  return keyOfFirm(text, start, end) & (FIRST_WORDS_BYTES * 8 - 1);
}

/** `may`: people or places are called so, too. */
export type FirmKind = 'sure' | 'may' | undefined;

export class FirmNames {
  readonly #firstWords: Uint8Array;
  /** In order; without the lowest bit no two are the same. */
  readonly #keys: Int32Array;

  constructor(firstWords: Uint8Array, keys: Int32Array) {
    this.#firstWords = firstWords;
    this.#keys = keys;
  }

  /** Whether a name may begin with the word at `start`: most words begin none. */
  mayBegin(text: string, start: number): boolean {
    const bit = bitOfFirstWord(text, start);
    return (this.#firstWords[bit >> 3]! & (1 << (bit & 7))) !== 0;
  }

  kindOf(text: string, start: number, end: number): FirmKind {
    const wanted = keyOfFirm(text, start, end) & ~IS_SURE;
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const key = this.#keys[middle]!;
      if ((key & ~IS_SURE) === wanted) return (key & IS_SURE) === 0 ? 'may' : 'sure';
      if (key < wanted) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }
}

let loaded: FirmNames | undefined;

/** Those of the file beside this one, read once by the process. */
export function firmNames(): FirmNames {
  loaded ??= readFirms(readFileSync(new URL('./firms.bin', import.meta.url)));
  return loaded;
}

function readFirms(file: Uint8Array): FirmNames {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const keys = new Int32Array((file.byteLength - FIRST_WORDS_BYTES) / 4);
  for (let at = 0; at < keys.length; at++) keys[at] = bytes.getInt32(FIRST_WORDS_BYTES + at * 4, true);
  return new FirmNames(file.slice(0, FIRST_WORDS_BYTES), keys);
}
