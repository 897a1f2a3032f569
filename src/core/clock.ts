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

/** Node timers can fire up to this many milliseconds early. */
export const TIMER_EARLY_MS = 1;
