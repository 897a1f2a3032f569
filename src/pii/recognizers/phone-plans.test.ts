import fc from 'fast-check';
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { internationalNumber, type Knowledge, nationalNumber } from './phone-plans.js';

/** What libphonenumber says. */
function told(number: string, country?: CountryCode): Knowledge {
  const parsed = parsePhoneNumberFromString(number, country);
  if (parsed === undefined || !parsed.isPossible()) return undefined;
  return parsed.isValid() ? 'assigned' : 'possible';
}

const CODES = [...Object.keys(metadata.country_calling_codes), ...Object.keys(metadata.nonGeographic)];
const COUNTRIES = Object.keys(metadata.countries) as CountryCode[];
const DIGITS = fc.stringMatching(/^\d{4,13}$/);
/** Of each country: what its plan says of its numbers, the digits that follow replaced by others. */
const NEARBY = fc.constantFrom(...COUNTRIES).chain((country) => {
  const { countryCallingCode, nationalNumber: example } = getExampleNumber(country, examples)!;
  return fc
    .tuple(fc.nat(example.length), fc.stringMatching(/^\d{0,5}$/))
    .map(
      ([kept, rest]) =>
        `${countryCallingCode}${example.slice(0, kept)}${rest}${example.slice(kept + rest.length)}`,
    );
});
/** The countries that numbers with a leading 0 are tried for. */
const TRIED = ['GB', 'DE', 'FR', 'IT'] as const;
const SEPARATED = fc.stringMatching(/^\(?0[1-9]\d{0,3}\)?[ -]?\d{3,6}(?:[ .-]\d{2,4}){0,3}$/);

describe('the data on telephone numbers', () => {
  it('agrees with libphonenumber on numbers with a country code', () => {
    const numbers = fc.tuple(fc.constantFrom(...CODES), DIGITS).map((parts) => parts.join(''));
    const compare = (number: string) => {
      expect(internationalNumber(number)).toBe(told(`+${number}`));
    };
    fc.assert(fc.property(numbers, compare), { numRuns: 1000 });
    fc.assert(fc.property(NEARBY, compare), { numRuns: 1000 });
    fc.assert(fc.property(fc.stringMatching(/^[1-9]\d{7,14}$/), compare));
  });

  it('agrees with libphonenumber on an example of each country, also with a leading 0', () => {
    for (const country of COUNTRIES) {
      const { countryCallingCode: code, nationalNumber: example } = getExampleNumber(country, examples)!;
      for (const digits of [example, `0${example}`, `${example}1`, example.slice(1)])
        expect(internationalNumber(code + digits), code + digits).toBe(told(`+${code}${digits}`));
    }
  });

  it.each(TRIED)('agrees with libphonenumber on numbers as they are dialled in %s', (country) => {
    const compare = (written: string) => {
      expect(nationalNumber(written.replace(/\D/g, ''), country)).toBe(told(written, country));
    };
    fc.assert(fc.property(SEPARATED, compare), { numRuns: 1000 });
    const { nationalNumber: example } = getExampleNumber(country, examples)!;
    for (const number of [`0${example}`, `0${example}1`, `0${example.slice(1)}`]) compare(number);
  });

  it('is empty for a number of no country', () => {
    expect(internationalNumber('99912345678')).toBeUndefined();
    expect(internationalNumber('21012345678')).toBeUndefined();
  });
});
