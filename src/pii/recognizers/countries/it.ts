/** Italian identifiers: codice fiscale, partita IVA, driving licence, passport, identity card. */
import { digitsOf, isOneDigit, luhn } from '../../checksums.js';
import { matchAt } from '../../matches-of.js';
import { type Candidate, codeRecognizer, type Recognizer, type Run } from '../../recognizer.js';

const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** Decreto ministeriale 12 March 1974: characters in odd places count by a table, in even places by their value. */
function fiscalCodeHolds(given: string): boolean {
  const code = given.toUpperCase();
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const char = code.charCodeAt(i);
    const value = char >= 65 ? char - 65 : char - 48;
    sum += i % 2 === 0 ? ODD_VALUES[value]! : value;
  }
  return code.charCodeAt(15) - 65 === sum % 26;
}

/** A digit, or the letter that replaces it where two people would have the same code. */
const D = '[0-9LMNPQRSTUV]';

const FISCAL_CODE = new RegExp(`[A-Z]{6}${D}{2}[A-EHLMPRST]${D}{2}[A-Z]${D}{3}[A-Z](?!\\w)`, 'iy');
/** How near a right code must stand for a mistyped one to count. */
const NEAR = 64;

const rightFiscalCode = codeRecognizer({
  entityType: 'IT_FISCAL_CODE',
  first: 'letter',
  minRun: 16,
  fewestDigits: 1,
  patterns: [{ name: 'person', regex: FISCAL_CODE, score: 0.5 }],
  validate: fiscalCodeHolds,
  context: ['codice fiscale', 'cod. fiscale', 'c.f.', 'cf', 'fiscal code'],
});

/** In a list of codes one with a wrong control letter is a mistyped code, and still somebody's: a weak finding. */
function mistypedBeside(right: Candidate, run: Run, text: string): Candidate | undefined {
  const code = matchAt(FISCAL_CODE, text, run.start);
  if (code === undefined || fiscalCodeHolds(code)) return undefined;
  const found = { ...right, start: run.start, end: run.start + code.length, score: 0.3, baseScore: 0.3 };
  return {
    ...found,
    validation: 'none',
    pattern: 'person, mistyped',
    reason: 'stands beside a code whose check holds',
  };
}

export const itFiscalCode: Recognizer = {
  ...rightFiscalCode,
  find(block, report) {
    const right: Candidate[] = [];
    rightFiscalCode.find(block, (candidate) => right.push(candidate));
    for (const candidate of right) report(candidate);
    if (right.length === 0) return;
    for (const run of block.runs) {
      const beside = right.find(({ start, end }) => Math.abs(run.start - start) < NEAR + (end - start));
      const mistyped = beside && mistypedBeside(beside, run, block.text);
      if (mistyped !== undefined) report(mistyped);
    }
  },
};

/** Agenzia delle Entrate: eleven digits, the last one a Luhn check over the others. */
export const itVatCode = codeRecognizer({
  entityType: 'IT_VAT_CODE',
  first: 'digit',
  minRun: 8,
  fewestDigits: 11,
  patterns: [{ name: 'eleven digits', regex: /\d{8}[ _]?\d{3}(?!\w)(?![-./]\d)/y, score: 0.1 }],
  validate: (code) => luhn(digitsOf(code)) && !isOneDigit(digitsOf(code)),
  isChance: true,
  context: ['partita iva', 'p. iva', 'p.iva', 'piva', 'iva', 'vat', 'vat number', 'codice iva'],
});

/** Motorizzazione Civile: two letters, seven digits, a letter; or since 2013 U1 and eight characters, no A, E, I or O. */
export const itDriverLicense = codeRecognizer({
  entityType: 'IT_DRIVER_LICENSE',
  first: 'letter',
  minRun: 10,
  fewestDigits: 1,
  patterns: [
    { name: 'U1', regex: /U1[B-DF-HJ-NP-Z0-9]{7}[A-Z](?!\w)/iy, score: 0.2 },
    { name: 'letters, digits, letter', regex: /[A-Z]{2}\d{7}[A-Z](?!\w)/iy, score: 0.2 },
  ],
  context: [
    'patente',
    'patente di guida',
    'licenza di guida',
    'patenti',
    'driver license',
    'driving licence',
    'license',
    'licence',
  ],
});

/** Polizia di Stato: two letters and seven digits. */
export const itPassport = codeRecognizer({
  entityType: 'IT_PASSPORT',
  first: 'letter',
  minRun: 9,
  fewestDigits: 7,
  patterns: [{ name: 'letters and digits', regex: /[A-Z]{2}\d{7}(?!\w)/iy, score: 0.15 }],
  context: ['passaporto', 'passaporti', 'passport', 'documento di viaggio', 'elettronico', 'italiano'],
});

/** Ministero dell'Interno: the electronic card (two letters, five digits, two letters) and the older paper ones. */
export const itIdentityCard = codeRecognizer({
  entityType: 'IT_IDENTITY_CARD',
  first: 'any',
  minRun: 2,
  fewestDigits: 5,
  mostLetters: 2,
  patterns: [
    { name: 'electronic', regex: /[A-Z]{2}\d{5}[A-Z]{2}(?!\w)/iy, score: 0.2 },
    { name: 'first electronic', regex: /\d{7}[A-Z]{2}(?!\w)/iy, score: 0.15 },
    { name: 'paper', regex: /[A-Z]{2} ?\d{7}(?!\w)/iy, score: 0.15 },
  ],
  context: [
    "carta d'identità",
    'carta d’identità',
    'carta di identità',
    "carta d'identita",
    'identità',
    'identity card',
    'cie',
    'numero carta',
    'documento',
  ],
});
