/**
 * Words that are more often a name than training tells: its texts have the names that their lists know, and what people
 * write has others. A name that is missed costs more than a word that is masked in vain.
 */
import { CLASS_LETTER, CLASS_NEWLINE, CLASS_UPPER } from './characters.js';
import {
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  LIST_REGION,
} from './gazetteer.js';
import { ALL_CAPITALS, SENTENCE_ENDS, type Sentence } from './sentence.js';
import { PAD, type Tokens } from './tokenize.js';

/** Natural logarithms of odds, chosen on what was held out of training (docs/pii.md). */
const OF_NO_LIST = 1;
const OF_NO_TEXT = 3;
const KNOWN =
  LIST_COMMON |
  LIST_FIRST_NAME |
  LIST_LAST_NAME |
  LIST_CITY |
  LIST_REGION |
  LIST_NRP |
  LIST_ORGANIZATION |
  LIST_PRODUCT;
const SHORTEST = 4;
/** Records have more things than people that no list knows. */
const SENTENCES = 1;

/** What the scores of PERSON are raised by for token `i`, in natural logarithms. */
export function rarenessOf(sentence: Sentence, i: number): number {
  const { tokens, lists, shape, cluster, layout } = sentence;
  const at = i + PAD;
  if (tokens.kind[i] === CLASS_UPPER) {
    const isUnknown = (lists[at]! & KNOWN) === 0 && shape[at] !== ALL_CAPITALS;
    const isSomebody = layout === SENTENCES && !isCell(tokens, i) && !isFirstWord(sentence, i);
    return isUnknown && isSomebody ? OF_NO_LIST : 0;
  }
  if (tokens.kind[i] !== CLASS_LETTER || cluster[at] !== 0) return 0;
  const isFirstName = (lists[at]! & (LIST_FIRST_NAME | LIST_COMMON)) === LIST_FIRST_NAME;
  return isFirstName && tokens.end[i]! - tokens.start[i]! >= SHORTEST ? OF_NO_TEXT : 0;
}

/** Whether no blank stands beside it: `7,Zorbl,red`. */
function isCell({ start, end, count }: Tokens, i: number): boolean {
  return i > 0 && i + 1 < count && start[i] === end[i - 1] && start[i + 1] === end[i];
}

/** Whether a sentence begins with it, and it is no first name with another behind it. */
function isFirstWord({ tokens, word }: Sentence, i: number): boolean {
  if (tokens.kind[i + 1] === CLASS_UPPER && i + 1 < tokens.count) return false;
  return i === 0 || tokens.kind[i - 1] === CLASS_NEWLINE || SENTENCE_ENDS.has(word[i - 1 + PAD]!);
}
