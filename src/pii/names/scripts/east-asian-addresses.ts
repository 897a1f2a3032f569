/**
 * Chinese, Japanese and Korean addresses. They go from the largest part to the house, and each part ends with what it
 * is.
 */

import type { NameSpan } from '../../name-span.js';
import { matchesOf } from '../../patterns/matches-of.js';

const SCORE = 0.9;
const HAN = '[\\u3005\\u4e00-\\u9fff]';
const JAPANESE = '[\\u3005\\u3040-\\u30ff\\u4e00-\\u9fff]';
const HANGUL = '[\\uac00-\\ud7a3]';
/** A character of a name. The characters of `寄到` and `住在`, which stand before an address, are excluded. */
const NAMED = `(?:(?![到在于於从從至寄是往])${HAN})`;
const CHINESE = `(?:${NAMED}{1,8}?(?:省|自治区|市|区|區|县|縣|镇|鎮|乡)){1,4}${HAN}{1,10}?(?:路|街|道|巷|弄|胡同)(?:${HAN}{1,2}段)?\\d{1,5}(?:号|號)(?:${HAN}{0,6}\\d{1,4}(?:室|楼|樓|栋|号楼|单元|層|层)){0,3}`;
const OF_JAPAN = `(?:${NAMED}{1,4}[都道府県])?${NAMED}{1,6}[市区町村]${JAPANESE}{1,12}?\\d{1,4}(?:丁目|番地?|号|[-－‐]){1,2}(?:\\d{1,4}(?:番地?|号|[-－‐])?){0,3}`;
const OF_KOREA = `(?:${HANGUL}{1,8}[시도] )?${HANGUL}{1,6}[구군시] (?:${HANGUL}{1,6}[읍면동] )?${HANGUL}{1,8}(?:로|길|동)(?:\\d{1,3}번?길)? ?\\d{1,4}(?:-\\d{1,3})?(?!\\d)`;
const ADDRESS = new RegExp(`${CHINESE}|${OF_JAPAN}|${OF_KOREA}`, 'gu');
/** A character before a digit, as the house number has it. There is no address without one. */
const SIGN = /[\u3005\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3] ?\d/u;

/** The addresses in `piece`, which begins at offset `from` of the text. */
export function eastAsianAddresses(piece: string, from: number): NameSpan[] {
  if (!SIGN.test(piece)) return [];
  return [...matchesOf(piece, ADDRESS)].map(({ index, 0: found }) => ({
    type: 'LOCATION',
    start: from + index,
    end: from + index + found.length,
    score: SCORE,
  }));
}
