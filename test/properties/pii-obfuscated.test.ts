/**
 * Values as people write them to pass a guard: in digits, widths and blanks of all scripts, with invisible marks, other
 * separators, escapes, and between other text. What is not found is listed in docs/security.md. fast-check prints the seed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDetector } from '../../src/pii/index.js';
import { DISGUISES, disguised } from '../support/obfuscated-values.js';

const detector = createDetector();

function hides(text: string, value: string): boolean {
  const at = text.indexOf(value);
  const shown = [...text];
  expect(shown.length).toBeGreaterThan(0);
  // A part of a few units at an end may be a mark that is none of the value.
  return detector.detectSync(text).some(({ start, end }) => start <= at + 2 && end >= at + value.length - 3);
}

it('a value is found in whatever form and place', () => {
  fc.assert(
    fc.property(disguised, ({ text, value }) => {
      expect(hides(text, value), JSON.stringify(text)).toBe(true);
    }),
    { numRuns: 1_500 },
  );
});

describe('a card alone is found', () => {
  it.each(Object.entries(DISGUISES))('in each form by %s', (_, changes) => {
    const missed = changes
      .flatMap((change) => ['4111 1111 1111 1111', '4111-1111-1111-1111', '4111111111111111'].map(change))
      .filter((value) => !hides(`It is ${value}, thanks`, value));
    expect(missed).toEqual([]);
  });

  it.each(['.', '_', '/', '|', ':', ' - ', '--', '·', '•', '~', '  ', '*', '+', ' / '])(
    'with %j between its groups',
    (mark) => {
      const value = '4111 1111 1111 1111'.replaceAll(' ', mark);
      expect(hides(`It is ${value}, thanks`, value)).toBe(true);
    },
  );
});

describe('behind its word a number is found', () => {
  it.each([
    ['card 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'],
    ['card:\n4111\n1111\n1111\n1111'],
    ['my card is four one one one one one one one one one one one one one one one'],
    ['Karte vier eins eins eins eins eins eins eins eins eins eins eins eins eins eins eins'],
    ['card number 4lll llll llll llll'],
    ['card no. 4,111,111,111,111,111'],
    ['NHS nine four three four seven six five nine one nine'],
    ['SSN two one nine oh nine nine nine nine eight'],
    ['SSN 2 1 9 0 9 9 9 9 8'],
    ['phone oh seven seven double zero nine double zero four six one'],
    ['card4111111111111111'],
    ['ssn219099998'],
    ['卡号4111,1111,1111,1111'],
  ])('%s', (text) => {
    expect(detector.detectSync(text)).toHaveLength(1);
  });

  it.each([
    ['call one two or three of them at 12:34:56'],
    ['phone 12/05/2021 10:30'],
    ['number one, two and three'],
    ['the card has 4 1 2 5 points'],
  ])('and nothing in %s', (text) => {
    expect(detector.detectSync(text).filter(({ entityType }) => entityType !== 'DATE_TIME')).toEqual([]);
  });
});
