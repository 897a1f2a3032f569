/**
 * Values as people write them to pass a guard: in digits, widths and blanks of all scripts, with invisible marks, other
 * separators, escapes, and between other text. What is not found is listed in docs/security.md. fast-check prints the seed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDetector, type EntityType } from '../../src/pii/index.js';
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
  it.each(Object.entries(DISGUISES))('written by %s', (_, changes) => {
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

/** Numbers of figures alone, in the groups that people write, behind a word for each. */
const NUMBERS: readonly [type: EntityType, word: string, number: string][] = [
  ['CREDIT_CARD', 'card', '4111 1111 1111 1111'],
  ['US_SSN', 'SSN', '219-09-9998'],
  ['US_ITIN', 'ITIN', '912-70-1234'],
  ['UK_NHS', 'NHS number', '943 476 5919'],
  ['PHONE_NUMBER', 'phone', '415 555 2671'],
  ['AU_TFN', 'TFN', '123 456 782'],
  ['AU_ABN', 'ABN', '53 004 085 616'],
  ['IN_AADHAAR', 'Aadhaar', '2341 2341 2346'],
  ['DE_TAX_ID', 'Steuer-ID', '86 095 742 719'],
  ['NL_BSN', 'BSN', '111222333'],
  ['PL_PESEL', 'PESEL', '44051401359'],
  ['CA_SIN', 'SIN', '130 692 544'],
  ['BR_CPF', 'CPF', '529.982.247-25'],
  ['IT_VAT_CODE', 'partita IVA', '00743110157'],
];
const SPOKEN = 'zero one two three four five six seven eight nine'.split(' ');
const grouped = (mark: string) => (number: string) => number.replace(/[ .-]/g, mark);
const eachFigure = (write: (figure: number) => string) => (number: string) =>
  number.replace(/\d/g, (figure) => write(Number(figure)));
const spoken = (mark: string) => (number: string) =>
  [...number.replace(/\D/g, '')].map((figure) => SPOKEN[Number(figure)]).join(mark);

describe('behind its word a number of each type is found', () => {
  it.each<[form: string, write: (number: string) => string]>([
    ['over several lines', grouped('\n')],
    ['over several lines of Windows', grouped('\r\n')],
    ['with a blank between all figures', (number) => [...number.replace(/\D/g, '')].join(' ')],
    ['with _ between its groups', grouped('_')],
    ['with / between its groups', grouped('/')],
    ['as people say it', spoken(' ')],
    ['as people say it, with commas', spoken(', ')],
    ['with O for 0 and l for 1', (number) => number.replace(/0/g, 'O').replace(/1/g, 'l')],
    ['in circles', eachFigure((figure) => (figure === 0 ? '⓪' : String.fromCodePoint(0x245f + figure)))],
    ['in wide figures', eachFigure((figure) => String.fromCodePoint(0xff10 + figure))],
    ['in entities of HTML', eachFigure((figure) => `&#${48 + figure};`)],
    ['in entities of HTML in hexadecimal', eachFigure((figure) => `&#x${(48 + figure).toString(16)};`)],
    ['with invisible units between its figures', (number) => [...number].join('\u200b')],
  ])('%s', (_, write) => {
    const missed = NUMBERS.filter(([type, word, number]) => {
      const value = write(number);
      const found = createDetector({ entities: [type] }).detectSync(`My ${word} is ${value}, thanks.`);
      const start = `My ${word} is `.length;
      return !found.some((one) => one.start <= start + 2 && one.end >= start + value.length - 3);
    });
    expect(missed).toEqual([]);
  });
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
    ['TFN l23 456 782'],
    ['ITIN 9 1 2 7 0 1 2 3 4'],
    ['ITIN nine one two seven zero one two three four'],
    ['SSN: 219-09-9998Hello'],
    ['SSN ٢١٩-٠٩-٩٩٩٨then'],
    ['NHS: 943 476 5919and'],
  ])('%s', (text) => {
    expect(detector.detectSync(text)).toHaveLength(1);
  });

  it.each([
    ['call one two or three of them at 12:34:56'],
    ['phone 12/05/2021 10:30'],
    ['number one, two and three'],
    ['the card has 4 1 2 5 points'],
    ['SSN file 219099998a7bc'],
    ['SSN table, 219099998x'],
  ])('and nothing in %s', (text) => {
    expect(detector.detectSync(text).filter(({ entityType }) => entityType !== 'DATE_TIME')).toEqual([]);
  });
});

/** In invisible ASCII. */
const tags = (text: string) =>
  [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');

describe('a form passes that docs/security.md lists', () => {
  it.each([
    ['base64', Buffer.from('my card is 4111 1111 1111 1111').toString('base64')],
    ['hexadecimal', Buffer.from('4111111111111111').toString('hex')],
    ['unusual marks without a word', '4*111-11/11:1111 1;111'],
    ['spoken without a word', `four${' one'.repeat(15)}`],
    ['letters for digits without a word', '4lll llll llll llll'],
    ['a check of one digit without a word', '9434765919'],
    ['two further groups behind a card', '4111 1111 1111 1111 2222 3333'],
    ['behind a digit and a dot', '0.4111111111111111'],
    ['words for digits in Swedish', `card fyra${' ett'.repeat(15)}`],
    ['a single tag', `4111 1111 1111 ${tags('1')}111`],
    ['points of Hebrew between the digits', [...'4111111111111111'].join('\u05b0')],
    ['a letter right behind a number', 'SSN 219-09-9998x'],
    ['a word right behind an IBAN', 'IBAN: DE89370400440532013000Hello'],
    ['escapes that are escaped', 'card: \\\\u0034111 1111 1111 1111'],
  ])('%s', (_form, text) => {
    expect(detector.detectSync(`It is ${text}, thanks`)).toEqual([]);
  });
});
