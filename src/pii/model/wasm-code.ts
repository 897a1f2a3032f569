/** The instructions of WebAssembly that are used here, and the frame of a module, in bytes. Source: WebAssembly 2.0, section 5. */

export type Code = readonly (number | readonly number[])[];

export const [I32, V128] = [0x7f, 0x7b];
export const [BLOCK, LOOP, END, BR_IF] = [[0x02, 0x40], [0x03, 0x40], 0x0b, 0x0d];
export const [ADD, SHL, CTZ, DROP] = [0x6a, 0x74, 0x68, 0x1a];
export const [ZERO, NE, LT_U] = [0x45, 0x47, 0x49];
export const AND128 = [0xfd, 0x4e];
export const OR128 = [0xfd, 0x50];
export const XOR128 = [0xfd, 0x51];
export const I16X8 = {
  equal: [0xfd, 0x2d],
  bitmask: [0xfd, 0x84, 1],
  add: [0xfd, 0x8e, 1],
};
export const I32X4 = {
  splat: [0xfd, 0x11],
  add: [0xfd, 0xae, 1],
  mul: [0xfd, 0xb5, 1],
  equal: [0xfd, 0x37],
  shiftLeft: [0xfd, 0xab, 1],
  shiftRight: [0xfd, 0xad, 1],
  fromLow: [0xfd, 0xa7, 1],
  fromHigh: [0xfd, 0xa8, 1],
};

export const code = (...parts: Code): number[] => parts.flat();
export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];
export const tee = (local: number) => [0x22, local];
export const constant = (value: number) => [0x41, ...signed(value | 0)];
export const load = (offset: number) => [0x28, 2, ...unsigned(offset)];
export const store = (offset: number) => [0x36, 2, ...unsigned(offset)];
/** 16 bits, eight times. */
export const splat16 = (offset: number) => [0xfd, 0x08, 1, ...unsigned(offset)];
export const load128 = (offset: number) => [0xfd, 0x00, 4, ...unsigned(offset)];
export const load8x8 = (offset: number) => [0xfd, 0x01, 3, ...unsigned(offset)];
/** Into one of the four places of a vector; the address stands before the vector. */
export const loadPlace = (offset: number, place: number) => [0xfd, 0x56, 2, ...unsigned(offset), place];
export const store128 = (offset: number) => [0xfd, 0x0b, 4, ...unsigned(offset)];
export const constant32x4 = (values: Int32Array) => [
  0xfd,
  0x0c,
  ...new Uint8Array(values.slice(0, 4).buffer),
];

/** A function of two numbers; `locals` are counts and types of more. */
export interface WasmFunction {
  name: string;
  locals: readonly number[];
  body: Code;
}

/** A module that takes its memory and gives functions. */
export function moduleOf(functions: readonly WasmFunction[]): Uint8Array {
  const bodies = functions.map(({ locals, body }) => [locals.length / 2, ...locals, ...code(...body), END]);
  const count = functions.length;
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, I32, I32, 0]),
    ...section(2, [1, ...text('memory'), ...text('memory'), 2, 0, 1]),
    ...section(3, [count, ...functions.map(() => 0)]),
    ...section(7, [count, ...functions.flatMap(({ name }, index) => [...text(name), 0, index])]),
    ...section(10, [count, ...bodies.flatMap((body) => [...unsigned(body.length), ...body])]),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function text(of: string): number[] {
  return [of.length, ...Buffer.from(of)];
}

/** LEB128, as all numbers of WebAssembly. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const [low, rest] = [value & 0x7f, value >> 7];
  return rest === (low < 0x40 ? 0 : -1) ? [low] : [low | 0x80, ...signed(rest)];
}
