/** Letters and figures as the checks of several countries count them. */

/** true: the check holds. false: it does not. undefined: there is none for this number. */
export type NamedCheck = (found: string) => boolean | undefined;

/** Letters and figures alone, in capitals. */
export function plainOf(found: string): string {
  return found.toUpperCase().replace(/[^\dA-Z]/g, '');
}

/** Two figures of a month and two of a day. */
export function isDay(month: string, day: string, monthsAdded: readonly number[] = [0]): boolean {
  const dayOf = Number(day);
  return (
    dayOf >= 1 &&
    dayOf <= 31 &&
    monthsAdded.some((more) => Number(month) > more && Number(month) <= more + 12)
  );
}

/** The value of a letter or figure: `A` is 10. */
export function valueOfSign(char: string): number {
  return Number.parseInt(char, 36);
}

/** The sum of what each sign of `text` counts for. */
export function sumOver(text: string, count: (char: string, place: number) => number): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += count(text[i]!, i);
  return sum;
}

/** Figures of a sum of two figures: 14 counts as 5. */
export function crossSum(value: number): number {
  return Math.floor(value / 10) + (value % 10);
}

/** ISO 7064 MOD 11,10 over figures, the last one the check. */
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
