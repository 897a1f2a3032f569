import { createHash, hash } from 'node:crypto';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { Pace } from '../../../core/pacing/pace.js';
import type { Found } from '../found.js';
import { RecentFindings } from './recent-findings.js';

/** The most memory for the caches of all configurations together, as `RecentFindings` estimates it: 16 MiB. */
const MOST_BYTES = 16_777_216;
/** A longer text is hashed in pieces of this many UTF-16 units, so that other work gets its turn. */
const HASHED_AT_ONCE = 262_144;
/** The most texts that are hashed in one step. Each takes a microsecond or two. */
const MOST_AT_ONCE = 1_000;

const kept = new RecentFindings(MOST_BYTES);

let configurations = 0;

/**
 * Remembers what one configuration found in earlier texts, so that earlier turns of a conversation are not scanned
 * again. No text is kept: the key is the configuration's number and the SHA-256 of the text. With a weaker hash, a
 * client could craft two texts with one key, and so hide the content of one of them.
 */
export class FindingCache {
  readonly #number = `${configurations++} `;

  /** The keys of texts, in the order of the texts. `units` is the length of all texts together. */
  keysOf(texts: readonly string[], units = lengthOf(texts)): MaybePromise<string[]> {
    const isMuch = units > HASHED_AT_ONCE || texts.length > MOST_AT_ONCE;
    return isMuch ? this.#keysInTurns(texts) : texts.map((text) => this.keyOf(text));
  }

  get(key: string): readonly Found[] | undefined {
    return kept.get(key);
  }

  set(key: string, found: readonly Found[]): void {
    kept.set(key, found);
  }

  /** The key of one text. The function `hash` takes a fifth of the time that a Hash object takes. */
  keyOf(text: string): string {
    if (text.isWellFormed()) return this.#number + hash('sha256', text, 'binary');
    // UTF-8 encodes all lone surrogates alike, so texts that differ only in these would share a key.
    return `${this.#number}UTF-16 ${hash('sha256', Buffer.from(text, 'utf16le'), 'binary')}`;
  }

  async #keysInTurns(texts: readonly string[]): Promise<string[]> {
    const pace = new Pace();
    const keys: string[] = [];
    for (const text of texts) {
      keys.push(text.length > HASHED_AT_ONCE ? await this.#keyInPieces(text, pace) : this.keyOf(text));
      const pause = pace.pause();
      if (pause !== undefined) await pause;
    }
    return keys;
  }

  async #keyInPieces(text: string, pace: Pace): Promise<string> {
    const pieces = createHash('sha256');
    for (let at = 0; at < text.length; at += HASHED_AT_ONCE) {
      pieces.update(text.slice(at, at + HASHED_AT_ONCE), 'utf16le');
      await pace.pause();
    }
    return `${this.#number}UTF-16 ${pieces.digest('binary')}`;
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
