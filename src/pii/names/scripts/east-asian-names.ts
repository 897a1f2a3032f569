/**
 * Chinese, Japanese and Korean names and towns in their own script inside a sentence of another script: a frequent
 * surname with characters that are usual in given names, and large towns. Running text in these scripts is left
 * alone, because without spaces it does not show where a name begins.
 */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { readWords } from '../../words/words.js';

const SCORE = 0.65;
const RUN = /[\u3005\u4e00-\u9fff]{2,6}(?: [\u4e00-\u9fff]{1,3})?(?![\u3040-\u30ff])|[\uac00-\ud7a3]{2,8}/gu;
/** Letters of these scripts. With one of them beside it, a candidate is part of a sentence and does not count. */
const OF_RUN = /[\u3005\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/u;
const WORDS = readWords<'surnames' | 'given' | 'noNames' | 'towns'>('east-asian');
const CHINESE_NAME = lean(`^(?:${WORDS.surnames.zh}) ?[${WORDS.given.zh}]{1,2}$`, 'u');
/** Ordinary words that are written with such characters. */
const NO_CHINESE_NAME = new Set(WORDS.noNames.zh!.split('|'));
const JAPANESE_NAME = lean(`^(?:${WORDS.surnames.ja}) ?[\\u3005\\u4e00-\\u9fff]{1,3}$`, 'u');
const KOREAN_NAME = lean(
  `^(?<name>${WORDS.surnames.ko}[${WORDS.given.ko}]{2})(?:씨|님|은|는|이|가|을|를|에게|와|과|의)?$`,
  'u',
);
const NO_KOREAN_NAME = new RegExp(`^(?:${WORDS.noNames.ko})`, 'u');
const TOWNS = new Set(WORDS.towns.all!.split('|'));
/** Words for a town or province, and particles, that follow its name. */
const KIND = /(?:[市省县縣府都]|시|도|에서|에|로)$/u;

/** Adds the names in `piece`, which begins at offset `from` of the text, to `found`. */
export function eastAsianNames(piece: string, from: number, found: NameSpan[]): void {
  for (const { index, 0: run } of matchesOf(piece, RUN)) {
    const end = index + run.length;
    if (OF_RUN.test(piece[index - 1] ?? '') || OF_RUN.test(piece[end] ?? '')) continue;
    const korean = KOREAN_NAME.exec(run)?.groups?.name;
    if (TOWNS.has(run) || TOWNS.has(run.replace(KIND, '')))
      found.push({ type: 'LOCATION', start: from + index, end: from + end, score: SCORE });
    else if (korean !== undefined && !NO_KOREAN_NAME.test(run))
      found.push({ type: 'PERSON', start: from + index, end: from + index + korean.length, score: SCORE });
    else if ((CHINESE_NAME.test(run) && !NO_CHINESE_NAME.has(run)) || JAPANESE_NAME.test(run))
      found.push({ type: 'PERSON', start: from + index, end: from + end, score: SCORE });
  }
}
