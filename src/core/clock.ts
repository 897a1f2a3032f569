/** The clock of the program, which tests can replace. */
export interface Clock {
  /** The current time in epoch milliseconds. */
  now(): number;
  /** Milliseconds since an arbitrary start. Never goes back, so it is right for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/**
 * A duration for a log: whole microseconds. Further digits say nothing, but each would be written, read and stored with every
 * log.
 */
export function loggedMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** Node timers can fire up to this many milliseconds early. */
export const TIMER_EARLY_MS = 1;
