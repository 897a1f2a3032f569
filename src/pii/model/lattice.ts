/**
 * The best sequence of labels (Viterbi) and how sure the model is of each (forward-backward), from the scores of the
 * labels of each token. Every buffer is made once. Only the steps that labels can take are gone through: a token inside
 * a name follows one of the same name.
 */
import { isAllowed, LABEL_COUNT, O } from './labels.js';
import { MAX_TOKENS, STEP_COUNT } from './sentence.js';

const L = LABEL_COUNT;
const IMPOSSIBLE = -1e9;
/** The first and the last label that each label can follow: those in between can stand there too. */
const FIRST = Uint8Array.from({ length: L }, (_, y) => before(y)[0]!);
const LAST = Uint8Array.from({ length: L }, (_, y) => before(y).at(-1)!);

function before(next: number): number[] {
  return Array.from({ length: L }, (_, x) => x).filter((x) => isAllowed(x, next));
}

export class Lattice {
  /** Logarithms and factors by [step][to][from], and factors by [step][from][to]. */
  readonly #transitions = new Float64Array(STEP_COUNT * L * L);
  readonly #factors = new Float64Array(STEP_COUNT * L * L);
  readonly #factorsBack = new Float64Array(STEP_COUNT * L * L);
  readonly #odds = new Float64Array(MAX_TOKENS * L);
  readonly #forward = new Float64Array(MAX_TOKENS * L);
  readonly #best = new Float64Array(MAX_TOKENS * L);
  readonly #origin = new Uint8Array(MAX_TOKENS * L);
  readonly #backward = new Float64Array(L);
  readonly #weights = new Float64Array(L);
  /** The score of each label at each token, to be filled. */
  readonly emissions = new Float64Array(MAX_TOKENS * L);
  readonly labels = new Uint8Array(MAX_TOKENS);
  /** Probability of each label at each token whose label is not O, LABEL_COUNT for a token. */
  readonly marginals = new Float64Array(MAX_TOKENS * L);

  /** `transitions` by [step][from][to]. */
  constructor(transitions: Float32Array) {
    for (let k = 0; k < transitions.length; k++) {
      const [x, y] = [((k / L) | 0) % L, k % L];
      const at = k - x * L - y + y * L + x;
      this.#transitions[at] = isAllowed(x, y) ? transitions[k]! : IMPOSSIBLE;
      this.#factorsBack[k] = this.#factors[at] = isAllowed(x, y) ? Math.exp(transitions[k]!) : 0;
    }
  }

  /** Fills `labels` from `from` to `to`, and `marginals` where one is not O; gives whether any is not. */
  decode(step: Uint8Array, from: number, to: number): boolean {
    this.#findBest(step, from, to);
    if (!this.#follow(from, to)) return false;
    this.#goForward(step, from, to);
    this.#goBack(step, from, to);
    return true;
  }

  #findBest(step: Uint8Array, from: number, to: number): void {
    const best = this.#best;
    const origins = this.#origin;
    const transitions = this.#transitions;
    const { emissions } = this;
    const first = step[from]! * L * L;
    for (let y = 0; y < L; y++)
      best[from * L + y] = transitions[first + y * L + O]! + emissions[from * L + y]!;
    for (let i = from + 1; i < to; i++) {
      const matrix = step[i]! * L * L;
      const before = (i - 1) * L;
      for (let y = 0; y < L; y++) {
        const row = matrix + y * L;
        const last = LAST[y]!;
        let origin = FIRST[y]!;
        let top = best[before + origin]! + transitions[row + origin]!;
        for (let x = origin + 1; x <= last; x++) {
          const score = best[before + x]! + transitions[row + x]!;
          if (score > top) {
            top = score;
            origin = x;
          }
        }
        best[i * L + y] = top + emissions[i * L + y]!;
        origins[i * L + y] = origin;
      }
    }
  }

  #follow(from: number, to: number): boolean {
    const { labels } = this;
    const best = this.#best;
    let label = O;
    const last = (to - 1) * L;
    for (let y = 1; y < L; y++) if (best[last + y]! > best[last + label]!) label = y;
    let found = false;
    for (let i = to - 1; i >= from; i--) {
      labels[i] = label;
      if (label !== O) found = true;
      label = this.#origin[i * L + label]!;
    }
    return found;
  }

  #goForward(step: Uint8Array, from: number, to: number): void {
    const forward = this.#forward;
    const odds = this.#odds;
    const factors = this.#factors;
    for (let i = from; i < to; i++) {
      this.#weigh(i);
      const matrix = step[i]! * L * L;
      const before = (i - 1) * L;
      let total = 0;
      for (let y = 0; y < L; y++) {
        const row = matrix + y * L;
        const last = LAST[y]!;
        let mass = i === from ? factors[row + O]! : 0;
        if (i > from)
          for (let x = FIRST[y]!; x <= last; x++) mass += forward[before + x]! * factors[row + x]!;
        mass *= odds[i * L + y]!;
        forward[i * L + y] = mass;
        total += mass;
      }
      for (let y = 0; y < L; y++) forward[i * L + y]! /= total;
    }
  }

  /** exp of the emissions of a token, its best label as 1. */
  #weigh(i: number): void {
    const { emissions } = this;
    const odds = this.#odds;
    let top = IMPOSSIBLE;
    for (let y = 0; y < L; y++) top = Math.max(top, emissions[i * L + y]!);
    for (let y = 0; y < L; y++) odds[i * L + y] = Math.exp(emissions[i * L + y]! - top);
  }

  #goBack(step: Uint8Array, from: number, to: number): void {
    const backward = this.#backward.fill(1);
    const weights = this.#weights;
    const odds = this.#odds;
    const factors = this.#factorsBack;
    for (let i = to - 1; i >= from; i--) {
      if (this.labels[i] !== O) this.#setMarginals(i);
      const matrix = step[i]! * L * L;
      for (let y = 0; y < L; y++) weights[y] = odds[i * L + y]! * backward[y]!;
      let sum = 0;
      for (let x = 0; x < L; x++) {
        let mass = 0;
        for (let y = 0; y < L; y++) mass += factors[matrix + x * L + y]! * weights[y]!;
        backward[x] = mass;
        sum += mass;
      }
      for (let x = 0; x < L; x++) backward[x]! /= sum;
    }
  }

  #setMarginals(i: number): void {
    const forward = this.#forward;
    const backward = this.#backward;
    let total = 0;
    for (let y = 0; y < L; y++) total += forward[i * L + y]! * backward[y]!;
    for (let y = 0; y < L; y++) this.marginals[i * L + y] = (forward[i * L + y]! * backward[y]!) / total;
  }
}
