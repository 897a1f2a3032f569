/** The time as the program sees it, so that tests can stop it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds from an arbitrary start. Never goes back; for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Node timers can fire up to this many milliseconds early. */
export const TIMER_EARLY_MS = 1;
