/** United States bank account: 8 to 17 digits and no check digit, so nothing without a word that names it. */
import { CodeRecognizer } from '../../codes.js';

export const usBankNumber = new CodeRecognizer({
  entityType: 'US_BANK_NUMBER',
  fewestDigits: 8,
  patterns: [{ name: 'digits', regex: /\d{8,17}(?!\w)(?![-./]\d)/y, score: 0.15, runs: { '8-17': '' } }],
  context: [
    'bank',
    'bank account',
    'account',
    'account number',
    'account no',
    'account#',
    'acct',
    'acct#',
    'checking',
    'savings',
    'debit',
    'direct deposit',
    'deposit',
    'wire',
  ],
});
