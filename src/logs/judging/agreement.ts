import type { JudgedValue } from './dimension.js';

/**
 * How the distance of two values is measured: `nominal` says only whether they differ, `interval` squares their difference.
 */
export type Metric = 'nominal' | 'interval';

export interface Agreement {
  /** 1 means full agreement, 0 as much as by chance, and below 0 less than by chance. Null where it cannot be computed. */
  alpha: number | null;
  /** The number of units that at least two people judged. */
  units: number;
  /** The number of values for these units. */
  values: number;
}

/**
 * Krippendorff's alpha: 1 − observed disagreement / expected disagreement. A unit is what was judged; it has one
 * value for each person who judged it, in any order. Units with only one value are left out. Alpha is null where all
 * values are the same, because then no disagreement is expected. Source: K. Krippendorff, "Computing Krippendorff's
 * Alpha-Reliability" (2011).
 */
export function agreementOf(units: readonly (readonly JudgedValue[])[], metric: Metric): Agreement {
  const paired = units.filter((values) => values.length > 1);
  const all = paired.flat();
  const distance = metric === 'nominal' ? nominalDistance : intervalDistance;
  const observed = paired.reduce((sum, values) => sum + distance(values) / (values.length - 1), 0);
  const expected = all.length < 2 ? 0 : distance(all) / (all.length - 1);
  const alpha = expected === 0 ? null : 1 - observed / expected;
  return { alpha, units: paired.length, values: all.length };
}

/** The sum of the distances of all ordered pairs of values. */
function nominalDistance(values: readonly JudgedValue[]): number {
  const counts = new Map<JudgedValue, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + count * (values.length - count), 0);
}

/** The sum of the squared distances of all ordered pairs, computed without looking at each pair. */
function intervalDistance(values: readonly JudgedValue[]): number {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += Number(value);
    squares += Number(value) ** 2;
  }
  return 2 * (values.length * squares - sum ** 2);
}
