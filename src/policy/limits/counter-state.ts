/**
 * What one limit counts for one subject in one window: a pure state. What is used is settled; what is reserved belongs to
 * exchanges under way, and each of them gives it back once.
 */
export interface CounterState {
  readonly used: number;
  readonly reserved: number;
}

export const NOTHING_COUNTED: CounterState = { used: 0, reserved: 0 };

/** Sums of dollars in binary fractions are off by less than this. */
const ROUNDING = 1e-9;

/**
 * Whether an exchange that will take about `estimate` may begin where so much is allowed. Where nothing else is under
 * way, all that is needed is that something is left: an estimate alone refuses nobody.
 */
export function admits({ used, reserved }: CounterState, estimate: number, allowed: number): boolean {
  if (used >= allowed - ROUNDING) return false;
  return reserved === 0 || used + reserved + estimate <= allowed + ROUNDING;
}

export function reserve({ used, reserved }: CounterState, estimate: number): CounterState {
  return { used, reserved: reserved + estimate };
}

/** The exchange is over: its reservation goes, and what it used stays. */
export function settle(state: CounterState, estimate: number, actual: number): CounterState {
  const reserved = state.reserved - estimate;
  return { used: state.used + actual, reserved: reserved < ROUNDING ? 0 : reserved };
}
