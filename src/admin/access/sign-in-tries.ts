import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';

const FREE_TRIES = 5;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const FORGET_MS = 15 * 60_000;
const ADDRESSES = 10_000;

interface Tries {
  failed: number;
  /** Until when the address must wait, on the monotonic clock. */
  pausedUntil: number;
}

/**
 * Slows down a client that tries one wrong key after another: from the fifth wrong key on, the pause doubles, up to a
 * minute.
 */
export class SignInTries {
  readonly #tries = new LRUCache<string, Tries>({ max: ADDRESSES, ttl: FORGET_MS });

  constructor(private readonly clock: Clock) {}

  /** The seconds that this address has to wait; 0 where it may try at once. */
  pauseOf(address: string): number {
    const leftMs = (this.#tries.get(address)?.pausedUntil ?? 0) - this.clock.monotonic();
    return Math.max(0, Math.ceil(leftMs / 1000));
  }

  fail(address: string): void {
    const failed = (this.#tries.get(address)?.failed ?? 0) + 1;
    const excess = failed - FREE_TRIES;
    const pauseMs = excess < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** excess, LONGEST_PAUSE_MS);
    this.#tries.set(address, { failed, pausedUntil: this.clock.monotonic() + pauseMs });
  }

  succeed(address: string): void {
    this.#tries.delete(address);
  }
}
