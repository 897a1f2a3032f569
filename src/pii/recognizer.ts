/**
 * What a recognizer is. Each searches for one type, beginning at *anchors*: places where such a value can begin or
 * have its middle, such as a run of letters and digits, or an `@`. It gets the text in blocks. It handles the anchors
 * inside the block and may look beyond the block's ends. Every pattern is sticky and of bounded length, so the time
 * for a block is bounded for any text.
 */
import type { ContextWords } from './context-words.js';
import type { EntityType } from './types.js';

/** A run of letters and digits in a block with at least one digit. */
export interface Run {
  start: number;
  end: number;
  /** The number of letters before the first digit; 0 where the run begins with a digit. */
  letters: number;
  /** Whether letters follow the first digit. */
  isMixed: boolean;
  /**
   * The number of digits among the first DIGIT_UNITS units from the run's start, also beyond its end. It is at least
   * the number of digits in any code that begins here, up to twelve.
   */
  digits: number;
  place: Place;
}

/**
 * What stands directly before a run. `alone`: nothing that belongs to it. `glued`: a letter, `_`, a letter or digit
 * with a dash, or a digit with a slash. `decimal`: a digit and a dot.
 */
export type Place = 'alone' | 'glued' | 'decimal';

/**
 * Enough for the digits of a number in groups: twelve digits with two separators between each pair need 22 units, and
 * a telephone number of eight digits with brackets needs 31.
 */
export const DIGIT_UNITS = 32;

export interface Block {
  /** The whole normalised text. */
  text: string;
  from: number;
  to: number;
  /** The text of the block and a little more, for searches that must not go on to the end of the whole text. */
  piece: string;
  runs: readonly Run[];
  /** The largest number of digits that one of the block's runs has (`Run.digits`). */
  mostDigits: number;
  /** The lists of `blockSigns` of which `piece` contains a word, as bits. */
  words: number;
  /** Whether `piece` may contain a word that announces a number. */
  mayNameNumber: boolean;
}

export interface Candidate {
  entityType: EntityType;
  start: number;
  end: number;
  score: number;
  baseScore: number;
  recognizer: string;
  pattern: string;
  validation: 'passed' | 'none';
  /** Words that make it more likely where they stand near it; undefined where words do not change its score. */
  context: ContextWords | undefined;
  /** One random number in eleven or more passes its check, so a word for something else outweighs the check. */
  isChance: boolean;
  /** Its check digit alone is too little evidence: it counts only with one of its words nearby. */
  needsWord: boolean;
  /** It is attached to other text. It then counts only where that text is one of its words: `ssn078051121`. */
  isGlued: boolean;
  contextWord: string | undefined;
  /** The number of UTF-16 units between the context word and the candidate. */
  contextDistance: number | undefined;
  /** Whether the context word is one of the caller's and not one of the type's own. */
  isCallersWord: boolean | undefined;
  reason: string | undefined;
}

type Given = 'entityType' | 'start' | 'end' | 'score' | 'recognizer' | 'pattern';

/** Creates all candidates, so that all have one shape, which V8 reads fastest. */
export function candidate(given: Pick<Candidate, Given> & Partial<Candidate>): Candidate {
  const { entityType, start, end, score, recognizer, pattern, context, reason } = given;
  const { baseScore = score, validation = 'none', isChance = false } = given;
  const { needsWord = false, isGlued = false } = given;
  return {
    entityType,
    start,
    end,
    score,
    baseScore,
    recognizer,
    pattern,
    validation,
    context,
    isChance,
    needsWord,
    isGlued,
    contextWord: undefined,
    contextDistance: undefined,
    isCallersWord: undefined,
    reason,
  };
}

export interface Recognizer {
  readonly name: string;
  readonly entityType: EntityType;
  /** The fewest digits (`Run.digits`) that a run must have. Only for recognizers that examine nothing but runs. */
  readonly fewestDigits?: number;
  find(block: Block, report: (candidate: Candidate) => void): void;
}
