/** Check digits of the forms, each over the figures alone. */
import { digitsOf, luhn, weightedSum } from '../../checksums.js';
import { isDay, valueOfSign } from './form.js';

export function luhnHolds(found: string): boolean {
  return luhn(digitsOf(found));
}

/** The last figure is what the weighted sum of the others lacks to a multiple of `modulus`; 10 counts as `ten`. */
export function endsInComplement(
  digits: string,
  weights: readonly number[],
  modulus: number,
  ten = 0,
): boolean {
  const check = (modulus - (weightedSum(digits, weights) % modulus)) % modulus;
  return (check > 9 ? ten : check) === Number(digits.at(-1));
}

/** The last figure is the rest of the weighted sum of the others. */
export function endsInRest(digits: string, weights: readonly number[], modulus: number, ten = 0): boolean {
  const rest = weightedSum(digits, weights) % modulus;
  return (rest > 9 ? ten : rest) === Number(digits.at(-1));
}

/** ICAO Doc 9303, part 3: weights 7, 3, 1 over figures and letters. */
export function icaoHolds(found: string): boolean {
  const sum = [...found.slice(0, -1)].reduce(
    (total, char, i) => total + valueOfSign(char) * [7, 3, 1][i % 3]!,
    0,
  );
  return sum % 10 === Number(found.at(-1));
}

/** Figures of a sum of two figures: 14 counts as 5. */
export function crossSum(value: number): number {
  return Math.floor(value / 10) + (value % 10);
}

/** Two figures of the year, the month, the day at the start. */
export function beginsWithDay(digits: string, monthsAdded?: readonly number[]): boolean {
  return isDay(digits.slice(2, 4), digits.slice(4, 6), monthsAdded);
}
