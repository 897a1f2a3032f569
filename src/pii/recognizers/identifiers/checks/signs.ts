/** How the checks of several countries count letters and digits. */

/** Returns true where the check holds, false where it does not, undefined where this number has no check. */
export type NamedCheck = (found: string) => boolean | undefined;

/** The letters and digits of a text, in capitals. */
export function plainOf(found: string): string {
  return found.toUpperCase().replace(/[^\dA-Z]/g, '');
}

/**
 * Whether two digits are a month and two others a day. `monthsAdded` are the constants that may have been added to
 * the month.
 */
export function isDay(month: string, day: string, monthsAdded: readonly number[] = [0]): boolean {
  const dayOf = Number(day);
  return (
    dayOf >= 1 &&
    dayOf <= 31 &&
    monthsAdded.some((more) => Number(month) > more && Number(month) <= more + 12)
  );
}

/** The value of a digit or letter: `A` is 10, `Z` is 35. */
export function valueOfSign(char: string): number {
  return Number.parseInt(char, 36);
}

/** The sum of what each character of `text` counts. */
export function sumOver(text: string, count: (char: string, place: number) => number): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += count(text[i]!, i);
  return sum;
}

/** The sum of the digits of a number below 100: 5 for 14. */
export function crossSum(value: number): number {
  return Math.floor(value / 10) + (value % 10);
}

/** ISO 7064 MOD 11,10 over digits, of which the last one is the check digit. */
export function mod1110(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

export const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
export const downFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first - i);
