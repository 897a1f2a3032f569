/**
 * What a recognizer is. Each looks for one type from *anchors*: places that can only be the start (or middle) of
 * what it looks for, such as a run of letters and digits, or an `@`. Text is handed over in blocks; a recognizer
 * handles the anchors inside the block and may look beyond its ends. Every pattern is sticky and of bounded
 * length, so a block costs a bounded time whatever stands in it.
 */
import type { ContextWords } from './context-words.js';
import type { EntityType } from './types.js';

/** Runs of letters and digits in a block that hold at least one digit. */
export interface Run {
  start: number;
  end: number;
  /** The letters before its first digit; none where it begins with one. */
  letters: number;
  /** Has letters behind its first digit, too. */
  isMixed: boolean;
  /**
   * The digits among the first DIGIT_UNITS units from its start. In a number that begins here, the first digits are
   * never further apart.
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
 * Twelve digits with two separators between each pair need 22 units, and a telephone number of eight digits with
 * brackets 31.
 */
export const DIGIT_UNITS = 32;

export interface Block {
  /** The whole normalised text. */
  text: string;
  from: number;
  to: number;
  /**
   * The text of the block and a little more, for searches that must not run on to the end of the whole text.
   */
  piece: string;
  runs: readonly Run[];
  /** The most digits that a run of the block has from its start. */
  mostDigits: number;
  /** The words of `blockSigns` that `piece` has, as bits. */
  words: number;
  /** It may have a word that names a number. */
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
  /** Words near it that make it more likely; none when context changes nothing. */
  context: ContextWords | undefined;
  /**
   * Its check digit is right for one random number in eleven or more, so a word that names another thing outweighs it.
   */
  isChance: boolean;
  /** Its check digit alone is too little evidence: it counts only with one of its words nearby. */
  needsWord: boolean;
  /**
   * It is attached to other text, and counts where the text before it is one of its words: `ssn078051121`.
   */
  isGlued: boolean;
  contextWord: string | undefined;
  /** Units between the context word and the candidate. */
  contextDistance: number | undefined;
  /** The context word is one of the caller's, and not one of the type's own. */
  isCallersWord: boolean | undefined;
  reason: string | undefined;
}

type Given = 'entityType' | 'start' | 'end' | 'score' | 'recognizer' | 'pattern';

/** All candidates are made here, so that they have one shape, which V8 reads fastest. */
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
  /**
   * The fewest digits that a run must have from its start. Only for recognizers that look at nothing but runs.
   */
  readonly fewestDigits?: number;
  find(block: Block, report: (candidate: Candidate) => void): void;
}
