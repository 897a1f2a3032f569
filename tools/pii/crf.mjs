/**
 * A linear-chain conditional random field, trained by AdaGrad with features left out at random. Everything that
 * is random comes from one generator with a fixed seed, and numbers are added in a fixed order, so the same data
 * give the same weights.
 */

export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

const FLOOR = 1e-300;

export class Field {
  constructor({ labels, steps, features, isAllowed, rate, drop, dropIdentity, isIdentity, maxTokens, width, seed, decay }) {
    Object.assign(this, { labels, steps, rate, drop, dropIdentity, decay });
    this.identity = Uint8Array.from({ length: width }, (_, f) => Number(isIdentity(f)));
    this.allowed = new Uint8Array(labels * labels);
    for (let x = 0; x < labels; x++) for (let y = 0; y < labels; y++) this.allowed[x * labels + y] = isAllowed(x, y) ? 1 : 0;
    this.weights = new Float32Array(features * labels);
    this.squares = new Float32Array(features).fill(1e-2);
    this.transitions = new Float64Array(steps * labels * labels);
    this.transitionSquares = new Float64Array(steps * labels * labels).fill(1e-1);
    this.factors = new Float64Array(steps * labels * labels);
    this.random = randomNumbers(seed);
    this.odds = new Float64Array(maxTokens * labels);
    this.forward = new Float64Array(maxTokens * labels);
    this.backward = new Float64Array(maxTokens * labels);
    this.kept = new Int32Array(maxTokens * width);
    this.keptEnd = new Int32Array(maxTokens);
    this.gradient = new Float64Array(labels);
    /** The same as `odds`, `forward` and `backward` for the labels alone that a token may have. */
    this.possible = new Float64Array(maxTokens * labels);
    this.possibleForward = new Float64Array(maxTokens * labels);
    this.possibleBackward = new Float64Array(maxTokens * labels);
    this.wanted = new Float64Array(labels);
  }

  /**
   * One sequence: `rows` are feature numbers (-1: none), `width` for each token. `may` has the labels that each token
   * may have, as bits: of a proper noun whose kind nobody marked, those of all names. What it is of them is what the
   * model thinks. Gives the loss in nats.
   */
  learn(rows, from, count, width, may, step) {
    const L = this.labels;
    this.prepareFactors(step, count);
    for (let i = 0; i < count; i++) this.emit(rows, (from + i) * width, width, i);
    this.goForward(step, from, count, this.odds, this.forward);
    this.goBackward(step, from, count, this.odds, this.backward);
    for (let i = 0; i < count; i++)
      for (let y = 0; y < L; y++) this.possible[i * L + y] = (may[from + i] >> y) & 1 ? this.odds[i * L + y] + FLOOR : 0;
    this.goForward(step, from, count, this.possible, this.possibleForward);
    this.goBackward(step, from, count, this.possible, this.possibleBackward);
    let loss = 0;
    for (let i = 0; i < count; i++) loss -= this.update(i);
    this.updateTransitions(step, from, count);
    return loss / L;
  }

  divide(count) {
    for (let k = 0; k < this.weights.length; k++) this.weights[k] /= count;
    for (let k = 0; k < this.transitions.length; k++) this.transitions[k] /= count;
  }

  /** From here on `addToMean` counts. */
  startMean() {
    this.mean = { count: 0, weights: new Float32Array(this.weights.length), transitions: new Float64Array(this.transitions.length) };
  }

  addToMean() {
    if (this.mean === undefined) return;
    const { weights, transitions } = this.mean;
    this.mean.count++;
    for (let k = 0; k < weights.length; k++) weights[k] += this.weights[k];
    for (let k = 0; k < transitions.length; k++) transitions[k] += this.transitions[k];
  }

  /** The weights become the mean of those that were added: less of what the last sequences were like. */
  takeMean() {
    const { count, weights, transitions } = this.mean;
    Object.assign(this, { weights, transitions, mean: undefined });
    this.divide(count);
  }

  prepareFactors() {
    for (let k = 0; k < this.factors.length; k++) {
      this.factors[k] = this.allowed[k % (this.labels * this.labels)] ? Math.exp(this.transitions[k]) : 0;
    }
  }

  emit(rows, at, width, i) {
    const L = this.labels;
    const scores = this.gradient.fill(0);
    const { weights, kept, identity } = this;
    const withoutIdentity = this.random() < this.dropIdentity ? 1 : 0;
    const dropped = Math.round(this.drop * 256);
    let end = i === 0 ? 0 : this.keptEnd[i - 1];
    let draws = 0;
    for (let f = 0; f < width; f++) {
      const row = rows[at + f];
      if (row < 0 || (withoutIdentity & identity[f]) === 1) continue;
      // One number at random is enough for three features.
      draws = draws > 0x1ff ? draws >>> 8 : 0x1000000 | (this.random() * 0x1000000);
      if ((draws & 0xff) < dropped) continue;
      kept[end++] = row;
      const base = row * L;
      for (let y = 0; y < L; y++) scores[y] += weights[base + y];
    }
    this.keptEnd[i] = end;
    let top = scores[0];
    for (let y = 1; y < L; y++) if (scores[y] > top) top = scores[y];
    for (let y = 0; y < L; y++) this.odds[i * L + y] = Math.exp(scores[y] - top);
  }

  goForward(step, from, count, odds, forward) {
    const { labels: L, factors } = this;
    for (let i = 0; i < count; i++) {
      const matrix = step[from + i] * L * L;
      let total = 0;
      for (let y = 0; y < L; y++) {
        let mass = i === 0 ? factors[matrix + y] : 0;
        if (i > 0) for (let x = 0; x < L; x++) mass += forward[(i - 1) * L + x] * factors[matrix + x * L + y];
        mass *= odds[i * L + y];
        forward[i * L + y] = mass;
        total += mass;
      }
      for (let y = 0; y < L; y++) forward[i * L + y] /= total;
    }
  }

  goBackward(step, from, count, odds, backward) {
    const { labels: L, factors } = this;
    for (let y = 0; y < L; y++) backward[(count - 1) * L + y] = 1;
    for (let i = count - 1; i > 0; i--) {
      const matrix = step[from + i] * L * L;
      let total = 0;
      for (let x = 0; x < L; x++) {
        let mass = 0;
        for (let y = 0; y < L; y++) mass += factors[matrix + x * L + y] * odds[i * L + y] * backward[i * L + y];
        backward[(i - 1) * L + x] = mass;
        total += mass;
      }
      for (let x = 0; x < L; x++) backward[(i - 1) * L + x] /= total;
    }
  }

  /** Moves the weights of one token; gives the logarithm of the probability of the labels that it may have. */
  update(i) {
    const L = this.labels;
    const { gradient, wanted } = this;
    let total = 0;
    let possible = 0;
    for (let y = 0; y < L; y++) {
      total += gradient[y] = this.forward[i * L + y] * this.backward[i * L + y];
      possible += wanted[y] = this.possibleForward[i * L + y] * this.possibleBackward[i * L + y];
    }
    if (!(possible > 0)) throw new Error('A text has no possible labels: spans of it overlap.');
    let norm = 0;
    let probability = 0;
    for (let y = 0; y < L; y++) {
      const is = gradient[y] / total;
      if (wanted[y] > 0) probability += is;
      gradient[y] = wanted[y] / possible - is;
      norm += gradient[y] * gradient[y];
    }
    if (norm > 1e-7) this.moveWeights(i, norm);
    return Math.log(Math.max(probability, FLOOR));
  }

  moveWeights(i, norm) {
    const L = this.labels;
    const end = this.keptEnd[i];
    for (let f = i === 0 ? 0 : this.keptEnd[i - 1]; f < end; f++) {
      const row = this.kept[f];
      const rate = this.rate / Math.sqrt((this.squares[row] += norm));
      const base = row * L;
      const shrink = 1 - this.decay * rate;
      for (let y = 0; y < L; y++) this.weights[base + y] = this.weights[base + y] * shrink + rate * this.gradient[y];
    }
  }

  updateTransitions(step, from, count) {
    const { labels: L, forward, backward, factors, odds, transitions, transitionSquares } = this;
    const { possible, possibleForward, possibleBackward } = this;
    for (let i = 1; i < count; i++) {
      const matrix = step[from + i] * L * L;
      let total = 0;
      let wanted = 0;
      for (let x = 0; x < L; x++) {
        for (let y = 0; y < L; y++) {
          const factor = factors[matrix + x * L + y];
          total += forward[(i - 1) * L + x] * factor * odds[i * L + y] * backward[i * L + y];
          wanted += possibleForward[(i - 1) * L + x] * factor * possible[i * L + y] * possibleBackward[i * L + y];
        }
      }
      for (let x = 0; x < L; x++) {
        for (let y = 0; y < L; y++) {
          const k = matrix + x * L + y;
          if (factors[k] === 0) continue;
          const mass = (forward[(i - 1) * L + x] * factors[k] * odds[i * L + y] * backward[i * L + y]) / total;
          const due = (possibleForward[(i - 1) * L + x] * factors[k] * possible[i * L + y] * possibleBackward[i * L + y]) / wanted;
          const slope = due - mass;
          if (slope * slope < 1e-9) continue;
          transitions[k] += (this.rate * slope) / Math.sqrt((transitionSquares[k] += slope * slope));
        }
      }
    }
  }
}
