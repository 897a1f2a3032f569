/**
 * Spanish NIF of persons: eight digits and a control letter, modulus 23 (Real Decreto 1065/2007; Ministerio del
 * Interior for the DNI); foreigners have X, Y or Z for the first digit.
 */
import { CodeRecognizer } from '../../codes.js';

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

function holds(code: string): boolean {
  const plain = code.toUpperCase().replace(/[ .-]/g, '');
  const digits = plain.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return LETTERS[Number.parseInt(digits, 10) % 23] === plain.at(-1);
}

export const esNif = new CodeRecognizer({
  entityType: 'ES_NIF',
  fewestDigits: 7,
  patterns: [
    {
      name: 'digits and letter',
      regex: /\d{7,8}[ -]?[A-HJ-NP-TV-Z](?!\w)/iy,
      score: 0.5,
      runs: { '7-8': ' -', '8-9 mixed': '' },
    },
    {
      name: 'dotted',
      regex: /\d{1,2}\.\d{3}\.\d{3}[ -]?[A-HJ-NP-TV-Z](?!\w)/iy,
      score: 0.5,
      runs: { '1-2': '.' },
    },
    // A weight in tons is written so, too.
    {
      name: 'with blanks, behind a word',
      regex: /\d{1,2} \d{3} \d{3}[ -]?[A-HJ-NP-TV-Z](?!\w)/iy,
      before: /(?<!\w)(?:dni|nif|identidad)[^\d\n]{0,12}$/i,
      score: 0.5,
      runs: { '1-2': ' ' },
    },
    {
      name: 'foreigner',
      regex: /[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z](?!\w)/iy,
      score: 0.5,
      letters: 1,
      runs: { 1: ' -', 8: ' -', '9 mixed': '' },
    },
  ],
  validate: holds,
  context: ['dni', 'nif', 'nie', 'documento nacional de identidad', 'identidad', 'identificación fiscal'],
});
