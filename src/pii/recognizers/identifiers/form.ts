/** Makes recognizers from the rows of identifiers whose pattern is searched for in each block. */
import { DOUBTFUL } from '../../context.js';
import { ContextWords } from '../../context-words.js';
import type { FormRow } from '../../identifiers/rows.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { type Candidate, candidate, type Recognizer } from '../../recognizer.js';
import type { EntityType } from '../../types.js';
import { checkOf } from './check.js';

/** The greatest length of a match, and how many units before a match are examined. */
const REACH = 48;
const BEFORE = 2;
const START = '(?<![A-Za-z\\d])(?<!\\d[-./])';
const END = '(?![A-Za-z\\d])(?![-./]\\d)';

export function formRecognizer(row: FormRow): Recognizer {
  const { type, pattern: form, score, check, words } = row;
  const entityType = type as EntityType;
  const needsWord = row.needsWord ?? false;
  const name = type.toLowerCase().replaceAll('_', '-');
  const pattern = new RegExp(`${START}(?:${form})${END}`, 'gi');
  const holds = checkOf(check);
  const context = new ContextWords(words);
  const found = (start: number, text: string): Candidate | undefined => {
    const valid = holds?.(text);
    if (valid === false) return undefined;
    return candidate({
      entityType,
      start,
      end: start + text.length,
      score: valid === true ? (needsWord ? DOUBTFUL : 1) : score,
      baseScore: score,
      recognizer: name,
      pattern: 'form',
      validation: valid === true ? 'passed' : 'none',
      context,
      isChance: needsWord,
      needsWord,
    });
  };
  return {
    name,
    entityType,
    find({ text, from, to }, report) {
      const first = Math.max(0, from - BEFORE);
      for (const { index, 0: match } of matchesOf(text.slice(first, to + REACH), pattern)) {
        const start = first + index;
        if (start < from || start >= to) continue;
        const one = found(start, match);
        if (one !== undefined) report(one);
      }
    },
  };
}
