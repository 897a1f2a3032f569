/** The United Kingdom, Ireland, the United States and Canada, and addresses of devices. */
import { digitsOf, luhn, weightedSum } from '../../checksums.js';
import type { Form } from './form.js';

/** Letters of a Medicare number: those that look like figures are left out. */
const M = '[AC-HJKMNP-RT-Y]';
const POSTAL = '[ABCEGHJ-NPRSTV-Z]';

/** Letters of the check of an Irish number, by the rest. */
const PPS = 'WABCDEFGHIJKLMNOPQRSTUV';

function ppsHolds(found: string): boolean {
  const second =
    found[8] === undefined || /w/i.test(found[8]) ? 0 : found[8].toUpperCase().charCodeAt(0) - 64;
  const sum = weightedSum(found.slice(0, 7), [8, 7, 6, 5, 4, 3, 2]) + second * 9;
  return PPS[sum % 23] === found[7]!.toUpperCase();
}

export const ENGLISH: readonly Form[] = [
  {
    // HM Revenue and Customs, National Insurance Manual NIM39110.
    entityType: 'UK_NINO',
    pattern: '(?!BG|GB|NK|KN|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]',
    score: 0.5,
    words: ['national insurance', 'ni number', 'ni no', 'nino'],
  },
  {
    // HM Passport Office: nine figures; two letters and seven figures in some series.
    entityType: 'UK_PASSPORT',
    pattern: '\\d{9}|[A-Z]{2}\\d{7}',
    score: 0.15,
    words: ['passport', 'passport number', 'passport no'],
  },
  {
    // Driver and Vehicle Licensing Agency: five letters of the name filled up with 9, the birthday around the sex, initials.
    entityType: 'UK_DRIVING_LICENCE',
    pattern:
      '(?=[A-Z]+9*\\d)[A-Z9]{5}\\d(?:[05][1-9]|[16][0-2])(?:0[1-9]|[12]\\d|3[01])\\d[A-Z9]{2}[A-Z\\d][A-Z]{2}',
    score: 0.6,
    words: ['driving licence', 'licence number', 'driver number', 'dvla'],
  },
  {
    // Royal Mail, Programmers' Guide, the forms of postcodes.
    entityType: 'UK_POSTCODE',
    pattern:
      '(?:GIR ?0AA|[A-PR-UWYZ](?:\\d[\\dA-HJKPSTUW]?|[A-HK-Y]\\d[\\dABEHMNPRVWXY]?) ?\\d[ABD-HJLNP-UW-Z]{2})',
    score: 0.3,
    words: ['postcode', 'post code', 'postal code', 'address'],
  },
  {
    // Driver and Vehicle Licensing Agency: the form since September 2001.
    entityType: 'UK_VEHICLE_REGISTRATION',
    pattern: '[A-HJ-PR-Y]{2}\\d{2} ?[A-HJ-PR-Z]{3}',
    score: 0.3,
    words: ['registration', 'number plate', 'reg', 'vehicle', 'vrm'],
  },
  {
    // Department of Social Protection: seven figures, a letter that checks them, in some a second one.
    entityType: 'IE_PPS',
    pattern: '\\d{7}[A-W][A-IW]?',
    score: 0.2,
    validate: ppsHolds,
    needsWord: true,
    words: ['pps', 'ppsn', 'pps number', 'personal public service'],
  },
  {
    // Centers for Medicare and Medicaid Services, "Understanding the MBI".
    entityType: 'US_MBI',
    pattern: `[1-9]${M}[\\dAC-HJKMNP-RT-Y]\\d-?${M}[\\dAC-HJKMNP-RT-Y]\\d-?${M}{2}\\d{2}`,
    score: 0.5,
    words: ['mbi', 'medicare', 'medicare number', 'beneficiary'],
  },
  {
    // Centers for Medicare and Medicaid Services: a Luhn number with 80840 before it.
    entityType: 'US_NPI',
    pattern: '[12]\\d{9}|[12]\\d{3}[ -]\\d{3}[ -]\\d{3}',
    score: 0.1,
    validate: (found) => luhn(`80840${digitsOf(found)}`),
    needsWord: true,
    words: ['npi', 'national provider', 'provider identifier', 'provider number'],
  },
  {
    // American Bankers Association: weights 3, 7, 1; the first two figures are those of a Federal Reserve district.
    entityType: 'ABA_ROUTING_NUMBER',
    pattern: '(?:0\\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\\d{2}-?\\d{4}-?\\d',
    score: 0.05,
    validate: (found) => weightedSum(digitsOf(found), [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
    needsWord: true,
    words: ['aba', 'routing', 'routing number', 'routing no', 'rtn', 'transit number'],
  },
  {
    // Canada Post, Addressing Guidelines.
    entityType: 'CA_POSTAL_CODE',
    pattern: `[ABCEGHJ-NPRSTVXY]\\d${POSTAL}[ -]?\\d${POSTAL}\\d`,
    score: 0.3,
    words: ['postal code', 'code postal', 'postcode', 'address', 'adresse'],
  },
  {
    // IEEE 802, section 8: six pairs, or three groups of four.
    entityType: 'MAC_ADDRESS',
    pattern: '[\\dA-F]{2}([:-])(?:[\\dA-F]{2}\\1){4}[\\dA-F]{2}|[\\dA-F]{4}\\.[\\dA-F]{4}\\.[\\dA-F]{4}',
    score: 0.6,
    words: ['mac', 'mac address', 'hardware address', 'ethernet', 'bssid'],
  },
  {
    // RFC 9562.
    entityType: 'UUID',
    pattern: '[\\dA-F]{8}-[\\dA-F]{4}-[1-8][\\dA-F]{3}-[89AB][\\dA-F]{3}-[\\dA-F]{12}',
    score: 0.6,
    words: ['uuid', 'guid'],
  },
];
