/*
 * A limit that several engines share is divided by leases: an engine uses what it was granted, and asks for more in
 * advance. All numbers are absolute (used so far, wanted in total), so that a repeated or lost message changes
 * nothing. This file is pure; the store transports the messages.
 */

/** The share of one engine in a counter. */
export interface Share {
  /** What it has used and settled. For a limit on concurrency, its running requests. */
  used: number;
  /** What it was granted: at least `used`. */
  granted: number;
  /** When it last reported, in epoch milliseconds. */
  at: number;
}

export interface Ask {
  used: number;
  /** The total that the engine would like to have, including what it used. */
  wanted: number;
  amount: number;
  /** True for a limit on concurrency, for which the requests of a lost engine no longer count. */
  isLevel: boolean;
}

export interface Answer {
  /**
   * What this engine has used, as the store knows it: at least what it reported, and more if the engine lost some in a crash.
   */
  used: number;
  granted: number;
  /** What no engine has used or was granted. */
  left: number;
  /** What the other engines used. */
  usedByOthers: number;
}

/** How long the grant of a silent engine stays reserved. What it has used continues to count. */
export const LEASE_MS = 10_000;

/** The share of a limit that an engine asks for in advance. Each engine can exceed a limit by at most this. */
const SLICES = 10;

export function sliceOf(amount: number, whole: boolean): number {
  const slice = amount / SLICES;
  return whole ? Math.max(1, Math.floor(slice)) : slice;
}

/** What an engine gets of its request, given the shares of the others. */
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
  return { used, granted, left: Math.max(0, free - granted), usedByOthers };
}
