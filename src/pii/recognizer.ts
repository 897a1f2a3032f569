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
  /** The first unit is a digit. */
  isDigit: boolean;
  /** Letters before its first digit. */
  letters: number;
  /** Has letters behind its first digit, too. */
  isMixed: boolean;
  /** Digits among the DIGIT_UNITS units from its start on: no number that it begins has its first ones further apart. */
  digits: number;
  place: Place;
  /** Is not alone: most often a piece of a longer code. */
  isPiece: boolean;
}

/**
 * What stands right before a run: nothing that it belongs to; a letter, `_`, a letter or digit with a dash, or a digit with
 * a slash; or a digit and a dot.
 */
export type Place = 'alone' | 'glued' | 'decimal';

/** Twelve digits with two marks between each pair need 22, and a telephone number of eight with brackets 31. */
export const DIGIT_UNITS = 32;

export interface Block {
  /** The whole normalised text. */
  text: string;
  from: number;
  to: number;
  /** The block's own text and a little more, for searches that must not run on to the end of the whole. */
  piece: string;
  runs: readonly Run[];
  /** The most digits that a run of it has from its start on. */
  mostDigits: number;
  /** What `blockSigns` has in it and the little more. */
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
  /** Its check digit holds for one number in eleven or more: a word that names another thing speaks louder. */
  isChance: boolean;
  /** Its check digit alone says too little: it counts beside a word of its own. */
  needsWord: boolean;
  /** Stands in a longer piece of text, and counts where its own word is the piece before it: `ssn078051121`. */
  isGlued: boolean;
  contextWord: string | undefined;
  /** Units between the context word and the candidate. */
  contextDistance: number | undefined;
  /** The word is one of the caller's, and not of its own. */
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
  /** Fewest digits that a run must have from its start on, where the recognizer looks at nothing but runs. */
  readonly fewestDigits?: number;
  find(block: Block, report: (candidate: Candidate) => void): void;
}
