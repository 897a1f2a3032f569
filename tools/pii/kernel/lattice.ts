/**
 * The best sequence of labels (Viterbi) and how sure the model is of each (forward-backward), from the scores of the
 * labels of each token. Labels stand two by two in vectors of 64-bit floats.
 */
import { LABELS, isAllowed, O } from './labels';
import { MAX_TOKENS, tokenAt } from './tokens';

const STEPS = 6;
const IMPOSSIBLE: f64 = -1e9;
/** Bytes of the numbers of all labels. */
const ROW: i32 = 64;
/** Bytes of a matrix of them. */
const MATRIX: i32 = 512;

/** Logarithms and factors by [step][from][to], and factors by [step][to][from]. */
const TRANSITIONS: usize = memory.data(STEPS * MATRIX, 16);
const FACTORS: usize = memory.data(STEPS * MATRIX, 16);
const FACTORS_BACK: usize = memory.data(STEPS * MATRIX, 16);
/** By [token][label]: scores, which the caller fills, and what is made of them. */
const EMISSIONS: usize = memory.data(MAX_TOKENS * ROW, 16);
const ODDS: usize = memory.data(MAX_TOKENS * ROW, 16);
const FORWARD: usize = memory.data(MAX_TOKENS * ROW, 16);
const BEST: usize = memory.data(MAX_TOKENS * ROW, 16);
const ORIGINS: usize = memory.data(MAX_TOKENS * ROW, 16);
const MARGINALS: usize = memory.data(MAX_TOKENS * ROW, 16);
const BACKWARD: usize = memory.data(ROW, 16);
const WEIGHTS: usize = memory.data(ROW, 16);

function cell(table: usize, i: i32, label: i32): usize {
  return table + (<usize>i << 6) + (<usize>label << 3);
}

/** `given` has 32-bit floats by [step][from][to], natural logarithms. */
export function setTransitions(given: usize): void {
  for (let step = 0; step < STEPS; step++) {
    for (let x = 0; x < LABELS; x++) {
      for (let y = 0; y < LABELS; y++) {
        const value = <f64>load<f32>(given + (<usize>((step * LABELS + x) * LABELS + y) << 2));
        const allowed = isAllowed(x, y);
        const at = <usize>step * <usize>MATRIX;
        store<f64>(cell(TRANSITIONS + at, x, y), allowed ? value : IMPOSSIBLE);
        store<f64>(cell(FACTORS + at, x, y), allowed ? Math.exp(value) : 0);
        store<f64>(cell(FACTORS_BACK + at, y, x), allowed ? Math.exp(value) : 0);
      }
    }
    store<f64>(GAINS + (step << 3), gainOf(TRANSITIONS + <usize>step * <usize>MATRIX));
  }
}

/** The most that a step can add to the score of a way beside what it adds between two tokens that are O, by [step]. */
const GAINS: usize = memory.data(STEPS * 8, 16);

function gainOf(table: usize): f64 {
  let top = IMPOSSIBLE;
  for (let x = 0; x < LABELS; x++) {
    for (let y = 0; y < LABELS; y++) top = max(top, load<f64>(cell(table, x, y)));
  }
  return top - load<f64>(cell(table, O, O));
}

/**
 * Whether O leads at token `i` by more than the steps to it and from it can add to any other way. Where that holds for all
 * tokens of a stretch, all of them are O, and nobody has to search for the best way.
 */
export function isClearlyO(i: i32, sums: v128, scale: f64, rareness: f64): bool {
  const gains = load<f64>(GAINS + (tokenAt(i).step << 3)) + load<f64>(GAINS + (tokenAt(i + 1).step << 3));
  const lead = i16x8.splat(<i16>min(0x7fff, 1 + <i32>Math.ceil((gains + rareness) / scale)));
  const most = i16x8.sub_sat_s(i16x8.splat(i16x8.extract_lane_s(sums, <u8>O)), lead);
  return (i16x8.bitmask(i16x8.lt_s(sums, most)) | (1 << O)) === 0xff;
}

/** Writes the scores of token `i`: sums of weights, `scale` the unit of one, and what PERSON is raised by. */
export function emit(i: i32, sums: v128, scale: f64, rareness: f64): void {
  const unit = f64x2.splat(scale);
  const low = i32x4.extend_low_i16x8_s(sums);
  const high = i32x4.extend_high_i16x8_s(sums);
  const to = cell(EMISSIONS, i, 0);
  v128.store(to, f64x2.mul(f64x2.convert_low_i32x4_s(low), unit));
  v128.store(to, f64x2.mul(f64x2.convert_low_i32x4_s(upperHalf(low)), unit), 16);
  v128.store(to, f64x2.mul(f64x2.convert_low_i32x4_s(high), unit), 32);
  v128.store(to, f64x2.mul(f64x2.convert_low_i32x4_s(upperHalf(high)), unit), 48);
  if (rareness === 0) return;
  store<f64>(to, load<f64>(to, 8) + rareness, 8);
  store<f64>(to, load<f64>(to, 16) + rareness, 16);
}

function upperHalf(vector: v128): v128 {
  return i64x2.shuffle(vector, vector, 1, 1);
}

/** Labels the tokens from `from` to `to`, with marginals where one is not O; gives whether any is not. */
export function decode(from: i32, to: i32): bool {
  findBest(from, to);
  if (!follow(from, to)) return false;
  goForward(from, to);
  goBack(from, to);
  return true;
}

function matrixOf(table: usize, i: i32): usize {
  return table + <usize>tokenAt(i).step * <usize>MATRIX;
}

function findBest(from: i32, to: i32): void {
  const first = matrixOf(TRANSITIONS, from) + (<usize>O << 6);
  for (let part: usize = 0; part < <usize>ROW; part += 16) {
    const sum = f64x2.add(v128.load(first + part), v128.load(cell(EMISSIONS, from, 0) + part));
    v128.store(cell(BEST, from, 0) + part, sum);
  }
  for (let i = from + 1; i < to; i++) {
    const matrix = matrixOf(TRANSITIONS, i);
    const before = cell(BEST, i - 1, 0);
    for (let part: usize = 0; part < <usize>ROW; part += 16) bestPair(i, part, matrix + part, before);
  }
}

/** The best way to two labels of token `i`, which stand at `part`. */
function bestPair(i: i32, part: usize, matrix: usize, before: usize): void {
  let top = f64x2.add(f64x2.splat(load<f64>(before)), v128.load(matrix));
  let origin = i64x2.splat(0);
  for (let x: usize = 1; x < <usize>LABELS; x++) {
    const score = f64x2.add(f64x2.splat(load<f64>(before + (x << 3))), v128.load(matrix + (x << 6)));
    const isBetter = f64x2.gt(score, top);
    top = v128.bitselect(score, top, isBetter);
    origin = v128.bitselect(i64x2.splat(<i64>x), origin, isBetter);
  }
  v128.store(cell(BEST, i, 0) + part, f64x2.add(top, v128.load(cell(EMISSIONS, i, 0) + part)));
  v128.store(cell(ORIGINS, i, 0) + part, origin);
}

function follow(from: i32, to: i32): bool {
  let label = 0;
  for (let y = 1; y < LABELS; y++) {
    if (load<f64>(cell(BEST, to - 1, y)) > load<f64>(cell(BEST, to - 1, label))) label = y;
  }
  let found = false;
  for (let i = to - 1; i >= from; i--) {
    tokenAt(i).label = label;
    if (label !== O) found = true;
    if (i > from) label = load<i32>(cell(ORIGINS, i, label));
  }
  return found;
}

function goForward(from: i32, to: i32): void {
  for (let i = from; i < to; i++) {
    weigh(i);
    const matrix = matrixOf(FACTORS, i);
    let total = f64x2.splat(0);
    for (let part: usize = 0; part < <usize>ROW; part += 16) {
      let mass = i === from ? v128.load(matrix + (<usize>O << 6) + part) : massOf(cell(FORWARD, i - 1, 0), matrix + part);
      mass = f64x2.mul(mass, v128.load(cell(ODDS, i, 0) + part));
      v128.store(cell(FORWARD, i, 0) + part, mass);
      total = f64x2.add(total, mass);
    }
    divide(cell(FORWARD, i, 0), total);
  }
}

/** The sums, over all labels, of what stands at `numbers` and in a column of two of `matrix`. */
function massOf(numbers: usize, matrix: usize): v128 {
  let mass = f64x2.splat(0);
  for (let x: usize = 0; x < <usize>LABELS; x++) {
    mass = f64x2.add(mass, f64x2.mul(f64x2.splat(load<f64>(numbers + (x << 3))), v128.load(matrix + (x << 6))));
  }
  return mass;
}

/** Makes the sum of a row 1; `total` is its sum in two parts. */
function divide(row: usize, total: v128): void {
  const sum = f64x2.splat(f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1));
  for (let part: usize = 0; part < <usize>ROW; part += 16) v128.store(row + part, f64x2.div(v128.load(row + part), sum));
}

/** exp of the emissions of a token, its best label as 1. */
function weigh(i: i32): void {
  let top = IMPOSSIBLE;
  for (let y = 0; y < LABELS; y++) top = max(top, load<f64>(cell(EMISSIONS, i, y)));
  for (let y = 0; y < LABELS; y++) {
    store<f64>(cell(ODDS, i, y), Math.exp(load<f64>(cell(EMISSIONS, i, y)) - top));
  }
}

function goBack(from: i32, to: i32): void {
  for (let part: usize = 0; part < <usize>ROW; part += 16) v128.store(BACKWARD + part, f64x2.splat(1));
  for (let i = to - 1; i >= from; i--) {
    if (tokenAt(i).label !== O) setMarginals(i);
    const matrix = matrixOf(FACTORS_BACK, i);
    for (let part: usize = 0; part < <usize>ROW; part += 16) {
      v128.store(WEIGHTS + part, f64x2.mul(v128.load(cell(ODDS, i, 0) + part), v128.load(BACKWARD + part)));
    }
    let total = f64x2.splat(0);
    for (let part: usize = 0; part < <usize>ROW; part += 16) {
      const mass = massOf(WEIGHTS, matrix + part);
      v128.store(BACKWARD + part, mass);
      total = f64x2.add(total, mass);
    }
    divide(BACKWARD, total);
  }
}

function setMarginals(i: i32): void {
  let total: f64 = 0;
  for (let y = 0; y < LABELS; y++) {
    const mass = load<f64>(cell(FORWARD, i, y)) * load<f64>(cell(BACKWARD, 0, y));
    store<f64>(cell(MARGINALS, i, y), mass);
    total += mass;
  }
  for (let y = 0; y < LABELS; y++) store<f64>(cell(MARGINALS, i, y), load<f64>(cell(MARGINALS, i, y)) / total);
}

/** Probability of a label at a token whose label is not O. */
export function marginalOf(i: i32, label: i32): f64 {
  return load<f64>(cell(MARGINALS, i, label));
}
