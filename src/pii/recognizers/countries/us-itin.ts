/**
 * United States individual taxpayer identification number: begins with 9, fourth and fifth digit 50 to 65,
 * 70 to 88, 90 to 92 or 94 to 99 (Internal Revenue Service, Internal Revenue Manual 3.21.263).
 */
import { CodeRecognizer } from '../../codes.js';

const GROUP = '(?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])';
const END = '(?!\\w)(?![-./]\\d)';

export const usItin = new CodeRecognizer({
  entityType: 'US_ITIN',
  fewestDigits: 9,
  patterns: [
    {
      name: 'groups',
      regex: new RegExp(`9\\d{2}([ -])${GROUP}\\1\\d{4}${END}`, 'y'),
      score: 0.5,
      runs: { 3: ' -' },
    },
    {
      name: 'digits',
      regex: new RegExp(`9\\d{2}-?${GROUP}-?\\d{4}${END}`, 'y'),
      score: 0.3,
      runs: { 3: '-', 5: '-', 9: '' },
    },
  ],
  context: ['itin', 'itin#', 'individual taxpayer', 'taxpayer id', 'tax id', 'tin', 'tax', 'taxpayer'],
});
