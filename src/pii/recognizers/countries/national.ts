/** Identifiers of persons that are looked for only where `entities` names them, each with its check digit. */
import { digitsOf, isOneDigit, luhn, weightedSum } from '../../checksums.js';
import { CodeRecognizer } from '../../codes.js';

const END = '(?!\\w)(?![-.]\\d)';
/** What parts the groups, if anything: the same between all of them. */
const MARK = '([ ._/-]?)';

function last(digits: string, from: number): number {
  return Number(digits[from]);
}

/** Month 1 to 12 and day 1 to 31. */
function isDate(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** Bundeszentralamt für Steuern: ISO 7064 MOD 11,10; of the first ten digits one stands twice or three times. */
function taxIdHolds(code: string): boolean {
  const digits = digitsOf(code);
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  if (repeated.length !== 1 || repeated[0]! > 3) return false;
  return mod1110(digits);
}

/** ISO 7064 MOD 11,10 over digits, the last one the check. */
export function mod1110(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

export const deTaxId = new CodeRecognizer({
  entityType: 'DE_TAX_ID',
  fewestDigits: 11,
  patterns: [
    {
      name: 'eleven digits',
      regex: new RegExp(`[1-9]\\d${MARK}\\d{3}\\1\\d{3}\\1\\d{3}${END}`, 'y'),
      score: 0.2,
      runs: { 2: '', 11: '' },
    },
  ],
  validate: taxIdHolds,
  isChance: true,
  context: [
    'steuer-id',
    'steueridentifikationsnummer',
    'identifikationsnummer',
    'idnr',
    'tax id',
    'steuernummer',
  ],
});

/** INSEE: the key is 97 less the rest of the number by 97; Corsica's 2A and 2B count as 19 and 18. */
function nirHolds(code: string): boolean {
  const plain = code.toUpperCase().replace(/[ .-]/g, '');
  const digits = plain.replace('2A', '19').replace('2B', '18');
  return 97 - (Number(digits.slice(0, 13)) % 97) === Number(digits.slice(13));
}

export const frNir = new CodeRecognizer({
  entityType: 'FR_NIR',
  fewestDigits: 12,
  patterns: [
    {
      name: 'number and key',
      regex: new RegExp(
        `[12][ ]?\\d{2}[ ]?(?:0[1-9]|1[0-2]|[2-9]\\d)[ ]?(?:\\d{2}|2[AB])[ ]?\\d{3}[ ]?\\d{3}[ ]?\\d{2}${END}`,
        'iy',
      ),
      score: 0.4,
      runs: { '1-13': ' ', '7-13 mixed': ' ', 15: '', '15 mixed': '' },
    },
  ],
  validate: nirHolds,
  context: ['sécurité sociale', 'securite sociale', 'nir', 'insee', 'numéro de sécu', 'vitale'],
});

/** Rijksdienst voor Identiteitsgegevens: the test of eleven, the last digit counted as minus one. */
function bsnHolds(code: string): boolean {
  const digits = digitsOf(code);
  return !isOneDigit(digits) && (weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) - last(digits, 8)) % 11 === 0;
}

export const nlBsn = new CodeRecognizer({
  entityType: 'NL_BSN',
  fewestDigits: 9,
  patterns: [
    {
      name: 'nine digits',
      regex: new RegExp(`\\d{4}${MARK}\\d{2}\\1\\d{3}${END}`, 'y'),
      score: 0.1,
      needsWord: true,
      runs: { 4: '', 9: '' },
    },
  ],
  validate: bsnHolds,
  isChance: true,
  context: ['bsn', 'burgerservicenummer', 'sofinummer', 'sofi'],
});

/** Ministerstwo Cyfryzacji: weights 1, 3, 7, 9; the month has 20, 40, 60 or 80 added for other centuries. */
function peselHolds(code: string): boolean {
  if (!isDate(Number(code.slice(2, 4)) % 20, Number(code.slice(4, 6)))) return false;
  const sum = weightedSum(code, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
  return (10 - (sum % 10)) % 10 === last(code, 10);
}

export const plPesel = new CodeRecognizer({
  entityType: 'PL_PESEL',
  fewestDigits: 11,
  patterns: [
    {
      name: 'eleven digits',
      regex: new RegExp(`\\d{11}${END}`, 'y'),
      score: 0.2,
      runs: { 11: '' },
    },
  ],
  validate: peselHolds,
  isChance: true,
  context: ['pesel', 'numer pesel', 'ewidencyjny'],
});

/** Autoridade Tributária: weights 9 to 2, modulus 11; the first digit says who has the number. */
function nifHolds(code: string): boolean {
  const digits = digitsOf(code);
  const check = 11 - (weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return !isOneDigit(digits) && (check > 9 ? 0 : check) === last(digits, 8);
}

export const ptNif = new CodeRecognizer({
  entityType: 'PT_NIF',
  fewestDigits: 9,
  patterns: [
    {
      name: 'nine digits',
      regex: new RegExp(`[1235689]\\d{2}${MARK}\\d{3}\\1\\d{3}${END}`, 'y'),
      score: 0.1,
      needsWord: true,
      runs: { 3: '', 9: '' },
    },
  ],
  validate: nifHolds,
  isChance: true,
  context: ['nif', 'contribuinte', 'número fiscal', 'identificação fiscal'],
});

/** Employment and Social Development Canada: a Luhn number; none begins with 8. A leading 0 was given to temporary residents. */
export const caSin = new CodeRecognizer({
  entityType: 'CA_SIN',
  fewestDigits: 9,
  patterns: [
    {
      name: 'with dashes',
      regex: new RegExp(`[0-79]\\d{2}-\\d{3}-\\d{3}${END}`, 'y'),
      score: 0.1,
      runs: { 3: '-' },
    },
    {
      name: 'nine digits',
      regex: new RegExp(`[0-79]\\d{2}${MARK}\\d{3}\\1\\d{3}${END}`, 'y'),
      score: 0.1,
      needsWord: true,
      runs: { 3: '', 9: '' },
    },
  ],
  validate: (code) => luhn(digitsOf(code)) && !isOneDigit(digitsOf(code)),
  isChance: true,
  context: ['sin', 'social insurance', 'social insurance number', 'assurance sociale', 'nas'],
});

/** Receita Federal: two check digits, each modulus 11 over what stands before it. */
function cpfHolds(code: string): boolean {
  const digits = digitsOf(code);
  const check = (count: number) => {
    const weights = Array.from({ length: count }, (_, i) => count + 1 - i);
    return ((weightedSum(digits, weights) * 10) % 11) % 10;
  };
  return !isOneDigit(digits) && check(9) === last(digits, 9) && check(10) === last(digits, 10);
}

export const brCpf = new CodeRecognizer({
  entityType: 'BR_CPF',
  fewestDigits: 11,
  patterns: [
    {
      name: 'dots and dash',
      regex: new RegExp(`\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}${END}`, 'y'),
      score: 0.5,
      runs: { 3: '.' },
    },
    {
      name: 'eleven digits',
      regex: new RegExp(`\\d{11}${END}`, 'y'),
      score: 0.2,
      runs: { 11: '' },
    },
  ],
  validate: cpfHolds,
  context: ['cpf', 'cadastro de pessoas', 'contribuinte'],
});

/** Resident Registration Act: weights 2 to 9 and 2 to 5, modulus 11; numbers given since October 2020 have no check. */
function rrnHolds(code: string): boolean | undefined {
  const digits = digitsOf(code);
  if (!isDate(Number(digits.slice(2, 4)), Number(digits.slice(4, 6)))) return false;
  const sum = weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
  if ((11 - (sum % 11)) % 10 === last(digits, 12)) return true;
  const isRecent = '3478'.includes(digits[6]!) && digits.slice(0, 4) >= '2010';
  return isRecent ? undefined : false;
}

export const krRrn = new CodeRecognizer({
  entityType: 'KR_RRN',
  fewestDigits: 13,
  patterns: [
    {
      name: 'date and number',
      regex: new RegExp(`\\d{6}-[1-8]\\d{6}${END}`, 'y'),
      score: 0.3,
      runs: { 6: '-' },
    },
    {
      name: 'thirteen digits',
      regex: new RegExp(`\\d{6}[1-8]\\d{6}${END}`, 'y'),
      score: 0.3,
      runs: { 13: '' },
    },
  ],
  validate: rrnHolds,
  context: ['주민등록번호', '주민번호', 'rrn', 'resident registration'],
});

/** Department of Home Affairs: date of birth, sequence, citizenship 0 to 2, a Luhn digit. */
function zaHolds(code: string): boolean {
  return isDate(Number(code.slice(2, 4)), Number(code.slice(4, 6))) && luhn(digitsOf(code));
}

export const zaId = new CodeRecognizer({
  entityType: 'ZA_ID',
  fewestDigits: 13,
  patterns: [
    {
      name: 'thirteen digits',
      regex: new RegExp(`\\d{6}${MARK}\\d{4}\\1[0-2][89] ?\\d${END}`, 'y'),
      score: 0.3,
      runs: { 6: '', 12: ' ', 13: '' },
    },
  ],
  validate: zaHolds,
  context: ['identity number', 'id number', 'south african id', 'sa id', 'id no'],
});
