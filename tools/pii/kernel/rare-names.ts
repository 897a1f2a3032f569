/**
 * Words that are more often a name than training tells: its texts have the names that their lists know, and what people
 * write has others. A name that is missed costs more than a word that is masked in vain.
 */
import { CLASS_LETTER, CLASS_NEWLINE, CLASS_UPPER } from './characters';
import { finishHash, HASH_START, hashUnit } from './hash';
import {
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  LIST_REGION,
} from './lexicon';
import { layout, markHash, SENTENCES } from './sentence';
import { count, Token, tokenAt } from './tokens';

/** Natural logarithms of odds, chosen on what was held out of training (docs/pii.md). */
const OF_NO_LIST: f64 = 1;
const OF_NO_TEXT: f64 = 3;
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
/** The shape of two capitals or more. */
const ALL_CAPITALS = finishHash(hashUnit(hashUnit(HASH_START, CLASS_UPPER + 1), CLASS_UPPER + 1));
const FULL_STOP = markHash(0x2e);
const QUESTION_MARK = markHash(0x3f);
const EXCLAMATION_MARK = markHash(0x21);

/** What the scores of PERSON are raised by for token `i`, in natural logarithms. Records have more things than people. */
export function rarenessOf(i: i32): f64 {
  const token = tokenAt(i);
  const lists = token.lists;
  if (token.kind === CLASS_UPPER) {
    if ((lists & KNOWN) !== 0 || token.shape === ALL_CAPITALS || layout !== SENTENCES) return 0;
    return isCell(i) || isFirstWord(i) ? 0 : OF_NO_LIST;
  }
  if (token.kind !== CLASS_LETTER || token.cluster !== 0) return 0;
  const isFirstName = (lists & (LIST_FIRST_NAME | LIST_COMMON)) === LIST_FIRST_NAME;
  return isFirstName && token.end - token.start >= SHORTEST ? OF_NO_TEXT : 0;
}

/** Whether no blank stands beside it: `7,Zorbl,red`. */
function isCell(i: i32): bool {
  if (i === 0 || i + 1 >= count) return false;
  const token = tokenAt(i);
  return token.start === tokenAt(i - 1).end && tokenAt(i + 1).start === token.end;
}

/** Whether a sentence begins with it, and it is no first name with another behind it. */
function isFirstWord(i: i32): bool {
  if (i + 1 < count && tokenAt(i + 1).kind === CLASS_UPPER) return false;
  return i === 0 || endsSentence(tokenAt(i - 1));
}

function endsSentence(token: Token): bool {
  if (token.kind === CLASS_NEWLINE) return true;
  const word = token.word;
  return word === FULL_STOP || word === QUESTION_MARK || word === EXCLAMATION_MARK;
}
