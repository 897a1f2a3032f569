/**
 * The features of pairs and the sum of the weights of features as two functions of WebAssembly: it mixes four pairs at
 * once, compares a feature with all eight slots of its bucket, and adds the weights of all eight labels. JavaScript has
 * none of that, and takes more than twice as long for what is the largest part of reading names. Written here in bytes,
 * as no tool that makes them is worth a dependency; `sums.ts` and `pairs.ts` have the same in words.
 */
import { FIRST_FACTOR, FIRST_TERM, SECOND_FACTOR, SECOND_TERM, THIRD_FACTOR } from './hash.js';
import { LABEL_COUNT } from './labels.js';
import { PAIRS, VALUE_COUNT } from './pairs.js';
import {
  ADD,
  AND,
  BLOCK,
  BR_IF,
  type Code,
  CTZ,
  code,
  constant,
  constant32x4,
  END,
  get,
  I16X8,
  I32,
  I32X4,
  LOAD,
  LOOP,
  LT_U,
  load8x8,
  load128,
  loadPlace,
  MUL,
  moduleOf,
  NE,
  SELECT,
  SHL,
  SHR_U,
  STORE,
  set,
  store128,
  tee,
  V128,
  XOR128,
  ZERO,
} from './wasm-code.js';
import { BUCKET_SLOTS, FREE_BYTES, type Weights } from './weights.js';

/** Features that can be summed up at once. */
export const MOST_FEATURES = 64;
/** In bytes: features, then values, then sums, then the file of the model. */
const VALUES_AT = MOST_FEATURES * 4;
const SUMS_AT = FREE_BYTES - LABEL_COUNT * 4;
const VECTOR = 4;

export interface FeatureSums {
  /** To be filled by the caller before `sum`, which may write over them. */
  readonly features: Int32Array;
  /** To be filled by the caller before `sumPairs`. */
  readonly values: Int32Array;
  /** What was summed up last. */
  readonly sums: Int32Array;
  /** Writes the sums of the first `count` features, at least one. */
  sum(count: number): void;
  /** Writes the sums of the features of all pairs. */
  sumPairs(): void;
}

/** As far as it is used: the types of Node.js do not have it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

/**
 * Parameters: the address of the first feature, the end of the last. Where the weights of features stand is written over
 * them first and read then: without a branch for each, the processor waits for many of them at once. The largest sum
 * fits in 16 bits.
 */
function sumCode(buckets: number, checksAt: number, valuesAt: number): Code {
  const [at, end, found, feature, bucket, slots, sums] = [0, 1, 2, 3, 4, 5, 6];
  return [
    LOOP,
    // The check value of the feature, never 0, eight times.
    code(get(at), LOAD, tee(feature), constant(0xffff), AND, tee(slots), constant(1), get(slots), SELECT),
    I16X8.splat,
    // The check values of its bucket.
    code(get(feature), constant(16), SHR_U, constant(buckets), MUL, constant(16), SHR_U, tee(bucket)),
    code(constant(4), SHL, load128(checksAt), I16X8.equal, I16X8.bitmask, set(slots)),
    // Where the weights of the first slot with its check value stand; the next one writes over that where there is none.
    code(get(found), get(bucket), constant(3), SHL, get(slots), CTZ, ADD, constant(3), SHL, STORE),
    code(get(found), get(slots), constant(0), NE, constant(2), SHL, ADD, set(found)),
    code(get(at), constant(4), ADD, tee(at), get(end), LT_U, BR_IF, 0, END),
    code(constant(0), set(at)),
    code(BLOCK, get(found), ZERO, BR_IF, 0, LOOP),
    code(get(at), LOAD, load8x8(valuesAt), get(sums), I16X8.add, set(sums)),
    code(get(at), constant(4), ADD, tee(at), get(found), LT_U, BR_IF, 0, END, END),
    code(constant(SUMS_AT), get(sums), I32X4.fromLow, store128(0)),
    code(constant(SUMS_AT), get(sums), I32X4.fromHigh, store128(16)),
  ];
}

/** Writes the features of all pairs, four at a time. */
function pairsCode(): Code {
  const [first, second] = [2, 3];
  return Array.from({ length: Math.ceil(PAIRS.length / VECTOR) }, (_, group) => {
    const four = Array.from({ length: VECTOR }, (_, place) => PAIRS[group * VECTOR + place] ?? [0, 0, 0]);
    return code(
      gather(
        four.map(([left]) => left),
        first,
      ),
      gather(
        four.map(([, right]) => right),
        second,
      ),
      mixCode(first, second),
      code(constant32x4(Int32Array.from(four, ([, , number]) => number)), set(second)),
      mixCode(first, second),
      code(constant(group * VECTOR * 4), get(first), store128(0)),
    );
  });
}

/** The values at four places, into the vector `to`. */
function gather(places: readonly number[], to: number): number[] {
  return places.flatMap((from, place) =>
    code(constant(0), get(to), loadPlace(VALUES_AT + from * 4, place), set(to)),
  );
}

/** `mix` of two vectors, into the first. */
function mixCode(first: number, second: number): number[] {
  const all = (value: number) => code(constant(value), I32X4.splat);
  const shifted = (bits: number) => code(get(first), constant(bits), I32X4.shiftRight, XOR128);
  return code(
    code(get(first), all(FIRST_TERM), XOR128, all(FIRST_FACTOR), I32X4.mul),
    code(get(second), all(SECOND_TERM), I32X4.add, all(SECOND_FACTOR), I32X4.mul, XOR128, tee(first)),
    code(shifted(16), all(THIRD_FACTOR), I32X4.mul, tee(first), shifted(15), set(first)),
  );
}

/** Undefined where the processor or the options of Node.js do not allow it. */
export function simdSums({ buckets, checks, values, memory }: Weights): FeatureSums | undefined {
  if (memory === undefined || LABEL_COUNT !== 8 || BUCKET_SLOTS !== 8) return undefined;
  try {
    const module = new WebAssembly.Module(
      moduleOf([
        {
          name: 'sum',
          locals: [4, I32, 1, V128],
          body: sumCode(buckets, checks.byteOffset, values.byteOffset),
        },
        { name: 'pairs', locals: [2, V128], body: pairsCode() },
      ]),
    );
    const { exports } = new WebAssembly.Instance(module, { memory: { memory } });
    const sum = exports.sum as (from: number, to: number) => void;
    const makePairs = exports.pairs as (from: number, to: number) => void;
    return {
      features: new Int32Array(memory.buffer, 0, MOST_FEATURES),
      values: new Int32Array(memory.buffer, VALUES_AT, VALUE_COUNT),
      sums: new Int32Array(memory.buffer, SUMS_AT, LABEL_COUNT),
      sum: (count) => sum(0, count << 2),
      sumPairs: () => {
        makePairs(0, 0);
        sum(0, PAIRS.length << 2);
      },
    };
  } catch {
    return undefined;
  }
}
