import type { Found } from './found.js';

/** About what an entry takes: the key with its place in the table, and each finding. */
const BYTES_PER_TEXT = 256;
const BYTES_PER_FINDING = 128;

/**
 * What was found, by key, as much as fits: what nobody asked for longest gives way. There are two generations: when the
 * new one has taken half of the room it becomes the old one, and what was the old one goes. What is asked for there
 * moves to the new one. A look costs a fifth of what a list in order of use takes.
 */
export class RecentFindings {
  readonly #mostBytes: number;
  #new = new Map<string, readonly Found[]>();
  #old = new Map<string, readonly Found[]>();
  /** Of the new generation. */
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(key: string): readonly Found[] | undefined {
    const found = this.#new.get(key);
    if (found !== undefined) return found;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, found: readonly Found[]): void {
    const bytes = BYTES_PER_TEXT + found.length * BYTES_PER_FINDING;
    // What is larger than a generation would push all else out.
    if (bytes > this.#mostBytes / 2) return;
    const known = this.#new.get(key);
    this.#bytes += known === undefined ? bytes : (found.length - known.length) * BYTES_PER_FINDING;
    this.#new.set(key, found);
    if (this.#bytes <= this.#mostBytes / 2) return;
    this.#old = this.#new;
    this.#new = new Map();
    this.#bytes = 0;
  }
}
