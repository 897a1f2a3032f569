/**
 * VAT numbers of the European Union (VIES): the form of each country, and its check. The few forms without one (keys of
 * French numbers with letters, Czech births before 1954, newer numbers of Latvians) are weak findings that need a word.
 */
import { CodeRecognizer } from '../../codes.js';
import { VAT_CHECKS } from './eu-vat-checks.js';

const FORMS: Record<string, string> = {
  AT: 'U\\d{8}',
  BE: '[01]\\d{9}',
  BG: '\\d{9,10}',
  CY: '\\d{8}[A-Z]',
  CZ: '\\d{8,10}',
  DE: '[1-9]\\d{8}',
  DK: '\\d{8}',
  EE: '\\d{9}',
  EL: '\\d{9}',
  ES: '[A-Z0-9]\\d{7}[A-Z0-9]',
  FI: '\\d{8}',
  FR: '[A-HJ-NP-Z0-9]{2}\\d{9}',
  HR: '\\d{11}',
  HU: '\\d{8}',
  IE: '\\d(?:\\d|[A-Z])\\d{5}[A-W][A-IW]?',
  IT: '\\d{11}',
  LT: '(?:\\d{9}|\\d{12})',
  LU: '\\d{8}',
  LV: '\\d{11}',
  MT: '\\d{8}',
  NL: '\\d{9}B\\d{2}',
  PL: '\\d{10}',
  PT: '\\d{9}',
  RO: '\\d{4,10}',
  SE: '\\d{10}01',
  SI: '\\d{8}',
  SK: '\\d{10}',
};

function holds(code: string): boolean | undefined {
  const plain = code.toUpperCase().replace(/[ .-]/g, '');
  const body = plain.slice(2);
  const form = FORMS[plain.slice(0, 2)];
  if (form === undefined || !new RegExp(`^${form}$`).test(body)) return false;
  return VAT_CHECKS[plain.slice(0, 2)]?.(body);
}

export const euVat = new CodeRecognizer({
  entityType: 'EU_VAT',
  fewestDigits: 4,
  patterns: [
    {
      name: 'country and number',
      regex: new RegExp(
        `(?:${Object.keys(FORMS).join('|')})(?:U|[ .-]?[A-Z0-9]{2}[ .-]?)?[ .-]?\\d{1,12}(?:[ .]\\d{2,6}){0,3}(?:[ .]?B\\d{2}|[A-Z]{0,2}\\d{0,5}[A-Z]{0,2})(?!\\w)`,
        'y',
      ),
      splits: [4, 14],
      score: 0.2,
      letters: [2, 4],
      runs: { '2-25': '', '3-25 mixed': '' },
    },
  ],
  validate: holds,
  context: ['vat', 'vat number', 'vat no', 'ust-idnr', 'ust-id', 'uid', 'tva', 'iva', 'btw', 'nip', 'moms'],
});
