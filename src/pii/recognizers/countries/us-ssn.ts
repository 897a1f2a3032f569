/**
 * United States social security number. No area 000, 666 or 900 and above, no group 00, no serial 0000 (Social
 * Security Administration, rules since 2011); numbers printed in advertisements were never anyone's. Areas of 900 and
 * above count behind a word: people mistype, and mean their number all the same.
 */
import { digitsOf, isOneDigit } from '../../checksums.js';
import { CodeRecognizer } from '../../codes.js';
import { lean } from '../../patterns/lean.js';

const ADVERTISED = new Set(['078051120', '219099999', '123456789', '987654320']);

function isPossible(code: string): false | undefined {
  const digits = digitsOf(code);
  if (ADVERTISED.has(digits) || isOneDigit(digits)) return false;
  return undefined;
}

const REST = '(?!00)\\d{2}{s}(?!0000)\\d{4}(?!\\w)(?![-./]\\d)';
const BODY = `(?!000|666|9)\\d{3}{s}${REST}`;
const NEVER_GIVEN = `9\\d{2}([ .-]?)${REST.replaceAll('{s}', '\\1')}`;

/** `social 267813340`: a short word for it right before, where it is no `capital social` or `razón social`. */
const BEHIND_SOCIAL = lean(
  /(?<![\p{L}\d-])(?<!(?:capital|razón|siège|seguro|sede|ragione|denominación|objeto|objet|réseau|número|obra) )(?:social(?:['’]s)?|soc|ss|soc\.? ?sec)(?: (?:no|num|number|nr|is|was|id))?\.?[:#]?(?: [#:])? ?$/iu,
);

export const usSsn = new CodeRecognizer({
  entityType: 'US_SSN',
  fewestDigits: 9,
  patterns: [
    { name: 'dashes', regex: new RegExp(BODY.replaceAll('{s}', '-'), 'y'), score: 0.6, runs: { 3: '-' } },
    {
      name: 'blanks or dots',
      regex: /(?!000|666|9)\d{3}([ .])(?!00)\d{2}\1(?!0000)\d{4}(?!\w)(?![-./]\d)/y,
      score: 0.5,
      runs: { 3: ' .' },
    },
    {
      name: 'one dash',
      regex: new RegExp(BODY.replace('{s}', '-').replace('{s}', ''), 'y'),
      score: 0.4,
      runs: { 3: '-' },
    },
    {
      name: 'digits behind a word',
      regex: new RegExp(BODY.replaceAll('{s}', ''), 'y'),
      before: BEHIND_SOCIAL,
      score: 0.6,
      runs: { 9: '' },
    },
    { name: 'digits', regex: new RegExp(BODY.replaceAll('{s}', ''), 'y'), score: 0.3, runs: { 9: '' } },
    { name: 'area never given', regex: new RegExp(NEVER_GIVEN, 'y'), score: 0.15, runs: { 3: '-. ', 9: '' } },
  ],
  validate: isPossible,
  context: [
    'ssn',
    'ssns',
    'ssn#',
    'social security',
    'social security number',
    'social sec',
    'ss#',
    'soc sec',
    'my social',
    'his social',
    'her social',
    'their social',
    'social no',
    'social number',
    'seguro social',
    'seguridad social',
    'nss',
    'sozialversicherung',
    'sozialversicherungsnummer',
    'us-sozialversicherungsnummer',
    'sécurité sociale',
    'securite sociale',
    'numéro de sécu',
    'previdenza sociale',
    'sicurezza sociale',
    'segurança social',
    'seguridade social',
    'sofinummer',
    'socialezekerheidsnummer',
    'ubezpieczenia społecznego',
    'socialförsäkringsnummer',
    'socialsikringsnummer',
  ],
});
