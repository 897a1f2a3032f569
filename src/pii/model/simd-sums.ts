/**
 * The sum of the weights of features as a WebAssembly function of some 60 instructions: one compares a feature with all
 * eight slots of its bucket, another adds the weights of all eight labels. JavaScript has neither, and takes more than
 * twice as long for what is the largest part of reading names. Written here in bytes, as no tool that makes them is
 * worth a dependency; `sums.ts` has the same in words.
 */
import { LABEL_COUNT } from './labels.js';
import { BUCKET_SLOTS, FREE_BYTES, type Weights } from './weights.js';

/** In bytes: features, then sums, then the file of the model. */
const SUMS_AT = FREE_BYTES / 2;

export interface FeatureSums {
  /** To be filled by the caller. */
  readonly features: Int32Array;
  /** What `sum` gave last. */
  readonly sums: Int32Array;
  /** Writes the sums of the first `count` features, at least one. */
  sum(count: number): void;
}

const [I32, V128] = [0x7f, 0x7b];
const [LOOP, IF, END, BR_IF, SELECT] = [[0x03, 0x40], [0x04, 0x40], 0x0b, 0x0d, 0x1b];
const [ADD, MUL, AND, SHL, SHR_U, CTZ, LT_U] = [0x6a, 0x6c, 0x71, 0x74, 0x76, 0x68, 0x49];
const LOAD = [0x28, 2, 0];
const I16X8 = { splat: [0xfd, 0x10], equal: [0xfd, 0x2d], bitmask: [0xfd, 0x84, 1], add: [0xfd, 0x8e, 1] };
const I32X4 = { fromLow: [0xfd, 0xa7, 1], fromHigh: [0xfd, 0xa8, 1] };

/** As far as it is used: the types of Node.js do not have it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

const code = (...parts: (number | readonly number[])[]): number[] => parts.flat();

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, ...signed(value)];
const load128 = (offset: number) => [0xfd, 0x00, 4, ...unsigned(offset)];
const load8x8 = (offset: number) => [0xfd, 0x01, 3, ...unsigned(offset)];
const store128 = (offset: number) => [0xfd, 0x0b, 4, ...unsigned(offset)];

/** Parameters: the address of the first feature, the end of the last. The largest sum fits in 16 bits. */
function program(buckets: number, checksAt: number, valuesAt: number): number[] {
  const [at, end, feature, bucket, slots, sums] = [0, 1, 2, 3, 4, 5];
  return code(
    LOOP,
    // The check value of the feature, never 0, eight times.
    code(get(at), LOAD, tee(feature), constant(0xffff), AND, tee(slots), constant(1), get(slots), SELECT),
    I16X8.splat,
    // The check values of its bucket.
    code(get(feature), constant(16), SHR_U, constant(buckets), MUL, constant(16), SHR_U, tee(bucket)),
    code(constant(4), SHL, load128(checksAt), I16X8.equal, I16X8.bitmask, tee(slots)),
    // The weights of the first slot with its check value.
    code(IF, get(sums)),
    code(get(bucket), constant(3), SHL, get(slots), CTZ, ADD, constant(3), SHL, load8x8(valuesAt)),
    code(I16X8.add, set(sums), END),
    code(get(at), constant(4), ADD, tee(at), get(end), LT_U, BR_IF, 0, END),
    code(constant(SUMS_AT), get(sums), I32X4.fromLow, store128(0)),
    code(constant(SUMS_AT), get(sums), I32X4.fromHigh, store128(16), END),
  );
}

/** Undefined where the processor or the options of Node.js do not allow it. */
export function simdSums({ buckets, checks, values, memory }: Weights): FeatureSums | undefined {
  if (memory === undefined || LABEL_COUNT !== 8 || BUCKET_SLOTS !== 8) return undefined;
  try {
    const module = new WebAssembly.Module(moduleOf(program(buckets, checks.byteOffset, values.byteOffset)));
    const { exports } = new WebAssembly.Instance(module, { memory: { memory } });
    const run = exports.run as (from: number, to: number) => void;
    return {
      features: new Int32Array(memory.buffer, 0, SUMS_AT >> 2),
      sums: new Int32Array(memory.buffer, SUMS_AT, LABEL_COUNT),
      sum: (count) => run(0, count << 2),
    };
  } catch {
    return undefined;
  }
}

/** A module that takes its memory and gives one function of two numbers. */
function moduleOf(instructions: readonly number[]): Uint8Array {
  const locals = [2, 3, I32, 1, V128];
  const body = [...locals, ...instructions];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, I32, I32, 0]),
    ...section(2, [1, ...name('memory'), ...name('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('run'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

/** LEB128, as all numbers of WebAssembly. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
