import { UNSURE } from '../../logs/export/pii-marks.js';

/** Compares findings with marks, and computes precision, recall and F1 by type for several thresholds of the score. */

/** A finding or a mark in a text. */
export interface Place {
  start: number;
  end: number;
  entity_type: string;
}

/**
 * A finding is right where its overlap with a mark of the same type is at least half of the characters that the two
 * cover together.
 */
const OVERLAP = 0.5;

export interface Score {
  right: number;
  wrong: number;
  missed: number;
}

/** Null where there is nothing to divide by. */
export const precisionOf = ({ right, wrong }: Score): number | null => ratio(right, right + wrong);
export const recallOf = ({ right, missed }: Score): number | null => ratio(right, right + missed);
export const f1Of = ({ right, wrong, missed }: Score): number | null =>
  ratio(2 * right, 2 * right + wrong + missed);

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The scores of the types, at one threshold. */
export class Scores {
  readonly #byType = new Map<string, Score>();

  /** The score of a type; zeros where no text has it. */
  of(type: string): Score {
    return this.#byType.get(type) ?? { right: 0, wrong: 0, missed: 0 };
  }

  /** The types that were marked or found, in order. */
  get types(): string[] {
    return [...this.#byType.keys()].sort();
  }

  /** The sum of all types. */
  get all(): Score {
    const sum = { right: 0, wrong: 0, missed: 0 };
    for (const { right, wrong, missed } of this.#byType.values()) {
      sum.right += right;
      sum.wrong += wrong;
      sum.missed += missed;
    }
    return sum;
  }

  /** Adds a text. Each mark makes at most one finding right. */
  add(marks: readonly Place[], found: readonly Place[]): void {
    const unsure = marks.filter((mark) => mark.entity_type === UNSURE);
    const open = new Set(marks.filter((mark) => mark.entity_type !== UNSURE));
    for (const one of found) {
      if (unsure.some((mark) => 2 * common(one, mark) >= one.end - one.start)) continue;
      const mark = [...open].find(
        (other) => other.entity_type === one.entity_type && overlap(one, other) >= OVERLAP,
      );
      if (mark !== undefined) open.delete(mark);
      this.#count(one.entity_type, mark === undefined ? 'wrong' : 'right');
    }
    for (const mark of open) this.#count(mark.entity_type, 'missed');
  }

  #count(type: string, what: keyof Score): void {
    const score = this.of(type);
    score[what]++;
    this.#byType.set(type, score);
  }
}

function common(one: Place, other: Place): number {
  return Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));
}

function overlap(one: Place, other: Place): number {
  const shared = common(one, other);
  return shared / (one.end - one.start + other.end - other.start - shared);
}

/** With fewer marks a threshold is chosen by accident. */
export const FEWEST_MARKS = 50;
/** A smaller gain of F1 is no reason to change a threshold. */
const LEAST_GAIN = 0.01;

/**
 * The threshold with the best F1 of each type that has enough marks, where it is better than `usual`. Of equal ones the
 * nearest to `usual`.
 */
export function bestThresholds(byThreshold: ReadonlyMap<number, Scores>, usual: number): Map<string, number> {
  const best = new Map<string, number>();
  const now = byThreshold.get(usual) ?? new Scores();
  const nearest = [...byThreshold].sort(([one], [other]) => Math.abs(one - usual) - Math.abs(other - usual));
  for (const type of now.types) {
    if (marked(now.of(type)) < FEWEST_MARKS) continue;
    let most = (f1Of(now.of(type)) ?? 0) + LEAST_GAIN;
    for (const [threshold, scores] of nearest) {
      const f1 = f1Of(scores.of(type)) ?? 0;
      if (f1 < most || threshold === usual) continue;
      if (f1 === most && best.has(type)) continue;
      most = f1;
      best.set(type, threshold);
    }
  }
  return best;
}

export function marked({ right, missed }: Score): number {
  return right + missed;
}
