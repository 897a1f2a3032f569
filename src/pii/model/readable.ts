/**
 * Which tokens can be part of a name: most of a text are ordinary words, far from any capital and in no list, and
 * the model need not weigh them. What is left out is taken for no name.
 */
import { CLASS_DIGIT, CLASS_LETTER, CLASS_NEWLINE, CLASS_UPPER } from './characters.js';
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
} from './gazetteer.js';
import type { Sentence } from './sentence.js';
import { PAD } from './tokenize.js';

/** Tokens before and behind one that can be part of a name: the name may go on there. */
const BEFORE = 1;
const BEHIND = 2;
const NAME_LISTS =
  LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME | LIST_LAST_NAME | LIST_CITY | LIST_REGION | LIST_PLACE_HEAD;
/** First unit of the scripts without capitals. */
const UNCASED = 0x590;

function beginsSentence(text: string, sentence: Sentence, i: number): boolean {
  const { start, kind } = sentence.tokens;
  if (i === 0 || kind[i - 1] === CLASS_NEWLINE) return true;
  const before = text.charCodeAt(start[i - 1]!);
  return before === 0x2e || before === 0x3f || before === 0x21;
}

function canBeName(text: string, sentence: Sentence, i: number): boolean {
  const kind = sentence.tokens.kind[i]!;
  const lists = sentence.lists[i + PAD]!;
  if (kind === CLASS_UPPER) {
    if (sentence.caseMode === 2 || (lists & LIST_COMMON) === 0 || (lists & LIST_NRP) !== 0) return true;
    return !beginsSentence(text, sentence, i) || (lists & (LIST_FREQUENT_FIRST_NAME | LIST_REGION)) !== 0;
  }
  if (kind === CLASS_LETTER) {
    if ((lists & (LIST_NRP | LIST_STREET)) !== 0 || text.charCodeAt(sentence.tokens.start[i]!) >= UNCASED)
      return true;
    if (sentence.caseMode === 1)
      return (lists & LIST_COMMON) === 0 || (lists & LIST_FREQUENT_FIRST_NAME) !== 0;
    return (lists & LIST_COMMON) === 0 && (lists & NAME_LISTS) !== 0;
  }
  return kind === CLASS_DIGIT && sentence.tokens.end[i]! - sentence.tokens.start[i]! >= 4;
}

/** Marks in `readable` the tokens that the model has to weigh; gives whether there are any. */
export function markReadable(text: string, sentence: Sentence, readable: Uint8Array): boolean {
  const { count } = sentence.tokens;
  readable.fill(0, 0, count);
  let until = -1;
  for (let i = 0; i < count; i++) {
    if (canBeName(text, sentence, i)) {
      for (let k = Math.max(0, i - BEFORE, until); k < Math.min(count, i + BEHIND + 1); k++) readable[k] = 1;
      until = i + BEHIND + 1;
    }
  }
  return until >= 0;
}
