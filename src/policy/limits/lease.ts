/*
 * A limit that several engines share is parted among them by leases: an engine uses what it was granted, and asks for a
 * slice ahead before it runs short. All that is told is absolute (so much was used, so much is wanted), so that a message
 * that is repeated or lost changes nothing. Pure: who carries it is the store.
 */

/** What one engine has of a counter. */
export interface Share {
  /** What it used and settled; of a limit on concurrency, what is under way. */
  used: number;
  /** What others leave to it; at least `used`. */
  granted: number;
  /** When it was last heard of; epoch milliseconds. */
  at: number;
}

export interface Ask {
  used: number;
  /** All that it would like to have, what it used included. */
  wanted: number;
  amount: number;
  /** A limit on concurrency: what a lost engine had under way is under way no more. */
  isLevel: boolean;
}

export interface Answer {
  granted: number;
  /** What is neither used by nor granted to anybody. */
  left: number;
  /** What the other engines used. */
  usedByOthers: number;
}

/** How long the grant of an engine that is not heard of stays its own. What it used counts on. */
export const LEASE_MS = 10_000;

/** The part of a limit that an engine takes ahead, and by which it can be over at most. */
const SLICES = 10;

export function sliceOf(amount: number, whole: boolean): number {
  const slice = amount / SLICES;
  return whole ? Math.max(1, Math.floor(slice)) : slice;
}

/** What an engine gets of what it asks for, where the others have these shares. */
export function grant(others: readonly Share[], own: Share | undefined, ask: Ask, now: number): Answer {
  let taken = 0;
  let usedByOthers = 0;
  for (const { used, granted, at } of others) {
    const isLost = at < now - LEASE_MS;
    const counts = isLost && ask.isLevel ? 0 : used;
    usedByOthers += counts;
    taken += isLost ? counts : Math.max(used, granted);
  }
  const used = ask.isLevel ? ask.used : Math.max(ask.used, own?.used ?? 0);
  const free = Math.max(0, ask.amount - taken);
  const granted = Math.max(used, Math.min(ask.wanted, free));
  return { granted, left: Math.max(0, free - granted), usedByOthers };
}
