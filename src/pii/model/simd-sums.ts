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
  AND128,
  BLOCK,
  BR_IF,
  type Code,
  CTZ,
  code,
  constant,
  constant32x4,
  DROP,
  END,
  get,
  I16X8,
  I32,
  I32X4,
  LOOP,
  LT_U,
  load,
  load8x8,
  load128,
  loadPlace,
  moduleOf,
  NE,
  OR128,
  SHL,
  set,
  splat16,
  store,
  store128,
  tee,
  V128,
  XOR128,
  ZERO,
} from './wasm-code.js';
import { BUCKET_SLOTS, FREE_BYTES, type Weights } from './weights.js';

/** Features that can be summed up at once. */
export const MOST_FEATURES = 64;
/** In bytes: features, then where their buckets stand, then values, then sums, then the file of the model. */
const BUCKETS_AT = MOST_FEATURES * 4;
const VALUES_AT = 2 * BUCKETS_AT;
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
 * Parameters: 0, the bytes of the features. What is found is written down first and added up then: without a branch for
 * each feature, the processor waits for many of them at once. The largest sum fits in 16 bits.
 */
function sumCode(buckets: number, checksAt: number, valuesAt: number): Code {
  const [at, end, found, bucket, slots, four, sums] = [0, 1, 2, 3, 4, 5, 6];
  const all = (value: number) => code(constant(value), I32X4.splat);
  const next = (bytes: number) => code(get(at), constant(bytes), ADD, tee(at));
  return [
    // Of four features at once the check values, never 0, and where the check values of their buckets stand.
    code(LOOP, get(at), get(at), get(at), load128(0), tee(four), all(0xffff), AND128),
    code(get(four), all(0xffff), AND128, all(0), I32X4.equal, all(1), AND128, OR128, store128(0)),
    code(get(four), constant(16), I32X4.shiftRight, all(buckets), I32X4.mul),
    code(constant(16), I32X4.shiftRight, constant(4), I32X4.shiftLeft, store128(BUCKETS_AT)),
    code(next(VECTOR * 4), get(end), LT_U, BR_IF, 0, END),
    // A look at each bucket, so short that the processor fetches all of them at once.
    code(constant(0), set(at), LOOP, get(at), load(BUCKETS_AT), load(checksAt), DROP),
    code(next(4), get(end), LT_U, BR_IF, 0, END),
    // Where the weights of the first slot with the check value stand; the next one writes over that where there is none.
    code(constant(0), set(at), LOOP),
    code(get(at), splat16(0), get(at), load(BUCKETS_AT), tee(bucket), load128(checksAt)),
    code(I16X8.equal, I16X8.bitmask, set(slots)),
    code(
      get(found),
      get(bucket),
      constant(2),
      SHL,
      get(slots),
      CTZ,
      constant(3),
      SHL,
      ADD,
      store(BUCKETS_AT),
    ),
    code(get(found), get(slots), constant(0), NE, constant(2), SHL, ADD, set(found)),
    code(next(4), get(end), LT_U, BR_IF, 0, END),
    // Their sum.
    code(constant(0), set(at), BLOCK, get(found), ZERO, BR_IF, 0, LOOP),
    code(get(at), load(BUCKETS_AT), load8x8(valuesAt), get(sums), I16X8.add, set(sums)),
    code(next(4), get(found), LT_U, BR_IF, 0, END, END),
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
          locals: [3, I32, 2, V128],
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
