/**
 * Which tokens can be part of a name: most of a text are ordinary words, far from any capital and in no list, and
 * the model need not weigh them. What is left out is taken for no name.
 */
import { CLASS_DIGIT, CLASS_LETTER, CLASS_NEWLINE, CLASS_UPPER } from './characters';
import {
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_PLACE_HEAD,
  LIST_REGION,
  LIST_STREET,
} from './lexicon';
import { CAPITALS, caseMode, NO_CAPITALS } from './sentence';
import { count, tokenAt, unitAt } from './tokens';

/** Tokens before and behind one that can be part of a name: the name may go on there. */
const BEFORE = 1;
const BEHIND = 2;
const NAME_LISTS =
  LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME | LIST_LAST_NAME | LIST_CITY | LIST_REGION | LIST_PLACE_HEAD;
/** First unit of the scripts without capitals. */
const UNCASED = 0x590;
/** A year, or a longer number. */
const DIGITS = 4;

function beginsSentence(i: i32): bool {
  const before = tokenAt(i - 1);
  if (i === 0 || before.kind === CLASS_NEWLINE) return true;
  const unit = unitAt(before.start);
  return unit === 0x2e || unit === 0x3f || unit === 0x21;
}

function canBeName(i: i32): bool {
  const token = tokenAt(i);
  const lists = token.lists;
  const isCommon = (lists & LIST_COMMON) !== 0;
  if (token.kind === CLASS_UPPER) {
    if (caseMode === CAPITALS || !isCommon || (lists & LIST_NRP) !== 0) return true;
    return !beginsSentence(i) || (lists & (LIST_FREQUENT_FIRST_NAME | LIST_REGION)) !== 0;
  }
  if (token.kind === CLASS_LETTER) {
    if ((lists & (LIST_NRP | LIST_STREET)) !== 0 || unitAt(token.start) >= UNCASED) return true;
    if (caseMode === NO_CAPITALS) return !isCommon || (lists & LIST_FREQUENT_FIRST_NAME) !== 0;
    return !isCommon && (lists & NAME_LISTS) !== 0;
  }
  return token.kind === CLASS_DIGIT && token.end - token.start >= DIGITS;
}

/** Marks the tokens that the model has to weigh; gives whether there are any. */
export function markReadable(): bool {
  for (let i = 0; i < count; i++) tokenAt(i).isReadable = 0;
  let until = -1;
  for (let i = 0; i < count; i++) {
    if (!canBeName(i)) continue;
    const end = i + BEHIND + 1;
    for (let k = max(i - BEFORE, max(until, 0)); k < min(count, end); k++) tokenAt(k).isReadable = 1;
    until = end;
  }
  return until >= 0;
}
