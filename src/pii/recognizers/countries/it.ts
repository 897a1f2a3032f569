/** Italian identifiers: codice fiscale, partita IVA, driving licence, passport, identity card. */
import { digitsOf, isOneDigit, luhn } from '../../checksums.js';
import { CodeRecognizer } from '../../codes.js';
import { matchAt } from '../../patterns/matches-of.js';
import type { Block, Candidate, Run } from '../../recognizer.js';

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

export const itFiscalCode = new CodeRecognizer({
  entityType: 'IT_FISCAL_CODE',
  fewestDigits: 1,
  patterns: [{ name: 'person', regex: FISCAL_CODE, score: 0.5, letters: [6, 15], runs: { '16 mixed': '' } }],
  validate: fiscalCodeHolds,
  beside: mistypedCodes,
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

/** Mistyped codes beside those that `found` has of one block. */
function mistypedCodes(found: readonly Candidate[], { text, runs }: Block): Candidate[] {
  return runs.flatMap((run) => {
    const beside = found.find(({ start, end }) => Math.abs(run.start - start) < NEAR + (end - start));
    return (beside && mistypedBeside(beside, run, text)) ?? [];
  });
}

/** Agenzia delle Entrate: eleven digits, the last one a Luhn check over the others. */
export const itVatCode = new CodeRecognizer({
  entityType: 'IT_VAT_CODE',
  fewestDigits: 11,
  patterns: [
    {
      name: 'eleven digits',
      regex: /\d{8}[ ._/-]?\d{3}(?!\w)(?![-.]\d)/y,
      score: 0.1,
      needsWord: true,
      runs: { 8: '', 11: '' },
    },
  ],
  validate: (code) => luhn(digitsOf(code)) && !isOneDigit(digitsOf(code)),
  isChance: true,
  context: ['partita iva', 'p. iva', 'p.iva', 'piva', 'iva', 'vat', 'vat number', 'codice iva'],
});

/** Motorizzazione Civile: two letters, seven digits, a letter; or since 2013 U1 and eight characters, no A, E, I or O. */
export const itDriverLicense = new CodeRecognizer({
  entityType: 'IT_DRIVER_LICENSE',
  fewestDigits: 1,
  patterns: [
    {
      name: 'U1',
      regex: /U1[B-DF-HJ-NP-Z0-9]{7}[A-Z](?!\w)/iy,
      score: 0.2,
      letters: 1,
      runs: { '10 mixed': '' },
    },
    {
      name: 'letters, digits, letter',
      regex: /[A-Z]{2}\d{7}[A-Z](?!\w)/iy,
      score: 0.2,
      letters: 2,
      runs: { '10 mixed': '' },
    },
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
export const itPassport = new CodeRecognizer({
  entityType: 'IT_PASSPORT',
  fewestDigits: 7,
  patterns: [
    { name: 'letters and digits', regex: /[A-Z]{2}\d{7}(?!\w)/iy, score: 0.15, letters: 2, runs: { 9: '' } },
  ],
  context: ['passaporto', 'passaporti', 'passport', 'documento di viaggio', 'elettronico', 'italiano'],
});

/** Ministero dell'Interno: the electronic card (two letters, five digits, two letters) and the older paper ones. */
export const itIdentityCard = new CodeRecognizer({
  entityType: 'IT_IDENTITY_CARD',
  fewestDigits: 5,
  patterns: [
    {
      name: 'electronic',
      regex: /[A-Z]{2}\d{5}[A-Z]{2}(?!\w)/iy,
      score: 0.2,
      letters: 2,
      runs: { '9 mixed': '' },
    },
    { name: 'first electronic', regex: /\d{7}[A-Z]{2}(?!\w)/iy, score: 0.15, runs: { '9 mixed': '' } },
    { name: 'paper', regex: /[A-Z]{2} ?\d{7}(?!\w)/iy, score: 0.15, letters: 2, runs: { 2: ' ', 9: '' } },
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
