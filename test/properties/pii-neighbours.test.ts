/**
 * A value is found whatever stands before and behind it: dates, times, amounts, codes, other values, punctuation.
 * fast-check prints the seed of a failure.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDetector, type EntityType } from '../../src/pii/index.js';

/** For each type a word that names it, where it needs one, and valid values in the forms that people write. */
const VALUES: Record<string, { word?: string; values: readonly string[] }> = {
  CREDIT_CARD: {
    values: [
      '4111 1111 1111 1111',
      '4111-1111-1111-1111',
      '4111111111111111',
      '5555 5555 5555 4444',
      '3782 822463 10005',
      '378282246310005',
      '6011 0009 9013 9424',
      '3056 930902 5904',
    ],
  },
  IBAN_CODE: {
    values: ['DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432', 'FR14 2004 1010 0505 0001 3M02 606'],
  },
  PHONE_NUMBER: {
    values: ['+44 20 7946 0018', '+1 415-555-2671', '(415) 555-2671', '+4915112345678', '030 1234567'],
  },
  US_SSN: { word: 'SSN', values: ['219-09-9998', '219 09 9998', '219099998'] },
  US_ITIN: { word: 'ITIN', values: ['912-70-1234', '912701234'] },
  UK_NHS: { word: 'NHS', values: ['943 476 5919', '943-476-5919', '9434765919'] },
  US_PASSPORT: { word: 'passport', values: ['912803456', 'C12803456'] },
  US_BANK_NUMBER: { word: 'bank account', values: ['9456787654', '945678765412'] },
  US_DRIVER_LICENSE: { word: 'driver license', values: ['H12234567', 'A1234567'] },
  MEDICAL_LICENSE: { word: 'DEA', values: ['BB1388568'] },
  SG_NRIC_FIN: { values: ['S1234567D'] },
  AU_ABN: { word: 'ABN', values: ['53 004 085 616', '53004085616'] },
  AU_ACN: { word: 'ACN', values: ['004 085 616', '004085616'] },
  AU_TFN: { word: 'TFN', values: ['123 456 782', '123456782'] },
  AU_MEDICARE: { word: 'Medicare', values: ['2123 45670 1', '2123456701'] },
  IN_PAN: { values: ['ABCPE1234F'] },
  IN_AADHAAR: { word: 'Aadhaar', values: ['2341 2341 2346', '234123412346'] },
  ES_NIF: { values: ['12345678Z', 'X1234567L', '12.345.678-Z'] },
  IT_FISCAL_CODE: { values: ['RSSMRA85T10A562S'] },
  IT_VAT_CODE: { word: 'partita IVA', values: ['00743110157'] },
  CRYPTO: { values: ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'] },
  IP_ADDRESS: { values: ['192.168.17.5', '2001:db8::8a2e:370:7334'] },
  EMAIL_ADDRESS: { values: ['ada@example.org'] },
  DE_TAX_ID: { word: 'Steuer-ID', values: ['86 095 742 719', '86095742719'] },
  FR_NIR: { word: 'NIR', values: ['2 55 08 14 168 025 38', '255081416802538'] },
  NL_BSN: { word: 'BSN', values: ['1112.22.333', '111222333'] },
  PL_PESEL: { word: 'PESEL', values: ['44051401359'] },
  PT_NIF: { word: 'NIF', values: ['123 456 789', '123456789'] },
  CA_SIN: { word: 'SIN', values: ['130 692 544', '130-692-544', '130692544'] },
  BR_CPF: { word: 'CPF', values: ['529.982.247-25', '52998224725'] },
  KR_RRN: { word: 'RRN', values: ['800101-1234560', '8001011234560'] },
  ZA_ID: { word: 'SA ID', values: ['8001015009087', '800101 5009 087'] },
  EU_VAT: { word: 'VAT', values: ['DE136695976', 'NL 004495445 B01', 'FR83404833048'] },
};

const NEIGHBOURS = [
  '12/27',
  '12/2027',
  '2027-05-12',
  '12 May 2021',
  '14:30',
  '14:30:05',
  '123',
  '9999',
  '42',
  '12.50',
  '1,250.00',
  '$20',
  '€ 1.250,00',
  '7 %',
  'INV-2024-001',
  'A1B2C3',
  'x7',
  '#42',
  'v1.2.3',
  'text',
  'ada@example.net',
  '10.0.0.1',
  'GB33BUKB20201555555555',
  '(seen)',
  '"quoted"',
  '—',
  '…',
  '',
];
/** Between a value and what stands beside it. */
const JOINERS = [
  ' ',
  ', ',
  '; ',
  ' / ',
  ' | ',
  ' - ',
  ': ',
  '\n',
  '\t',
  ' (',
  '" ',
  "' ",
  ' = ',
  ',',
  ';',
  '|',
];

const cases = Object.entries(VALUES).map(([type, { word, values }]) => ({ type, word, values }));

describe('with anything before and behind', () => {
  it.each(cases)('$type is found', ({ type, word, values }) => {
    const detector = createDetector({ entities: [type as EntityType] });
    fc.assert(
      fc.property(
        fc.constantFrom(...values),
        fc.constantFrom(...NEIGHBOURS),
        fc.constantFrom(...JOINERS),
        fc.constantFrom(...JOINERS),
        fc.constantFrom(...NEIGHBOURS),
        (value, before, first, second, behind) => {
          const named = word === undefined ? value : `${word} ${value}`;
          const text = `${before}${first}${named}${second}${behind}`;
          const at = text.indexOf(value, before.length);
          const isHidden = detector
            .detectSync(text)
            .some(({ start, end }) => start <= at && end >= at + value.length);
          expect(isHidden, JSON.stringify(text)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
