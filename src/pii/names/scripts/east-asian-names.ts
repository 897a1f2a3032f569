/**
 * Chinese, Japanese and Korean names and towns in their own script, where they stand alone in a sentence of another one:
 * a frequent surname with letters that given names are made of, and large towns. Running text has no blanks to tell a
 * name by, and is left alone.
 */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { readWords } from '../../words/words.js';

const SCORE = 0.65;
const RUN = /[\u3005\u4e00-\u9fff]{2,6}(?: [\u4e00-\u9fff]{1,3})?(?![\u3040-\u30ff])|[\uac00-\ud7a3]{2,8}/gu;
/**
 * A run of characters counts only where none of these letters stands beside it: with one of them, the sentence would go
 * on.
 */
const OF_RUN = /[\u3005\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/u;
const WORDS = readWords<'surnames' | 'given' | 'noNames' | 'towns'>('east-asian');
const CHINESE_NAME = lean(`^(?:${WORDS.surnames.zh}) ?[${WORDS.given.zh}]{1,2}$`, 'u');
/** Ordinary words of such letters. */
const NO_CHINESE_NAME = new Set(WORDS.noNames.zh!.split('|'));
const JAPANESE_NAME = lean(`^(?:${WORDS.surnames.ja}) ?[\\u3005\\u4e00-\\u9fff]{1,3}$`, 'u');
const KOREAN_NAME = lean(
  `^(?<name>${WORDS.surnames.ko}[${WORDS.given.ko}]{2})(?:씨|님|은|는|이|가|을|를|에게|와|과|의)?$`,
  'u',
);
const NO_KOREAN_NAME = new RegExp(`^(?:${WORDS.noNames.ko})`, 'u');
const TOWNS = new Set(WORDS.towns.all!.split('|'));
/** What a town or a province has behind its name. */
const KIND = /(?:[市省县縣府都]|시|도|에서|에|로)$/u;

/** Adds what it finds in `piece`, which begins at `from`. */
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
