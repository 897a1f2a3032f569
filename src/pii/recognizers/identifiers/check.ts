/** Applies the checks of a row in the tables of identifiers to a number that was found. */
import { digitsOf, isOneDigit, luhn, weightedSum } from '../../checksums.js';
import { type Birthday, type Check, VAT_ROWS, type Weighted } from '../../identifiers/rows.js';
import { AMERICAN_CHECKS } from './checks/americas.js';
import { ASIAN_CHECKS } from './checks/asia.js';
import { isCard } from './checks/cards.js';
import { EUROPEAN_CHECKS } from './checks/europe.js';
import { isDay, type NamedCheck, plainOf } from './checks/signs.js';

const NAMED: Readonly<Record<string, NamedCheck>> = {
  luhn: (found) => luhn(digitsOf(found)),
  /** Whether the digits are not all the same. A number of equal digits passes many checks but belongs to nobody. */
  varied: (found) => !isOneDigit(digitsOf(found)),
  'multiple-of-11': (found) => Number(digitsOf(found)) % 11 === 0,
  'eu-vat': vatHolds,
  'payment-card': isCard,
  ...EUROPEAN_CHECKS,
  ...AMERICAN_CHECKS,
  ...ASIAN_CHECKS,
};

/**
 * Joins the checks of a row into one: true where all hold, false where one does not, undefined where one cannot
 * decide.
 */
export function checkOf(given: Check | readonly Check[] | undefined): NamedCheck | undefined {
  if (given === undefined) return undefined;
  const checks = (Array.isArray(given) ? given : [given]).map(oneCheck);
  if (checks.length === 1) return checks[0];
  return (found) => {
    let isTold = true;
    for (const check of checks) {
      const holds = check(found);
      if (holds === false) return false;
      if (holds === undefined) isTold = false;
    }
    return isTold || undefined;
  };
}

function oneCheck(check: Check): NamedCheck {
  if (typeof check === 'object')
    return 'weights' in check
      ? (found) => weightedHolds(check, found)
      : (found) => hasBirthday(check, digitsOf(found));
  const named = NAMED[check];
  if (named === undefined) throw new Error(`no check is called "${check}"`);
  return named;
}

function weightedHolds({ weights, modulus, figure, signs, at, ten = 0 }: Weighted, found: string): boolean {
  const plain = plainOf(found);
  const rest = weightedSum(plain, weights) % modulus;
  const sign = plain[at ?? weights.length];
  if (signs !== undefined) return signs[rest] === sign;
  if (figure === undefined) return rest === 0;
  const wanted = figure === 'rest' ? rest : (modulus - rest) % modulus;
  return (wanted > 9 ? ten : wanted) === Number(sign);
}

function hasBirthday({ month, day, monthsAdded }: Birthday, digits: string): boolean {
  return isDay(digits.slice(month, month + 2), digits.slice(day, day + 2), monthsAdded);
}

/** For each country of EU_VAT, the form of the number after the country code, and its check. */
let countries: ReadonlyMap<string, { form: RegExp; holds: NamedCheck }> | undefined;

function vatHolds(found: string): boolean | undefined {
  countries ??= new Map(
    VAT_ROWS.map(({ country, pattern, check }) => [
      country,
      { form: new RegExp(`^(?:${pattern})$`), holds: oneCheck(check) },
    ]),
  );
  const plain = plainOf(found);
  const country = countries.get(plain.slice(0, 2));
  const number = plain.slice(2);
  return country?.form.test(number) ? country.holds(number) : false;
}
