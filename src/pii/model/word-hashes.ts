import { baseUnit, CLASS_MARK, charClass, lowerUnit } from './characters.js';
import { finishHash, HASH_START, hashUnit } from './hash.js';

/** Steps of a shape. */
const LONGEST_SHAPE = 7;

/** What is known of a word by its letters alone, read in one pass. */
export class WordHashes {
  /** Of its letters without case. */
  word = 0;
  /** The key of the word in the lists: its letters without case and accents. */
  key = 0;
  /** Upper, lower and other letters in order, a run of the same as one or two: `McDonald` is XxXx. */
  shape = 0;

  read(text: string, start: number, end: number): void {
    let word = HASH_START;
    let key = HASH_START;
    let shape = HASH_START;
    let previous = -1;
    let run = 0;
    let steps = 0;
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      const kind = charClass[unit]!;
      word = hashUnit(word, lowerUnit[unit]!);
      if (kind === CLASS_MARK) continue;
      key = hashUnit(key, baseUnit[unit]!);
      run = kind === previous ? run + 1 : 1;
      previous = kind;
      if (run > 2 || steps === LONGEST_SHAPE) continue;
      shape = hashUnit(shape, kind + 1);
      steps++;
    }
    this.word = finishHash(word);
    this.key = finishHash(key);
    this.shape = finishHash(shape);
  }
}
