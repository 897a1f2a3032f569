/**
 * United States driver licences. The formats of the states, as the American Association of Motor Vehicle
 * Administrators lists them, folded into a few shapes; none has a check digit that can be used.
 */
import { type CodePattern, CodeRecognizer } from '../../codes.js';

/** A colour of a style sheet has a `#` by itself. */
function shapes(...sources: string[]): RegExp {
  return new RegExp(`(?<!(?:^|[\\s:;"'(,])#)(?:${sources.join('|')})(?!\\w)(?!-\\d)`, 'yi');
}

/** The number of a Spanish licence ends in a letter that is never one of these. */
const NO_SPANISH_NUMBER = '(?!\\d{8}[IOU](?!\\w))';

const LETTERS_AND_DIGITS: readonly Pick<CodePattern, 'regex' | 'letters' | 'runs'>[] = [
  {
    regex: shapes('\\d{2}[A-Z]{3}\\d{5,6}', `${NO_SPANISH_NUMBER}\\d{7,9}[A-Z]{1,2}`, '\\d{3}[A-Z]{2}\\d{4}'),
    runs: { '8-11 mixed': '' },
  },
  {
    regex: shapes('[A-Z]\\d{4,14}', '[A-Z]\\d{3}-\\d{4}-\\d{4}(?:-\\d{2})?', '[A-Z]\\d{4}-\\d{5}-\\d{5}'),
    letters: 1,
    runs: { 4: '-', '5-15': '' },
  },
  {
    regex: shapes('[A-Z]{2}\\d{3,7}', '[A-Z]{2}\\d{6}[A-Z]'),
    letters: 2,
    runs: { '5-9': '', '9 mixed': '' },
  },
  { regex: shapes('[A-Z]{3}\\d{6}'), letters: 3, runs: { 9: '' } },
];

export const usDriverLicense = new CodeRecognizer({
  entityType: 'US_DRIVER_LICENSE',
  fewestDigits: 3,
  patterns: [
    ...LETTERS_AND_DIGITS.map((one) => ({ name: 'letters and digits', score: 0.2, ...one })),
    {
      name: 'digits',
      regex: /(?:\d{7,12}|\d{14}|\d{16})(?!\w)(?![-./]\d)/y,
      score: 0.15,
      runs: { '7-12': '', 14: '', 16: '' },
    },
  ],
  context: [
    'driver',
    'drivers',
    "driver's",
    'driver’s',
    'driving licence',
    'driving license',
    'driver license',
    'license',
    'licence',
    'dl',
    'dl#',
    'lic#',
    'permit',
    'dmv',
  ],
});
