/** Numbers from 0 (inclusive) to 1 (exclusive), always the same sequence for the same seed. */
export type Random = () => number;

/** The seed of this run. The variable `SEED` repeats an earlier run. */
export function seedOfRun(): number {
  const given = process.env.SEED;
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
}

/** Steps a counter by an odd constant and scrambles its bits, as splitmix32 does. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `from` (inclusive) to `to` (exclusive). */
export function between(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from));
}
