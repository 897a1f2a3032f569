/**
 * Whether a number is possible, or assigned, in the numbering plan of its country. The answer is the same as
 * libphonenumber's for a parsed number (a property test compares them), but its tables are read directly, which takes
 * a twentieth of the time.
 */
import { createRequire } from 'node:module';
import type { CountryCode } from 'libphonenumber-js/max';

type Metadata = typeof import('libphonenumber-js/max/metadata').default;

let loaded: Metadata | undefined;

/** Read with the first number, because the tables take 1.6 MiB, and many engines look for no telephone numbers. */
function metadata(): Metadata {
  loaded ??= createRequire(import.meta.url)('libphonenumber-js/max/metadata') as Metadata;
  return loaded;
}

export type Knowledge = 'assigned' | 'possible' | undefined;

interface Plan {
  pattern: string;
  lengths: readonly number[];
  /** What is dialled before a number within the country. */
  prefix: string | undefined;
  /** What replaces that prefix, where it is not simply removed. */
  transform: string | undefined;
  /** How the numbers of this country begin, where several countries share a calling code. */
  leading: string | undefined;
  /**
   * The patterns of fixed lines, mobiles and others, with their lengths. Empty where any number of the plan counts.
   */
  types: readonly (readonly [pattern: string, lengths?: readonly number[]] | 0)[];
}

const MOST_CODE_DIGITS = 3;
const FEWEST_DIGITS = 2;
const MOST_DIGITS = 17;
/** V8 keeps machine code for each pattern. Texts with numbers of all countries must not fill the space for it. */
const MOST_PATTERNS = 128;

const plans = new Map<string, Plan>();
/** Compiled patterns, by their source in the tables. */
const wholes = new Map<string, RegExp>();
const beginnings = new Map<string, RegExp>();

/** The meaning of the columns is that of the pinned version of the package. */
function planOf(key: string, row: readonly unknown[]): Plan {
  const known = plans.get(key);
  if (known !== undefined) return known;
  const plan: Plan = {
    pattern: row[2] as string,
    lengths: row[3] as number[],
    prefix: ((row[7] || row[5]) as string) || undefined,
    transform: (row[8] as string) || undefined,
    leading: (row[10] as string) || undefined,
    types: (row[11] as Plan['types']) || [],
  };
  plans.set(key, plan);
  return plan;
}

function ofCountry(country: CountryCode): Plan {
  return planOf(country, metadata().countries[country]!);
}

function ofCode(code: string): Plan | undefined {
  const main = countriesOf(code)?.[0];
  if (main !== undefined) return ofCountry(main);
  const { nonGeographic } = metadata();
  const row = nonGeographic[code as keyof typeof nonGeographic];
  return row && planOf(code, row);
}

function countriesOf(code: string): readonly CountryCode[] | undefined {
  const codes = metadata().country_calling_codes;
  return codes[code as keyof typeof codes];
}

function patternOf(source: string, patterns: Map<string, RegExp>): RegExp {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    if (patterns.size === MOST_PATTERNS) patterns.clear();
    pattern = new RegExp(patterns === wholes ? `^(?:${source})$` : `^(?:${source})`);
    patterns.set(source, pattern);
  }
  return pattern;
}

function isWhole(pattern: string, digits: string): boolean {
  return patternOf(pattern, wholes).test(digits);
}

function hasType({ pattern, lengths, types }: Plan, digits: string): boolean {
  if (!isWhole(pattern, digits)) return false;
  return types.some(
    (type) =>
      type !== 0 &&
      type[0] !== '' &&
      (type[1] ?? lengths).includes(digits.length) &&
      isWhole(type[0], digits),
  );
}

/** The country of a number, where several share the calling code. */
function countryOf(code: string, digits: string): CountryCode | undefined {
  const countries = countriesOf(code);
  if (countries === undefined || countries.length === 1) return countries?.[0];
  return countries.find((country) => {
    const plan = ofCountry(country);
    if (plan.leading === undefined) return hasType(plan, digits);
    return patternOf(plan.leading, beginnings).test(digits);
  });
}

/** The number without the prefix that is dialled before it, where the rest can be a number. */
function withoutPrefix(code: string, plan: Plan, digits: string): string {
  if (plan.prefix === undefined) return digits;
  const prefix = patternOf(plan.prefix, beginnings);
  const match = prefix.exec(digits);
  if (match === null) return digits;
  const hasGroup = match.length > 1 && Boolean(match.at(-1));
  const rest =
    plan.transform !== undefined && hasGroup
      ? digits.replace(prefix, plan.transform)
      : digits.slice(match[0].length);
  if (rest === digits) return digits;
  if (isWhole(plan.pattern, digits) && !isWhole(plan.pattern, rest)) return digits;
  const country = countryOf(code, rest);
  const { lengths } = country === undefined ? plan : ofCountry(country);
  return lengths.includes(rest.length) || rest.length > lengths.at(-1)! ? rest : digits;
}

function known(code: string, plan: Plan, dialled: string, home?: CountryCode): Knowledge {
  const digits = withoutPrefix(code, plan, dialled);
  if (digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS) return undefined;
  const country = countryOf(code, digits) ?? home;
  const own = country === undefined ? plan : ofCountry(country);
  if (!own.lengths.includes(digits.length)) return undefined;
  const isAssigned = own.types.length > 0 ? hasType(own, digits) : isWhole(own.pattern, digits);
  return isAssigned ? 'assigned' : 'possible';
}

/** What is known of a number that begins with the code of its country, without `+`. */
export function internationalNumber(digits: string): Knowledge {
  for (let end = 1; end <= MOST_CODE_DIGITS; end++) {
    const code = digits.slice(0, end);
    const plan = ofCode(code);
    if (plan !== undefined) return known(code, plan, digits.slice(end));
  }
  return undefined;
}

/** What is known of a number as it is dialled within a country: it begins with a single `0`. */
export function nationalNumber(digits: string, country: CountryCode): Knowledge {
  const row = metadata().countries[country]!;
  return known(row[0] as string, ofCountry(country), digits, country);
}
