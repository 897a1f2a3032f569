/**
 * The count of one limit for one subject in one window, as a value without behaviour. `used` is settled. `reserved`
 * belongs to running exchanges, each of which releases its share once.
 */
export interface CounterState {
  readonly used: number;
  readonly reserved: number;
}

export const NOTHING_COUNTED: CounterState = { used: 0, reserved: 0 };

/** Sums of dollars in binary fractions are off by less than this. */
const ROUNDING = 1e-9;

/**
 * Whether an exchange that will need about `estimate` may begin under this limit. Where nothing else is running, it
 * may begin if anything is left: an estimate alone refuses nobody.
 */
export function admits({ used, reserved }: CounterState, estimate: number, allowed: number): boolean {
  if (used >= allowed - ROUNDING) return false;
  return reserved === 0 || used + reserved + estimate <= allowed + ROUNDING;
}

export function reserve({ used, reserved }: CounterState, estimate: number): CounterState {
  return { used, reserved: reserved + estimate };
}

/** Called when the exchange has ended: releases its reservation and adds what it used. */
export function settle(state: CounterState, estimate: number, actual: number): CounterState {
  const reserved = state.reserved - estimate;
  return { used: state.used + actual, reserved: reserved < ROUNDING ? 0 : reserved };
}
