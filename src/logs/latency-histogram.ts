/*
 * Durations as counts on a logarithmic scale: eight steps for each doubling, so that a percentile is off by less than
 * 5 %. A histogram is small (at most 200 steps, few of them used), can be added up, and does not need the values
 * again.
 */

const STEPS_PER_DOUBLING = 8;
const SHORTEST_MS = 1;
const HIGHEST_STEP = 199;
export const STEPS = HIGHEST_STEP + 1;

/** The number of durations in each step. */
export type Histogram = Record<string, number>;

/** The step of a duration. Step 0 is up to a millisecond; the last one is over eight hours. */
export function stepOf(ms: number): number {
  if (!(ms > SHORTEST_MS)) return 0;
  return Math.min(HIGHEST_STEP, Math.ceil(Math.log2(ms) * STEPS_PER_DOUBLING));
}

/**
 * The durations that these shares of all durations do not exceed, to three digits; null where there are none. `shares` must
 * ascend. Asking for every step is much faster than listing those that there are.
 */
export function percentiles(histogram: Histogram, shares: readonly number[]): (number | null)[] {
  let total = 0;
  for (let step = 0; step < STEPS; step++) total += histogram[step] ?? 0;
  const found: number[] = [];
  let seen = 0;
  for (let step = 0; step < STEPS && found.length < shares.length; step++) {
    seen += histogram[step] ?? 0;
    if (seen === 0) continue;
    while (found.length < shares.length && seen >= total * (shares[found.length] as number)) {
      found.push(middleOf(step));
    }
  }
  return shares.map((_, index) => found[index] ?? null);
}

const MIDDLES = Array.from({ length: STEPS }, (_, step) =>
  step === 0 ? SHORTEST_MS : Number((2 ** ((step - 0.5) / STEPS_PER_DOUBLING)).toPrecision(3)),
);

/** The logarithmic middle of the step. */
function middleOf(step: number): number {
  return MIDDLES[step] ?? SHORTEST_MS;
}
