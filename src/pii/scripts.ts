/**
 * Scripts by how they separate words. Most put spaces between words. Chinese, Japanese, Thai, Lao, Khmer, Burmese and
 * Tibetan do not, and Korean attaches particles to a word. In those a letter beside a word or number does not show
 * that it goes on (Unicode Standard Annex 29 needs dictionaries for them, too).
 */
import { rangesOf, readWords } from './words/words.js';

const isUnspaced = new Uint8Array(0x10000);
for (const [from, to] of rangesOf(readWords<'ranges'>('characters').ranges.unspaced!))
  isUnspaced.fill(1, from, to);
// The surrogate halves of Chinese characters beyond the Basic Multilingual Plane.
isUnspaced.fill(1, 0xd840, 0xd8c0);
isUnspaced.fill(1, 0xdc00, 0xe000);

/** Whether a letter belongs to a script that does not separate words by spaces. `unit` must be a letter. */
export function isUnspacedUnit(unit: number): boolean {
  return isUnspaced[unit] === 1;
}

/** Whether a letter is Latin. Codes of letters and digits contain no other letters. */
export function isLatinUnit(unit: number): boolean {
  return unit < 0x250 || (unit >= 0x1e00 && unit < 0x1f00);
}

/** For the inside of a character class: letters, and marks on them, of the scripts that put spaces between words. */
export const SPACED_LETTERS =
  'A-Za-z\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02c1\\u0300-\\u0374\\u0376-\\u037d\\u037f-\\u0386' +
  '\\u0388-\\u0481\\u0483-\\u0559\\u0560-\\u0588\\u0591-\\u05f2\\u0610-\\u065f\\u066e-\\u06d3\\u06d5-\\u06ef\\u06fa-\\u0dff' +
  '\\u10a0-\\u10ff\\u1200-\\u177f\\u1820-\\u19df\\u1a20-\\u1fff\\u2c00-\\u2dff\\ua4d0-\\ua95f\\ua980-\\uaa5f\\uaae0-\\uabff\\ufb00-\\ufdfb\\ufe70-\\ufefc';
