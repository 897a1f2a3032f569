/**
 * United States driver licences. The formats of the states, as the American Association of Motor Vehicle
 * Administrators lists them, folded into a few shapes; none has a check digit that can be used.
 */
import { codeRecognizer } from '../../recognizer.js';

const SHAPES = [
  '[A-Z]\\d{4,14}',
  '[A-Z]{2}\\d{3,7}',
  '[A-Z]{2}\\d{6}[A-Z]',
  '[A-Z]{3}\\d{6}',
  '\\d{2}[A-Z]{3}\\d{5,6}',
  '\\d{7,9}[A-Z]{1,2}',
  '\\d{3}[A-Z]{2}\\d{4}',
  '[A-Z]\\d{3}-\\d{4}-\\d{4}(?:-\\d{2})?',
  '[A-Z]\\d{4}-\\d{5}-\\d{5}',
];

export const usDriverLicense = codeRecognizer({
  entityType: 'US_DRIVER_LICENSE',
  first: 'any',
  minRun: 4,
  fewestDigits: 3,
  mostLetters: 3,
  patterns: [
    {
      name: 'letters and digits',
      // A colour of a style sheet has a `#` by itself.
      regex: new RegExp(`(?<!(?:^|[\\s:;"'(,])#)(?:${SHAPES.join('|')})(?!\\w)(?!-\\d)`, 'yi'),
      score: 0.2,
    },
    { name: 'digits', regex: /(?:\d{7,12}|\d{14}|\d{16})(?!\w)(?![-./]\d)/y, score: 0.15 },
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
