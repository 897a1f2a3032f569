/** Latin America, Asia and Africa. */
import { digitsOf, weightedSum } from '../../checksums.js';
import { endsInComplement, luhnHolds } from './checks.js';
import { type Form, isDay, valueOfSign } from './form.js';

const CURP = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

/** Registro Nacional de Población: weights 18 to 2 over the places of the letters. */
function curpHolds(found: string): boolean {
  const sum = [...found.slice(0, 17).toUpperCase()].reduce(
    (total, char, i) => total + CURP.indexOf(char) * (18 - i),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(found[17]);
}

/** Servicio de Registro Civil: weights 2 to 7 from the right, modulus 11, `K` is 10. */
function rutHolds(found: string): boolean {
  const plain = found.replace(/[.-]/g, '').toUpperCase();
  const sum = [...plain.slice(0, -1)]
    .reverse()
    .reduce((total, digit, i) => total + Number(digit) * (2 + (i % 6)), 0);
  return '0K987654321'[sum % 11] === plain.at(-1);
}

/** Two check figures, each by modulus 11 over what stands before it. */
function cnpjHolds(found: string): boolean {
  const digits = digitsOf(found);
  const check = (weights: readonly number[]) => {
    const rest = weightedSum(digits, weights) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const weights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  return check(weights) === Number(digits[12]) && check([6, ...weights]) === Number(digits[13]);
}

/** GB 11643-1999: ISO 7064 MOD 11-2. */
function chinaHolds(found: string): boolean {
  const sum = weightedSum(found.slice(0, 17), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return (
    isDay(found.slice(10, 12), found.slice(12, 14)) && '10X98765432'[sum % 11] === found[17]!.toUpperCase()
  );
}

const TAIWAN = 'ABCDEFGHJKLMNPQRSTUVXYWZIO';

/** Ministry of the Interior: the letter counts as two figures from 10 on. */
function taiwanHolds(found: string): boolean {
  const letter = TAIWAN.indexOf(found[0]!.toUpperCase()) + 10;
  const sum =
    Math.floor(letter / 10) + (letter % 10) * 9 + weightedSum(found.slice(1), [8, 7, 6, 5, 4, 3, 2, 1, 1]);
  return sum % 10 === 0;
}

/** Immigration Department: letters count from 10, a missing one as 36; weights 9 to 2, `A` is 10. */
function hongKongHolds(found: string): boolean {
  const plain = found.replace(/[()]/g, '').toUpperCase().padStart(9, ' ');
  const sum = [...plain.slice(0, 8)].reduce(
    (total, char, i) => total + (char === ' ' ? 36 : valueOfSign(char)) * (9 - i),
    0,
  );
  return (11 - (sum % 11)) % 11 === valueOfSign(plain[8]!);
}

/** Goods and Services Tax Network: a Luhn figure of base 36. */
function gstinHolds(found: string): boolean {
  const sum = [...found.slice(0, 14)].reduce((total, char, i) => {
    const product = valueOfSign(char) * (1 + (i % 2));
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return (36 - (sum % 36)) % 36 === valueOfSign(found[14]!);
}

/** National Tax Service: weights 1, 3, 7; the last one by tens, too. */
function brnHolds(found: string): boolean {
  const digits = digitsOf(found);
  const sum = weightedSum(digits, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + Math.floor((Number(digits[8]) * 5) / 10);
  return (10 - (sum % 10)) % 10 === Number(digits[9]);
}

/** Digital Agency: weights 6 to 2 and 7 to 2, modulus 11. */
function myNumberHolds(found: string): boolean {
  const digits = digitsOf(found);
  const rest = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === Number(digits[11]);
}

/** Department of Provincial Administration: weights 13 to 2, modulus 11. */
function thaiHolds(found: string): boolean {
  const digits = digitsOf(found);
  const sum = weightedSum(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return (11 - (sum % 11)) % 10 === Number(digits[12]);
}

/** Population Authority: weights 1 and 2 with sums of figures. */
function israelHolds(found: string): boolean {
  const sum = [...digitsOf(found)].reduce((total, digit, i) => {
    const product = Number(digit) * (1 + (i % 2));
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return sum % 10 === 0;
}

export const OTHER_COUNTRIES: readonly Form[] = [
  {
    entityType: 'MX_CURP',
    pattern: '[A-Z][AEIOUX][A-Z]{2}\\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z\\d]\\d',
    score: 0.6,
    validate: curpHolds,
    words: ['curp'],
  },
  {
    // Servicio de Administración Tributaria: the RFC of a person has four letters, a day and three signs.
    entityType: 'MX_RFC',
    pattern: '[A-Z&]{4}\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])[A-Z\\d]{3}',
    score: 0.4,
    words: ['rfc', 'registro federal'],
  },
  {
    entityType: 'CL_RUT',
    pattern: '\\d{1,2}\\.\\d{3}\\.\\d{3}-[\\dK]',
    score: 0.3,
    validate: rutHolds,
    words: ['rut', 'run', 'rol único'],
  },
  {
    // Agencia de Recaudación y Control Aduanero: weights 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, modulus 11.
    entityType: 'AR_CUIT',
    pattern: '(?:2[0347]|3[034])-\\d{8}-\\d',
    score: 0.3,
    validate: (found) => endsInComplement(digitsOf(found), [5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11, 9),
    words: ['cuit', 'cuil'],
  },
  {
    entityType: 'BR_CNPJ',
    pattern: '\\d{2}\\.\\d{3}\\.\\d{3}/\\d{4}-\\d{2}',
    score: 0.4,
    validate: cnpjHolds,
    words: ['cnpj'],
  },
  {
    entityType: 'CN_RESIDENT_ID',
    pattern: '[1-8]\\d{5}(?:18|19|20)\\d{9}[\\dX]',
    score: 0.3,
    validate: chinaHolds,
    words: ['身份证', '身份證', '公民身份号码', 'resident id'],
  },
  {
    entityType: 'TW_NATIONAL_ID',
    pattern: '[A-Z][1289]\\d{8}',
    score: 0.2,
    validate: taiwanHolds,
    needsWord: true,
    words: ['身分證', '身分證字號', '統一編號', 'national id'],
  },
  {
    entityType: 'HK_ID_CARD',
    pattern: '[A-Z]{1,2}\\d{6}\\([\\dA]\\)',
    score: 0.4,
    validate: hongKongHolds,
    words: ['hkid', '身份證', 'identity card'],
  },
  {
    entityType: 'JP_MY_NUMBER',
    pattern: '\\d{4}([ -]?)\\d{4}\\1\\d{4}',
    score: 0.1,
    validate: myNumberHolds,
    needsWord: true,
    words: ['マイナンバー', '個人番号', 'my number'],
  },
  {
    // Jabatan Pendaftaran Negara: day, place of birth, serial; no check.
    entityType: 'MY_NRIC',
    pattern: '\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])-\\d{2}-\\d{4}',
    score: 0.5,
    words: ['nric', 'mykad', 'kad pengenalan', 'no. kp'],
  },
  {
    entityType: 'TH_TNIN',
    pattern: '[1-8]([ -]?)\\d{4}\\1\\d{5}\\1\\d{2}\\1\\d',
    score: 0.2,
    validate: thaiHolds,
    needsWord: true,
    words: ['เลขประจำตัวประชาชน', 'บัตรประชาชน', 'thai id', 'national id'],
  },
  {
    entityType: 'IL_ID',
    pattern: '\\d{8}-?\\d',
    score: 0.1,
    validate: israelHolds,
    needsWord: true,
    words: ['ת.ז', 'תעודת זהות', 'teudat zehut', 'israeli id'],
  },
  {
    entityType: 'IN_GSTIN',
    pattern: '[0-3]\\d[A-Z]{5}\\d{4}[A-Z][1-9A-Z]Z[\\dA-Z]',
    score: 0.5,
    validate: gstinHolds,
    words: ['gstin', 'gst'],
  },
  {
    // Passport Seva: a letter and seven figures.
    entityType: 'IN_PASSPORT',
    pattern: '[A-PR-WY][1-9]\\d{6}',
    score: 0.15,
    words: ['passport', 'passport number', 'passport no'],
  },
  {
    // Election Commission: three letters and seven figures.
    entityType: 'IN_VOTER',
    pattern: '[A-Z]{3}\\d{7}',
    score: 0.2,
    words: ['voter', 'epic', 'voter id', 'elector'],
  },
  {
    entityType: 'KR_BRN',
    pattern: '\\d{3}-\\d{2}-\\d{5}',
    score: 0.3,
    validate: brnHolds,
    words: ['사업자등록번호', '사업자번호', 'business registration'],
  },
  {
    // National Police Agency: region, year, serial and two check figures whose rule is not published.
    entityType: 'KR_DRIVER_LICENSE',
    pattern: '(?:1[1-9]|2[0-68])-\\d{2}-\\d{6}-\\d{2}',
    score: 0.4,
    words: ['운전면허', '면허번호', 'driver license'],
  },
  {
    // Ministry of Foreign Affairs: a letter and eight signs.
    entityType: 'KR_PASSPORT',
    pattern: '[MSRODG](?:\\d{8}|\\d{3}[A-Z]\\d{4})',
    score: 0.15,
    words: ['여권', '여권번호', 'passport'],
  },
  {
    // Bureau of Internal Revenue: nine figures and the number of a branch.
    entityType: 'PH_TIN',
    pattern: '\\d{3}-\\d{3}-\\d{3}(?:-\\d{3,5})?',
    score: 0.15,
    words: ['tin', 'taxpayer identification'],
  },
  {
    // Social Security System: the common reference number.
    entityType: 'PH_UMID',
    pattern: '\\d{4}-\\d{7}-\\d',
    score: 0.3,
    words: ['umid', 'crn', 'sss'],
  },
  {
    // Department of Foreign Affairs: a letter, seven figures, a letter.
    entityType: 'PH_PASSPORT',
    pattern: '[A-Z]\\d{7}[A-Z]',
    score: 0.2,
    words: ['passport', 'pasaporte'],
  },
  {
    // Accounting and Corporate Regulatory Authority: businesses, companies, others.
    entityType: 'SG_UEN',
    pattern: '\\d{8}[A-Z]|(?:19|20)\\d{7}[A-Z]|[RST]\\d{2}[A-Z]{2}\\d{4}[A-Z]',
    score: 0.2,
    words: ['uen', 'unique entity'],
  },
  {
    // National Identity Management Commission: eleven figures.
    entityType: 'NG_NIN',
    pattern: '\\d{11}',
    score: 0.15,
    words: ['nin', 'national identification number', 'national identity'],
  },
  {
    // Department of Home Affairs: a letter and eight figures.
    entityType: 'ZA_PASSPORT',
    pattern: '[ADMT]\\d{8}',
    score: 0.15,
    words: ['passport', 'paspoort'],
  },
  {
    // South African Revenue Service: ten figures that begin with 4.
    entityType: 'ZA_VAT_NUMBER',
    pattern: '4\\d{9}',
    score: 0.15,
    words: ['vat', 'vat number', 'btw'],
  },
  {
    // Dirección Nacional de Identificación Civil: seven figures and one that checks them.
    entityType: 'UY_CEDULA',
    pattern: '\\d\\.?\\d{3}\\.?\\d{3}-\\d',
    score: 0.1,
    validate: (found) => endsInComplement(digitsOf(found), [2, 9, 8, 7, 6, 3, 4], 10),
    needsWord: true,
    words: ['cédula', 'cedula', 'c.i.', 'documento'],
  },
  {
    // Registro Civil: two figures of the province and a Luhn number.
    entityType: 'EC_CEDULA',
    pattern: '(?:[01]\\d|2[0-4]|30)\\d{8}',
    score: 0.1,
    validate: luhnHolds,
    needsWord: true,
    words: ['cédula', 'cedula', 'c.i.'],
  },
  {
    // Kementerian Dalam Negeri: place, day (40 more for women), serial.
    entityType: 'ID_NIK',
    pattern: '[1-9]\\d{5}(?:0[1-9]|[1-6]\\d|7[01])(?:0[1-9]|1[0-2])\\d{6}',
    score: 0.2,
    words: ['nik', 'nomor induk kependudukan', 'ktp'],
  },
];
